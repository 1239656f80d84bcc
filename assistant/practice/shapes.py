"""Our own icons, ornament and Lady, as outlines in a square from -1 to 1.

They are drawn for this deck and copy no printed game. Each is one solid silhouette that differs
from the others in its mass, not its details, because a keyhole shows it at 15 px.
"""

from __future__ import annotations

from assistant.core.terms import Feature
from assistant.practice.marks import PAPER, Fill, Points, arc, box, brushed, circle, smooth

Shape = tuple[Fill, ...]


def _church() -> Shape:
    steeple: Points = ((-0.81, 0.95), (-0.81, -0.1), (-0.49, -0.62), (-0.17, -0.1), (-0.17, 0.95))
    nave: Points = ((-0.21, 0.95), (-0.21, 0.22), (0.01, 0.0), (0.61, 0.0), (0.81, 0.22))
    nave = (*nave, (0.81, 0.95))
    door: Points = ((-0.65, 0.95), (-0.65, 0.55), *arc(-0.49, 0.55, 0.16, 180, 360), (-0.33, 0.95))
    windows = [
        (*arc(x, 0.5, 0.1, 180, 360), (x + 0.1, 0.78), (x - 0.1, 0.78)) for x in (0.13, 0.51)
    ]
    return (
        Fill(steeple),
        Fill(nave),
        Fill(box(-0.55, -1.0, -0.43, -0.55)),
        Fill(box(-0.71, -0.88, -0.27, -0.76)),
        Fill(door, PAPER),
        *(Fill(window, PAPER) for window in windows),
    )


def _commercial() -> Shape:
    sack = smooth(
        [
            (-0.3, -0.42),
            (-0.78, 0.1),
            (-0.9, 0.6),
            (-0.6, 0.95),
            (0.0, 0.98),
            (0.6, 0.95),
            (0.9, 0.6),
            (0.78, 0.1),
            (0.3, -0.42),
        ]
    )
    mouth: Points = ((-0.22, -0.5), (-0.62, -0.92), (-0.2, -0.82), (0.05, -1.0))
    mouth = (*mouth, (0.28, -0.82), (0.62, -0.9), (0.22, -0.5))
    return (
        Fill(sack),
        Fill(mouth),
        Fill(box(-0.42, -0.56, 0.42, -0.38)),
        Fill(circle(0.0, 0.36, 0.34), PAPER),
        Fill(circle(0.0, 0.36, 0.19)),
    )


def _playhouse() -> Shape:
    cap: Points = ((-0.55, 0.62), (-0.62, 0.2), (-0.66, -0.1), (-0.95, 0.02), (-0.98, -0.32))
    cap = (*cap, (-0.66, -0.55), (-0.28, -0.42), (0.0, -0.98), (0.28, -0.42), (0.66, -0.55))
    cap = (*cap, (0.98, -0.32), (0.95, 0.02), (0.66, -0.1), (0.62, 0.2), (0.55, 0.62))
    bells = ((-0.88, 0.12), (0.88, 0.12), (0.0, -0.84))
    return (
        Fill(cap),
        *(Fill(circle(x, y, 0.16)) for x, y in bells),
        Fill(box(-0.66, 0.6, 0.66, 0.96)),
        Fill(box(-0.66, 0.54, 0.66, 0.62), PAPER),
        Fill(((-0.1, 0.42), (0.0, -0.4), (0.1, 0.42)), PAPER),
    )


def _riverside() -> Shape:
    flukes: Points = (*arc(0.0, 0.1, 0.88, 12, 168), *reversed(arc(0.0, -0.04, 0.68, 20, 160)))
    return (
        Fill(circle(0.0, -0.74, 0.26)),
        Fill(circle(0.0, -0.74, 0.11), PAPER),
        Fill(box(-0.13, -0.56, 0.13, 0.9)),
        Fill(box(-0.5, -0.42, 0.5, -0.2)),
        Fill(flukes),
        Fill(((0.98, 0.02), (0.56, 0.14), (0.96, 0.5))),
        Fill(((-0.98, 0.02), (-0.56, 0.14), (-0.96, 0.5))),
    )


def _rural() -> Shape:
    leaf = smooth(
        [
            (0.92, -0.95),
            (0.4, -0.9),
            (-0.2, -0.66),
            (-0.62, -0.2),
            (-0.66, 0.34),
            (-0.5, 0.6),
            (-0.2, 0.64),
            (0.3, 0.5),
            (0.7, 0.05),
            (0.86, -0.5),
        ]
    )
    return (
        Fill(leaf),
        Fill(brushed([(-0.95, 0.98), (-0.62, 0.68), (-0.3, 0.3)], [0.2, 0.18, 0.14])),
        Fill(brushed([(-0.34, 0.34), (0.1, -0.12), (0.5, -0.55)], [0.13, 0.11, 0.05]), PAPER),
        Fill(brushed([(-0.1, 0.1), (-0.12, -0.16), (-0.2, -0.4)], [0.09, 0.08, 0.04]), PAPER),
        Fill(brushed([(0.0, 0.0), (0.26, 0.0), (0.48, -0.08)], [0.09, 0.08, 0.04]), PAPER),
    )


