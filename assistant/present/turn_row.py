"""The row of what can be done now: the step of the turn as a question, the legal acts as answers.

What the camera sees is not asked for: a stack read at the table enters by itself. Everything is
here as well, so that a game can be played without a camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.events import Act, RendezvousSought, SearchMade, YouthAsked
from assistant.core.game import Game, Phase
from assistant.core.legality import moves_open, poet_rule
from assistant.core.poet import placings
from assistant.core.score import Ending
from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.core.stealth import Shown
from assistant.core.suits import LadyCard, Trait, suits_in_play
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    BaseScored,
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
from assistant.present.choices import Ask, Offer, Wish, ask, even_ask, place_offers
from assistant.present.clue_asks import reread_offers, suit_ask, turned_up_ask
from assistant.present.ending_words import ENDING_WORDS
from assistant.present.fog_asks import fog_ask
from assistant.present.lady_asks import confront_lady_ask
from assistant.present.symbol_asks import (
    about_deck,
    feature_offers,
    shown_chain,
    shown_offers,
)
from assistant.present.turned_cards import TurnedCards
from assistant.present.words import counted


@dataclass(frozen=True, slots=True)
class Known:
    """What the questions may lean on besides the state.

    `ladies` are the base game's cards, for clue cards that lie face up. `cards` are those of a
    practice table, None at a real one. `is_filmed`: a camera reads what is laid.
    """

    ladies: Sequence[LadyCard] = ()
    cards: TurnedCards | None = None
    is_filmed: bool = True


def turn_row(state: State, known: Known) -> Ask:
    """Return what can be done now; never raises, whatever the log holds."""
    game = state.game
    if not game.tracked:
        return ask("Lay a card on a location key and flip both.", _untracked(),
                   "Or tell what you saw. Only the deductions are kept.")  # fmt: skip
    if game.phase is Phase.OVER:
        return _over(state, known)
    if game.poet_to_place and game.pawn is not None:
        offers = place_offers(placings(game.board, game.pawn), PoetPlaced)
        return ask("You caught the Poet! Where does his pawn go now?", offers,
                   "A place of the same colour; and take a clue for a fog card.")  # fmt: skip
    if game.phase is Phase.POET:
        return _poet(game)
    if game.phase is Phase.FLIGHT:
        return _flight(state, known)
    if game.phase is Phase.LADY or game.acted:
        return _update(state, known)
    return _player(state, known)


def _update(state: State, known: Known) -> Ask:
    game = state.game
    next_deck = game.deck.updated()
    top = None if known.cards is None else known.cards.top_after_update(game)
    likely = top or game.shown_at(next_deck.slot)
    offers = shown_offers(LadyUpdated, likely)
    if next_deck.is_fog:
        offers = offers[:1]
    elif likely is not Shown.FOG:
        offers = [offer for offer in offers if offer.picture != Shown.FOG.value]
    note = f"The practice deck shows {top.value}." if top is not None else ""
    if game.phase is Phase.LADY and game.turn == 0:
        note = note or "The top card goes to the bottom of the stealth deck. Tell what shows now."
    title = f"Turn {game.turn + 1}: the Lady moves on. What shows on the stealth deck?"
    asked = ask(title, [*offers, *_free(state, known)], note)
    # A practice table tells its top itself; whatever else lies there is no deck.
    return asked if top is not None else about_deck(asked)


def _poet(game: Game) -> Ask:
    rule = poet_rule(game)
    if rule is None:
        ways: tuple[Location, ...] = ()
        if game.poet is not None:
            ways = (game.poet, *game.board.neighbours(game.poet))
        return ask("Where did the Poet go?", place_offers(ways, PoetMoved),
                   "The stealth deck's symbol was not noted, so the rule cannot tell.")  # fmt: skip
    does = "The Poet stays" if rule.stays else f"The Poet goes to {rule.move.value}"
    offers = [Offer("Done", PoetMoved(rule.move), place=rule.move)]
    offers += [
        Offer(f"He went to {place.value}", PoetMoved(place), place=place)
        for place in rule.alternatives
    ]
    return ask(f"{does}.", offers, f"Why: {rule.why}.")


def _flight(state: State, known: Known) -> Ask:
    game = state.game
    many = min(game.clues_held, game.deck.updates_until_escape())
    slots = [game.deck.slot]
    deck = game.deck
    for _ in range(many):
        deck = deck.updated()
        slots.append(deck.slot)
    unseen = LadyFled(tuple(game.shown_at(slot) for slot in slots[1:]))
    tops = _unless_fog(unseen)
    offers = [Offer("Done, symbols not noted", tops, "n")]
    if many:
        first = shown_chain(
            lambda number: f"She flees: what shows now? ({number} of {many})",
            many,
            LadyFled,
            lambda number: game.shown_at(slots[number]),
        )
        offers.append(Offer("Done, tell what showed", first, "s"))
    return ask(
        f"She flees: move {counted(many, 'card')} to the bottom of the stealth deck.",
        [*offers, *_free(state, known)],
        "One for each clue you hold.",
    )


def _unless_fog(fled: LadyFled) -> LadyFled:
    """Return the flight with only fog told: the rest was not looked at this time."""
    return LadyFled(tuple(s if s is Shown.FOG else Shown.UNSEEN for s in fled.shows))


def _player(state: State, known: Known) -> Ask:
    game = state.game
    here = game.pawn
    if here is None:
        return _over(state, known)
    offers: list[Offer] = []
    moves = moves_open(game)
    if moves:
        question = ask("Move where?", place_offers(moves, PawnMoved), "Or click it on the map.")
        offers.append(Offer("Move", question, "m"))
    if _legal(state, YouthAsked(here, Feature.CHURCH)):
        offers.append(Offer("Ask a bystander", _icon_ask(here), "a"))
    if _legal(state, RendezvousSought(here, 1)):
        offers.append(Offer("Seek the rendezvous", _number_ask(here), "s"))
    if _legal(state, SearchMade(here, hit=False)):
        offers.append(Offer("Search for the Lady", _search_ask(here), "d"))
    fog = fog_ask(state, suits_in_play(state.started.expansions))
    if fog is not None:
        offers.append(Offer("Use the fog card", fog, "f"))
    if _legal(state, Passed()):
        offers.append(Offer("Pass", Passed(), "p"))
    note = "Lay a card on your key and flip both: it is read by itself. Or choose."
    if not known.is_filmed:
        note = "To ask, seek or search, flip the card with your key first; then tell what shows."
    title = f"Your turn in {here.value}."
    if game.is_pinned:
        title, note = f"The Poet is with you in {here.value}: move away.", ""
    return ask(title, [*offers, *_free(state, known)], note)


def _free(state: State, known: Known) -> list[Offer]:
    """Return what costs no act: clues due, markers, the Youth's confrontation, the Lady's."""
    game, offers = state.game, []
    here = game.pawn
    if game.clues_due:
        question = turned_up_ask(state, known.ladies, known.cards)
        offers.append(Offer("Turn up your clue", question, "k"))
    elif game.suit is None:
        question = suit_ask(state, "Which suit is on the back of the Dark Lady's card?")
        offers.append(Offer("Tell the Lady's suit", question, "u"))
    offers += reread_offers(state, known.ladies)
    if here is None:
        return offers
    if _legal(state, YouthConfronted(here)):
        offers.append(Offer("Confront the Youth", _youth_ask(here, known), "y"))
    three = frozenset(list(Trait)[:3])
    has_card = Expansion.RENDEZVOUS in state.started.expansions
    if _legal(state, LadyConfronted(three, False, three, Feature.CHURCH if has_card else None)):
        offers.append(Offer("Confront the Lady", confront_lady_ask(state, here, known.cards), "l"))
    places = (here, *(place for place in Location if place is not here))
    if _legal(state, WaypointPlaced(here)):
        question = ask("Where does the waypoint's token lie?",
                       place_offers(places, WaypointPlaced))  # fmt: skip
        offers.append(Offer("Waypoint !", question, "w"))
    if _legal(state, TracerPlaced(here, 3)):
        offers.append(Offer("Tracer »", _tracer_ask(places), "t"))
    return offers


def _youth_ask(here: Location, known: Known) -> Ask:
    note = f"You confront him in {here.value}; it can be done once."
    if known.cards is not None:
        turned = Offer("Turn his card over", YouthConfronted(known.cards.hideout))
        return ask("You confront the Fair Youth.", [turned], note)
    places = (here, *(place for place in Location if place is not here))
    return ask("Turn the Fair Youth card over. Which place is printed there?",
               place_offers(places, YouthConfronted), note)  # fmt: skip


def _tracer_ask(places: Sequence[Location]) -> Ask:
    def warned(warning: int) -> Ask:
        return ask("Where does the footprint token lie?",
                   place_offers(places, lambda place: TracerPlaced(place, warning)))  # fmt: skip

    return ask("How many moves of warning?",
               [Offer("3 moves", warned(3), "3"), Offer("5 moves", warned(5), "5")])  # fmt: skip


def _icon_ask(place: Location) -> Ask:
    return even_ask(f"{place.value}: which icon shows in the keyhole?",
               feature_offers(lambda feature: YouthAsked(place, feature)))  # fmt: skip


def _number_ask(place: Location) -> Ask:
    offers = [Offer(str(n), RendezvousSought(place, n), str(n)) for n in (1, 2, 3)]
    return even_ask(f"{place.value}: which number shows in the keyhole?", offers)


def _search_ask(place: Location) -> Ask:
    return even_ask(f"{place.value}: does the Lady show in the keyhole?", [
        Offer("No, blank paper", SearchMade(place, hit=False), "n"),
        Offer("Yes, her silhouette", SearchMade(place, hit=True), "y"),
    ])  # fmt: skip


def _untracked() -> list[Offer]:
    return [
        Offer("Ask a bystander", ask("Asked where?", place_offers(tuple(Location), _icon_ask)),
              "a"),
        Offer("Seek the rendezvous",
              ask("Sought where?", place_offers(tuple(Location), _number_ask)), "s"),
        Offer("Search for the Lady",
              ask("Searched where?", place_offers(tuple(Location), _search_ask)), "d"),
    ]  # fmt: skip


def _over(state: State, known: Known) -> Ask:
    offers = []
    won = state.sheet.ending is Ending.WON
    if won and state.game.base_points is None:
        points = Ask("How many points does the base game give?", number=BaseScored,
                     note="Type the number, then Enter.")  # fmt: skip
        offers.append(Offer("Enter the base game's points", points, "b"))
    here = state.game.pawn
    if here is not None and _legal(state, YouthConfronted(here)):
        offers.append(Offer("Confront the Youth here too", _youth_ask(here, known), "y"))
    again = Offer("A new game", Wish.SET_UP, "n")
    total = "" if state.sheet.total is None else f"{counted(state.sheet.total, 'point')} in all."
    return ask(ENDING_WORDS[state.sheet.ending], [*offers, again] if won else [again, *offers],
               total)  # fmt: skip


def _legal(state: State, act: Act) -> bool:
    return state.refusal(act) is None
