"""The rules: events in, state out. Pure: no picture, port, window, file, clock or chance.

How it hangs together, from the inside out:

    terms, settings, suits    the words of the rulebook as closed sets
    board                     the map; names turns typed words into places
    events, turn_events       what happened, as frozen facts; history settles what is in force
    deduction                 what a hidden card can be; youth and rendezvous are its two puzzles
    advice, outlook           the helps: where to ask, where to head the Lady off
    stealth, lady             the deck as it lies, and her way through it
    identity                  who she is, from the clues held
    poet                      where the Rival Poet goes
    game, legality            the turn: what is where, and what the rules allow now
    score, set_up, open_rules how it ends, how it is laid out, what the rulebook leaves open
    state                     all of it together: `fold(board, events)`, or `state.after(event)`
"""
