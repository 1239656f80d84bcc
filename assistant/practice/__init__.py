"""The practice deck: drawn cards, printable sheets, and a virtual table to film them on."""
