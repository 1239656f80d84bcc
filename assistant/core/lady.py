"""Where the Dark Lady is: one chain of places through the 26 slots of the stealth deck.

From slot to slot she moves along a road or, with the sequences that allow it, stays; after the
last slot comes the first again, so the chain is a closed loop. What was seen of a slot narrows its
place: the symbol on its stealth card is at the place, a search there hit or missed. A place of a
slot is possible when some closed chain of possible places goes through it, in both directions.

Weights: from each place she takes any of its roads with equal chance, or stays with a quarter of
the chance of a road, given that the chain closes; a card's symbol is any of its place's features
with equal chance. The printed sequences are not used. (Counting every closed chain alike instead
gives far too sure weights: chains crowd into the middle of the map.)

The sums go round the loop once for each possible place of its narrowest slot (transfer matrices;
forward and backward vectors as in Rabiner's tutorial on hidden Markov models, closed to a ring).
Places are small numbers here and sets of them the bits of an int, for speed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from assistant.core.board import Board
from assistant.core.stealth import SLOTS, Slot
from assistant.core.terms import Feature, Location

#: How likely she stays, as a share of one road's chance, where staying is allowed at all.
STAYING = 0.25

_PLACES = tuple(Location)
_ALL = (1 << len(_PLACES)) - 1


@dataclass(frozen=True, slots=True)
class SymbolSeen:
    """The stealth card of a slot showed a symbol; `by` is the event."""

    slot: Slot
    symbol: Feature
    by: int = 0


@dataclass(frozen=True, slots=True)
class Searched:
    """The stealth card of a slot was searched with at a place; `by` is the event."""

    slot: Slot
    location: Location
    hit: bool
    by: int = 0


Evidence = SymbolSeen | Searched


@dataclass(frozen=True, eq=False)
class Chase:
    """What the evidence says of the Dark Lady's way."""

    board: Board
    may_stay: bool
    #: The evidence that stands.
    evidence: tuple[Evidence, ...]
    #: Entries that contradict each other on one slot's symbol; none of them is used.
    disputes: tuple[tuple[SymbolSeen, ...], ...]

    def at(self, slot: Slot) -> dict[Location, float]:
        """Return how likely she is at each possible place of a slot; sums to 1.

        In printed order; empty exactly when the evidence contradicts itself.
        """
        return self._shares[slot]

    @cached_property
    def _shares(self) -> tuple[dict[Location, float], ...]:
        return _marginals(_Loop.of(self.board, self.may_stay), self.evidence)

    @cached_property
    def conflict(self) -> tuple[Evidence, ...]:
        """A set of entries to look at again, none of which can be left out of the contradiction.

        Empty when there is a way. Not always the smallest such set: entries are dropped in turn,
        the oldest first, as long as the rest still contradict each other.
        """
        if self._shares[0]:
            return ()
        loop = _Loop.of(self.board, self.may_stay)
        blamed = list(self.evidence)
        for entry in self.evidence:
            rest = [other for other in blamed if other is not entry]
            if not _has_way(loop, rest):
                blamed = rest
        return tuple(blamed)


def chase(board: Board, may_stay: bool, evidence: Iterable[Evidence]) -> Chase:
    """Return what the evidence says; a slot with two different symbols is a dispute."""
    return _chase(board, may_stay, tuple(evidence))


@lru_cache(maxsize=64)
def _chase(board: Board, may_stay: bool, evidence: tuple[Evidence, ...]) -> Chase:
    symbols: dict[Slot, list[SymbolSeen]] = {}
    for entry in evidence:
        if isinstance(entry, SymbolSeen):
            symbols.setdefault(entry.slot, []).append(entry)
    disputes = tuple(
        tuple(seen) for seen in symbols.values() if len({entry.symbol for entry in seen}) > 1
    )
    disputed = {entry for seen in disputes for entry in seen}
    stands = tuple(entry for entry in evidence if entry not in disputed)
    return Chase(board, may_stay, stands, disputes)


