"""A session as one page of HTML that needs nothing else: no script, font or picture from outside.

The page stands as it is, with the end of the game on the map, and prints so; its own small script
only moves the map, the timeline and the list of moves to another step. What it may do is written
into it: a content policy forbids every request.

    map.py       the printed map with the deduction drawn on it      style.py   how it looks
    timeline.py  how many candidates were left, step by step         script.py  the scrubber
    tables.py    moves, answers, clues, score                        build.py   all of it together
"""

from assistant.present.page.build import Page, session_page

__all__ = ["Page", "session_page"]
