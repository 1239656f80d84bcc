"""The score of readings whose truth is known: right, wrong, unread, and what goes with them.

A *right* reading names the key and what shows in its hole; any other reading is *wrong*, and so is
every reading of a negative (a picture that must give none). No reading of a stack is *unread*. One
reading of a negative is harmless: of cards too far out of line, what the lower one truly has there.
The tables of one score, each row an object of `rows`:

    kinds       {"kind", "frames", "right", "wrong", "unread"}: a row for icon, number, lady, blank,
                for negatives (right: no reading), and for all stacks
    confusion   {"shown", "read_as": {word: times}}: what stands for what, "-" for no reading
    confidence  {"from", "to", "readings", "right"}: readings in the bin, and how many are right
    misses      {"kind", "reason", "frames", "key_found", "other_key"}: why stacks were unread
    negatives   {"negative", "frames", "readings", "reasons": {reason: times}}
    wrong       {"name", "shown", "read"}: every wrong reading, by its picture's name
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.core.terms import Content, ContentKind, Feature, Location
from assistant.vision.sighting import Sighting

#: Bounds of the bins of confidence; nothing is read below the first.
BINS = (0.8, 0.85, 0.9, 0.95, 1.0)

NEGATIVE, UNREAD = "negative", "-"
WRONG, TRUE = "a wrong reading", "a true reading"

#: Words of all contents, in the order of the confusion table.
WORDS = (*(feature.value for feature in Feature), "1", "2", "3", "lady", "blank")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a picture shows: a stack, or (content None) a negative of some kind.

    `below`: what a negative's lower card has at the key, if there is one.
    """

    location: Location | None
    content: Content | None
    negative: str = "other"
    below: Content | None = None

    @property
    def kind(self) -> str:
        """The word of its row."""
        return NEGATIVE if self.content is None else self.content.kind.value


