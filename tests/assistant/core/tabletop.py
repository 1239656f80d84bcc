"""A plain game at a table: real piles of cards, every hidden card known. No deductions, no events.

It plays by the rulebook with lists of cards, written apart from `assistant.core.game`, and says for
any act whether it is legal. The tests play it beside the core and compare.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from assistant.core.board import Board
from assistant.core.events import Act, RendezvousSought, SearchMade, SessionStarted, YouthAsked
from assistant.core.poet import aggressive_move, elusive_move
from assistant.core.settings import Expansion, Settings
from assistant.core.stealth import Shown
from assistant.core.suits import BASE_SUITS, DARKER_SUITS, Clue, Mark, Suit, Trait
from assistant.core.terms import Feature, Location, StepReading
from assistant.core.turn_events import (
    ClueGained,
    FogUsed,
    LadyConfronted,
    LadyFled,
    LadyUpdated,
    Passed,
    PawnMoved,
    PoetMoved,
    PoetPlaced,
    TracerPlaced,
    WaypointPlaced,
    YouthConfronted,
)
from assistant.data import load_ladies
from tests.assistant.core import truth

#: All Ladies but one.
CLUE_CARDS = 11


@dataclass
class Card:
    """A card of the stealth deck; a fog card remembers whose place it took."""

    kind: str
    place: Location | None = None
    symbol: Feature | None = None


def _darker(chance: random.Random) -> list[tuple[Suit, frozenset[Trait]]]:
    every = [
        frozenset((a, b, c)) for a in Trait for b in Trait for c in Trait if len({a, b, c}) == 3
    ]
    triples = chance.sample(sorted(set(every), key=lambda t: sorted(x.value for x in t)), 12)
    return [(DARKER_SUITS[number // 3], triple) for number, triple in enumerate(triples)]


def _clue(traits: frozenset[Trait], pack: list[tuple[Suit, frozenset[Trait]]]) -> Clue:
    marks = []
    for suit in BASE_SUITS + DARKER_SUITS:
        shared = {len(traits & t) for s, t in pack if s is suit and t != traits}
        if shared:
            marks.append(Mark(suit, frozenset(shared)))
    return Clue(traits, tuple(marks))


@dataclass
class Tabletop:
    """The table. Draw everything from `chance`; then `do` only what `allows` allows."""

    board: Board
    chance: random.Random
    expansions: frozenset[Expansion]
    settings: Settings
    passes: int = 2
    deck: list[Card] = field(default_factory=list)
    fog_pile: int = 10
    held: list[Clue] = field(default_factory=list)
    owed: int = 0
    step: str = "lady"
    done: bool = False
    over: bool = False
    begun: bool = False
    place_poet: bool = False
    youth_shown: bool = False
    lady_shown: bool = False
    read: tuple[str, Location] | None = None
    searched: tuple[Location, bool] | None = None
    markers: dict[str, list[object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Lay everything out."""
        chance = self.chance
        self.pawn = chance.choice(list(Location))
        self.seen_places = {self.pawn}
        colour = self.board.colour(self.pawn)
        matching = [p for p in Location if self.board.colour(p) is colour and p is not self.pawn]
        self.poet = chance.choice(matching)
        places, symbols, _ = chance.choice(truth.stealth_columns())
        cards = [Card("stealth", p, s) for p, s in zip(places, symbols, strict=True)]
        cards = cards[:: chance.choice((1, -1))]
        at = chance.randrange(26)
        self.order = [*cards[at:], *cards[:at]]
        self.deck = [*self.order, Card("countdown")]
        self.hideout = chance.choice(list(Location))
        self.icon = {
            p: chance.choice(sorted(truth.icons(p, self.hideout), key=str)) for p in Location
        }
        self.rendezvous = chance.choice(list(Feature))
        walk = StepReading.WALK
        self.number = {
            p: chance.choice(
                [n for n in (1, 2, 3) if self.rendezvous in truth.features_away(p, n, walk)]
            )
            for p in Location
        }
        pack = [(card.suit, card.clue.traits) for card in load_ladies()]
        if Expansion.DARKER in self.expansions:
            pack = _darker(chance)
        self.pack = pack
        self.lady_suit, self.lady_traits = chance.choice(pack)
        clues = [_clue(t, pack) for s, t in pack if t != self.lady_traits]
        chance.shuffle(clues)
        self.clue_pile = clues

    @property
    def has_poet(self) -> bool:
        return bool(self.expansions & {Expansion.ELUSIVE, Expansion.AGGRESSIVE})

    @property
    def pinned(self) -> bool:
        return Expansion.AGGRESSIVE in self.expansions and self.poet is self.pawn

    @property
    def lady_place(self) -> Location:
        place = self.deck[0].place
        assert place is not None
        return place

    def shows(self) -> Shown:
        card = self.deck[0]
        if card.kind == "fog":
            return Shown.FOG
        assert card.symbol is not None
        return Shown(card.symbol.value)

    def start(self) -> SessionStarted:
        return SessionStarted(
            self.expansions,
            self.settings,
            self.pawn,
            self.poet if self.has_poet else None,
            self.lady_suit,
            self.shows(),
            self.passes,
        )

    # What the deck does.

    def turn_over(self) -> Shown:
        """One update: the top card to the bottom, cards that are no steps dealt with."""
        self.deck.append(self.deck.pop(0))
        while self.deck[0].kind not in ("stealth", "fog"):
            special = self.deck.pop(0)
            if special.kind == "countdown":
                self.deck.append(special)
                self.passes -= 1
                self.over = self.over or self.passes == 0
            else:
                self.markers[special.kind][2] = "aside"
        for marker in self.markers.values():
            if marker[2] == "aside" and marker[1] is self.deck[0]:
                marker[2] = "free"
        return self.shows()

    def peek(self, updates: int) -> list[Shown]:
        """What the next tops will show; the table is left as it is."""
        rest = [card for card in [*self.deck[1:], self.deck[0]] if card.kind in ("stealth", "fog")]
        shown = [
            Shown.FOG if card.kind == "fog" or card.symbol is None else Shown(card.symbol.value)
            for card in (rest * 2)[:updates]
        ]
        left = self.until_escape()
        return shown[:left]

    def until_escape(self) -> int:
        """Updates until the countdown runs out."""
        ahead = 0
        for card in self.deck:
            if card.kind == "countdown":
                break
            ahead += card.kind in ("stealth", "fog")
        return ahead + 26 * (self.passes - 1)

    # What is legal.

    def allows(self, act: Act) -> bool:
        """Whether the rulebook allows an act now."""
        if isinstance(act, YouthConfronted) and Expansion.YOUTH in self.expansions:
            mine = self.step in ("player", "flight") or self.lady_shown
            return not self.youth_shown and mine and (self.lady_shown or not self.over)
        if self.over:
            return False
        if isinstance(act, LadyUpdated):
            ready = self.step == "lady" or (self.step == "player" and self.done)
            if not ready or self.place_poet:
                return False
            coming = self.peek(1)[0]
            return (
                act.shows is Shown.UNSEEN
                or (act.shows is Shown.FOG) is (coming is Shown.FOG)
                or (self.until_escape() == 1)
            )
        if isinstance(act, PoetMoved):
            return self.step == "poet" and act.to in self.poet_may()
        if isinstance(act, LadyFled):
            return self.step == "flight" and list(act.shows) == self.peek(
                len(self.held) + self.owed
            )
        if isinstance(act, WaypointPlaced | TracerPlaced):
            name = "waypoint" if isinstance(act, WaypointPlaced) else "tracer"
            free = name not in self.markers or self.markers[name][2] == "free"
            uses = self.markers.get(name, [0])[0]
            assert isinstance(uses, int)
            in_play = Expansion.MARKERS in self.expansions
            return in_play and self.step in ("player", "flight") and free and uses < 2
        if isinstance(act, ClueGained):
            is_new = all(act.clue.traits != held.traits for held in self.held)
            return self.owed > 0 and (is_new or Expansion.DARKER in self.expansions)
        if isinstance(act, PoetPlaced):
            same = self.board.colour(act.to) is self.board.colour(self.pawn)
            return self.place_poet and same and act.to is not self.pawn
        return self._allows_action(act)

    def _allows_action(self, act: Act) -> bool:
        if isinstance(act, YouthAsked | RendezvousSought | SearchMade):
            wanted = {YouthAsked: Expansion.YOUTH, RendezvousSought: Expansion.RENDEZVOUS}
            if not {wanted.get(type(act))} - {None} <= self.expansions:
                return False
            if self._lies_again(act):
                return True
        if self.step != "player" or self.done:
            return False
        if isinstance(act, PawnMoved):
            blocked = Expansion.AGGRESSIVE in self.expansions and act.to is self.poet
            return act.to in self.board.neighbours(self.pawn) and not blocked
        if self.pinned:
            return False
        if isinstance(act, YouthAsked | RendezvousSought):
            return act.location is self.pawn
        if isinstance(act, SearchMade):
            here = act.location is self.pawn
            return here and self.deck[0].kind == "stealth" and self.fog_pile > 0
        if isinstance(act, FogUsed):
            if Expansion.AGGRESSIVE in self.expansions and act.pawn_to is self.poet:
                return False
            if act.clues > CLUE_CARDS - len(self.held) - self.owed:
                return False
            leaves = act.fog_discarded + (not act.returned)
            return self.deck[0].kind == "fog" and leaves <= self.fog_pile
        if isinstance(act, LadyConfronted):
            due = Expansion.RENDEZVOUS in self.expansions
            return len(act.named) == 3 and due is (act.rendezvous is not None)
        return isinstance(act, Passed)

    def _lies_again(self, act: YouthAsked | RendezvousSought | SearchMade) -> bool:
        """The same stack laid a second time in the turn."""
        if isinstance(act, SearchMade):
            return self.searched == (act.location, act.hit)
        return self.read == (act.kind, act.location)

    def poet_may(self) -> set[Location]:
        symbol = self.deck[0].symbol if self.deck[0].kind == "stealth" else None
        if Expansion.ELUSIVE in self.expansions:
            found = elusive_move(self.board, self.poet, self.pawn, symbol)
        else:
            found = aggressive_move(self.board, self.poet, self.pawn, symbol, self.settings.tie)
        return {found.move, *found.alternatives}

    def _owe(self, cards: int) -> None:
        """Clue cards to be turned up, while there are any."""
        self.owed += min(cards, CLUE_CARDS - len(self.held) - self.owed)

    # What an act does.

    def do(self, act: Act) -> None:
        """Carry out a legal act."""
        getattr(self, "_" + type(act).__name__)(act)

    def _LadyUpdated(self, act: LadyUpdated) -> None:  # noqa: N802 - named after the event
        self.turn_over()
        self.done, self.read, self.searched = False, None, None
        self.step = "poet" if self.has_poet else "player"

    def _PoetMoved(self, act: PoetMoved) -> None:  # noqa: N802
        self.poet, self.step = act.to, "player"

    def _visit(self, place: Location) -> None:
        self.pawn = place
        if place not in self.seen_places:
            self.seen_places.add(place)
            self._owe(len(self.seen_places) == 11)

    def _PawnMoved(self, act: PawnMoved) -> None:  # noqa: N802
        self._visit(act.to)
        self.done = True
        self._meet()

    def _meet(self) -> None:
        if Expansion.ELUSIVE in self.expansions and self.poet is self.pawn:
            self.place_poet = True
            if self.fog_pile:
                self.fog_pile -= 1
                self._owe(1)

    def _PoetPlaced(self, act: PoetPlaced) -> None:  # noqa: N802
        self.poet, self.place_poet = act.to, False

    def _YouthAsked(self, act: YouthAsked) -> None:  # noqa: N802
        self.done, self.read = True, (act.kind, act.location)

    def _RendezvousSought(self, act: RendezvousSought) -> None:  # noqa: N802
        self.done, self.read = True, (act.kind, act.location)

    def _SearchMade(self, act: SearchMade) -> None:  # noqa: N802
        if self.searched is not None:
            return
        self.searched = (act.location, act.hit)
        self.deck[0].kind = "fog"
        self.fog_pile -= 1
        self._owe(act.hit)
        self.done = True
        if (act.hit or self.settings.advance_after_miss) and (self.held or self.owed):
            self.step = "flight"

    def _LadyFled(self, act: LadyFled) -> None:  # noqa: N802
        for _ in act.shows:
            self.turn_over()
        self.step = "player"

    def _FogUsed(self, act: FogUsed) -> None:  # noqa: N802
        self.fog_pile = max(0, self.fog_pile - act.fog_discarded - (not act.returned))
        self._owe(act.clues)
        if act.suit is not None:
            self.lady_suit = act.suit
        if act.pawn_to is not None:
            self._visit(act.pawn_to)
            self._meet()
        for _ in act.shows:
            self.turn_over()
        self.done = True

    def _Passed(self, act: Passed) -> None:  # noqa: N802
        self.done = True

    def _ClueGained(self, act: ClueGained) -> None:  # noqa: N802
        self.held.append(act.clue)
        self.owed -= 1

    def _mark(self, name: str, act: WaypointPlaced | TracerPlaced, at: int) -> None:
        uses = self.markers.get(name, [0])[0]
        assert isinstance(uses, int)
        self.markers[name] = [uses + 1, self.deck[0], "in deck"]
        self.deck.insert(at, Card(name))

    def _WaypointPlaced(self, act: WaypointPlaced) -> None:  # noqa: N802
        self._mark("waypoint", act, len(self.deck))

    def _TracerPlaced(self, act: TracerPlaced) -> None:  # noqa: N802
        at, counted = len(self.deck), 0
        while counted < act.warning:
            at -= 1
            counted += self.deck[at].kind in ("stealth", "fog")
        self._mark("tracer", act, at)

    def _YouthConfronted(self, act: YouthConfronted) -> None:  # noqa: N802
        self.youth_shown = True

    def _LadyConfronted(self, act: LadyConfronted) -> None:  # noqa: N802
        self.over = self.lady_shown = self.done = True
