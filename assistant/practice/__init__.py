"""The practice deck: drawn cards, printable sheets, and a virtual table to film them on.

    deck    which cards there are, and what each shows in every keyhole (rules and chance)
    marks   outlines, lines and words in mm; shapes, sketches and faces are made of them
    sheets  marks -> a PDF to print and cut
    ink     marks -> pixels; from there, in the order of light:
    surfaces, chart, stack, hands -> scene -> lens -> table (stills), camera and clips (films)

Everything by chance comes from a seed, and every picture carries its truth. All of the art is our
own; nothing of the printed game is in it but measured places and Shakespeare's lines.
"""