@dataclass(slots=True)
class Score:
    """Counts readings; `add` one after the other, then ask for `rows`."""

    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    confusion: dict[str, Counter[str]] = field(default_factory=dict)
    bins: list[Counter[str]] = field(default_factory=lambda: [Counter() for _ in BINS[1:]])
    misses: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    negatives: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[dict[str, str]] = field(default_factory=list)

    def add(self, name: str, shown: Shown, sighting: Sighting) -> bool:
        """Count what was read of a picture; return whether it is wrong."""
        is_right = _is_right(shown, sighting)
        is_wrong = sighting.content is not None and not is_right
        outcome = "right" if is_right else "wrong" if is_wrong else "unread"
        self.kinds.setdefault(shown.kind, Counter())[outcome] += 1
        word = NEGATIVE if shown.content is None else word_of(shown.content)
        self.confusion.setdefault(word, Counter())[_read_word(sighting)] += 1
        if sighting.confidence is not None:
            self._count_confidence(sighting.confidence, is_right)
        reason = sighting.reason.value if sighting.reason else WRONG if is_wrong else TRUE
        if shown.content is None:
            self.negatives.setdefault(shown.negative, Counter())[reason] += 1
        elif outcome == "unread":
            miss = self.misses.setdefault((shown.kind, reason), Counter())
            miss["frames"] += 1
            miss["key_found"] += sighting.location is shown.location
            miss["other_key"] += sighting.location not in (shown.location, None)
        if is_wrong:
            self.wrong.append({"name": name, "shown": _told(shown), "read": _claim(sighting)})
        return is_wrong

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the name of a table and one of its rows, table by table."""
        for kind in (*(kind.value for kind in ContentKind), NEGATIVE):
            if kind in self.kinds:
                yield "kinds", {"kind": kind, **_counted(self.kinds[kind])}
        stacks = sum((c for kind, c in self.kinds.items() if kind != NEGATIVE), Counter())
        if stacks:
            yield "kinds", {"kind": "all stacks", **_counted(stacks)}
        for word in (*WORDS, NEGATIVE):
            if word in self.confusion:
                yield "confusion", {"shown": word, "read_as": dict(self.confusion[word])}
        for low, high, count in zip(BINS, BINS[1:], self.bins, strict=False):
            told = {"readings": count["readings"], "right": count["right"]}
            yield "confidence", {"from": low, "to": high, **told}
        for (kind, reason), miss in sorted(self.misses.items()):
            yield "misses", {"kind": kind, "reason": reason, **miss}
        for negative, reasons in sorted(self.negatives.items()):
            readings = reasons[WRONG] + reasons[TRUE]
            counts = {"frames": reasons.total(), "readings": readings}
            yield "negatives", {"negative": negative, **counts, "reasons": dict(reasons)}
        for wrong in self.wrong:
            yield "wrong", wrong

    def _count_confidence(self, confidence: float, is_right: bool) -> None:
        bin_of = sum(confidence >= bound for bound in BINS[1:-1])
        self.bins[bin_of]["readings"] += 1
        self.bins[bin_of]["right"] += is_right


def word_of(content: Content) -> str:
    """Return the word of a content: a feature, a number, lady, or blank."""
    return content.value or content.kind.value


def _is_right(shown: Shown, sighting: Sighting) -> bool:
    if shown.content is None:
        claim = sighting.location, sighting.content
        return sighting.content is None or claim == (shown.location, shown.below)
    return (sighting.location, sighting.content) == (shown.location, shown.content)


def _counted(outcomes: Counter[str]) -> dict[str, int]:
    told = {outcome: outcomes[outcome] for outcome in ("right", "wrong", "unread")}
    return {"frames": outcomes.total(), **told}


def _read_word(sighting: Sighting) -> str:
    return UNREAD if sighting.content is None else word_of(sighting.content)


def _told(shown: Shown) -> str:
    if shown.content is None:
        return shown.negative
    place = "?" if shown.location is None else shown.location.value
    return f"{place} = {word_of(shown.content)}"


def _claim(sighting: Sighting) -> str:
    place = "?" if sighting.location is None else sighting.location.value
    return f"{place} = {_read_word(sighting)} ({sighting.confidence})"


def lines_of(rows: Iterator[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    """Yield the tables as lines for a terminal."""
    before = ""
    for table, row in rows:
        if table != before:
            yield _HEADS[table]
            before = table
        yield _line(table, row)


_HEADS = {
    "kinds": "  what          frames   right   wrong  unread",
    "confusion": "  read as       " + "".join(f"{word[:5]:>6}" for word in (*WORDS, UNREAD)),
    "confidence": "  confidence    readings   right",
    "misses": "  unread because         frames   key found   other key named",
    "negatives": "  nothing to read  frames   readings   why not",
    "wrong": "  WRONG READINGS",
}


def _line(table: str, row: Mapping[str, Any]) -> str:
    if table == "kinds":
        share = 100 * row["right"] / max(row["frames"], 1)
        counts = "".join(f"{row[key]:>8}" for key in ("frames", "right", "wrong", "unread"))
        return f"    {row['kind']:<10}{counts}   {share:6.2f} % right"
    if table == "confusion":
        counts = "".join(f"{row['read_as'].get(w, ''):>6}" for w in (*WORDS, UNREAD))
        return f"    {row['shown']:<12}{counts}"
    if table == "confidence":
        return f"    {row['from']:.2f}-{row['to']:.2f}  {row['readings']:>9}{row['right']:>9}"
    if table == "misses":
        counts = f"{row['frames']:>7}{row['key_found']:>12}{row['other_key']:>18}"
        return f"    {row['kind']:<8}{row['reason']:<14}{counts}"
    if table == "negatives":
        why = ", ".join(f"{reason} {n}" for reason, n in sorted(row["reasons"].items()))
        return f"    {row['negative']:<14}{row['frames']:>7}{row['readings']:>11}   {why}"
    return f"    {row['name']}: {row['shown']}, read as {row['read']}"