def _residence() -> Shape:
    roof: Points = ((0.0, -0.96), (1.0, -0.22), (1.0, 0.02), (-1.0, 0.02), (-1.0, -0.22))
    return (
        Fill(roof),
        Fill(box(0.44, -0.92, 0.72, -0.3)),
        Fill(box(-0.88, 0.0, 0.88, 0.5)),
        Fill(box(-0.7, 0.48, 0.7, 0.96)),
        Fill(box(-0.62, 0.12, -0.16, 0.38), PAPER),
        Fill(box(0.16, 0.12, 0.62, 0.38), PAPER),
        Fill(box(-0.2, 0.62, 0.2, 0.96), PAPER),
    )


def _tavern() -> Shape:
    bowl: Points = ((-0.72, -0.94), (-0.7, -0.4), (-0.5, -0.02), (-0.14, 0.2))
    bowl = (*bowl, (0.14, 0.2), (0.5, -0.02), (0.7, -0.4), (0.72, -0.94))
    foot: Points = ((-0.14, 0.5), (0.14, 0.5), (0.62, 0.8), (0.62, 0.96), (-0.62, 0.96))
    foot = (*foot, (-0.62, 0.8))
    return (
        Fill(bowl),
        Fill(box(-0.12, 0.15, 0.12, 0.7)),
        Fill(circle(0.0, 0.36, 0.24, 0.14)),
        Fill(foot),
        Fill(box(-0.56, -0.84, 0.56, -0.66), PAPER),
    )


#: The seven icons, each filling the square -1 to 1 in its longer side.
ICONS: dict[Feature, Shape] = {
    Feature.CHURCH: _church(),
    Feature.COMMERCIAL: _commercial(),
    Feature.PLAYHOUSE: _playhouse(),
    Feature.RIVERSIDE: _riverside(),
    Feature.RURAL: _rural(),
    Feature.RESIDENCE: _residence(),
    Feature.TAVERN: _tavern(),
}


def _lady() -> Shape:
    head = smooth(
        [
            (-0.1, -0.98),
            (0.26, -0.9),
            (0.46, -0.66),
            (0.5, -0.5),
            (0.52, -0.4),
            (0.64, -0.2),
            (0.54, -0.14),
            (0.6, -0.04),
            (0.54, 0.02),
            (0.54, 0.16),
            (0.36, 0.24),
            (0.1, 0.2),
            (-0.2, 0.26),
            (-0.5, 0.1),
            (-0.7, -0.24),
            (-0.64, -0.66),
            (-0.4, -0.9),
        ]
    )
    neck: Points = ((-0.28, 0.1), (0.2, 0.1), (0.16, 0.42), (0.22, 0.66), (-0.4, 0.66))
    neck = (*neck, (-0.3, 0.42))
    dress = smooth(
        [
            (-0.3, 0.54),
            (0.14, 0.54),
            (0.5, 0.66),
            (0.8, 0.96),
            (0.6, 0.98),
            (-0.6, 0.98),
            (-0.8, 0.96),
            (-0.66, 0.72),
        ]
    )
    return (Fill(head), Fill(neck), Fill(dress))


#: The Lady's silhouette; 0.8 as wide as she is high.
LADY: Shape = _lady()


def _ornament() -> Shape:
    stem = brushed(
        [
            (-0.96, -0.02),
            (-0.84, -0.3),
            (-0.55, -0.34),
            (-0.3, -0.05),
            (0.0, 0.22),
            (0.4, 0.28),
            (0.75, 0.1),
            (0.96, -0.26),
        ],
        [0.2, 0.13, 0.14, 0.2, 0.28, 0.26, 0.18, 0.06],
    )
    leaf = smooth(
        [(-0.2, 0.08), (-0.1, -0.3), (0.3, -0.44), (0.62, -0.36), (0.4, -0.05), (0.1, 0.2)]
    )
    return (
        Fill(stem),
        Fill(leaf),
        Fill(circle(-0.84, 0.02, 0.16)),
        Fill(brushed([(0.02, 0.04), (0.2, -0.14), (0.42, -0.3)], [0.07, 0.06, 0.02]), PAPER),
    )


#: The ornament of every key's back, about 2.4 times as wide as high: one solid sprig whose mass
#: lies off its middle both ways, so that it tells which way is up.
ORNAMENT: Shape = _ornament()