@dataclass(frozen=True)
class _Loop:
    """The map in numbers: for each place the places one step of the Lady away."""

    #: The places one step away with the chance of that step.
    steps: tuple[tuple[tuple[int, float], ...], ...]
    #: The same places as bits.
    reach: tuple[int, ...]
    with_symbol: Mapping[Feature, int]
    #: The chance of one certain symbol on a card of each place.
    symbol_chance: tuple[float, ...]

    @staticmethod
    @lru_cache(maxsize=8)
    def of(board: Board, may_stay: bool) -> _Loop:
        steps = []
        for number, place in enumerate(_PLACES):
            roads = board.neighbours(place)
            ways = len(roads) + STAYING * may_stay
            there = [(_PLACES.index(neighbour), 1 / ways) for neighbour in roads]
            steps.append((*there, *([(number, STAYING / ways)] if may_stay else [])))
        return _Loop(
            steps=tuple(steps),
            reach=tuple(sum(1 << there for there, _ in each) for each in steps),
            with_symbol={
                symbol: sum(1 << _PLACES.index(place) for place in board.with_feature(symbol))
                for symbol in Feature
            },
            symbol_chance=tuple(1 / len(board.features(place)) for place in _PLACES),
        )


def _allowed(loop: _Loop, evidence: Iterable[Evidence]) -> list[int]:
    """Return for each slot the places that its own evidence allows, as bits."""
    masks = [_ALL] * SLOTS
    for entry in evidence:
        if isinstance(entry, SymbolSeen):
            masks[entry.slot] &= loop.with_symbol[entry.symbol]
        else:
            bit = 1 << _PLACES.index(entry.location)
            masks[entry.slot] &= bit if entry.hit else ~bit
    return masks


def _has_way(loop: _Loop, evidence: Iterable[Evidence]) -> bool:
    """Whether some closed chain fits; sets of places only, no weights."""
    masks = _allowed(loop, evidence)
    start = min(range(SLOTS), key=lambda slot: masks[slot].bit_count())
    order = [masks[(start + turn) % SLOTS] for turn in range(1, SLOTS + 1)]
    for first in _bits(masks[start]):
        here = 1 << first
        for mask in order:
            there = 0
            for place in _bits(here):
                there |= loop.reach[place]
            here = there & mask
        if here >> first & 1:
            return True
    return False


def _bits(mask: int) -> list[int]:
    return [place for place in range(len(_PLACES)) if mask >> place & 1]


def _marginals(loop: _Loop, evidence: Sequence[Evidence]) -> tuple[dict[Location, float], ...]:
    masks = _allowed(loop, evidence)
    seen = {entry.slot for entry in evidence if isinstance(entry, SymbolSeen)}
    start = min(range(SLOTS), key=lambda slot: masks[slot].bit_count())
    order = [(start + turn) % SLOTS for turn in range(SLOTS)]
    chances = [
        {place: loop.symbol_chance[place] if slot in seen else 1.0 for place in _bits(masks[slot])}
        for slot in order
    ]
    sums: list[dict[int, float]] = [dict.fromkeys(chance, 0.0) for chance in chances]
    for first, chance in chances[0].items():
        _add_chains(loop, first, chance, chances, sums)
    total = sum(sums[0].values())
    shares: list[dict[Location, float]] = [{} for _ in range(SLOTS)]
    if total > 0:
        for slot, counted in zip(order, sums, strict=True):
            shares[slot] = {
                _PLACES[place]: weight / total for place, weight in counted.items() if weight > 0
            }
    return tuple(shares)


def _add_chains(
    loop: _Loop,
    first: int,
    chance: float,
    chances: Sequence[Mapping[int, float]],
    sums: Sequence[dict[int, float]],
) -> None:
    """Add the weight of every closed chain that begins at one place of the first slot."""
    forward: list[dict[int, float]] = [{first: chance}]
    for here in chances[1:]:
        forward.append(_onward(loop, forward[-1], here))
    closing: dict[int, float] = {first: 1.0}
    for turn in range(SLOTS - 1, -1, -1):
        counted, before = sums[turn], forward[turn]
        closing = _back(loop, closing, before)
        for place, weight in closing.items():
            counted[place] += before[place] * weight
            closing[place] = weight * (chances[turn][place] if turn else 1.0)


def _onward(
    loop: _Loop, weights: Mapping[int, float], onto: Mapping[int, float]
) -> dict[int, float]:
    """Return the weights one step further, each place's times its own chance."""
    there: dict[int, float] = {}
    for place, weight in weights.items():
        for step, chance in loop.steps[place]:
            if step in onto:
                there[step] = there.get(step, 0.0) + weight * chance
    return {place: weight * onto[place] for place, weight in there.items()}


def _back(loop: _Loop, weights: Mapping[int, float], onto: Iterable[int]) -> dict[int, float]:
    """Return the weight of everything that follows each of the places one step before."""
    return {
        place: sum(chance * weights[step] for step, chance in loop.steps[place] if step in weights)
        for place in onto
    }
