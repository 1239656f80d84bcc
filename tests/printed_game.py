"""Where the pictures of the printed game are, on a machine that has them.

They are the publisher's art and never enter the repository; tests that need them are skipped where
there are none. BYSTANDER_PRINTED_GAME names their folder; by default it is shared/table beside the
repository. In it lie the stills easy/, normal/, hard/ and the film, each with its truth, the shots
of calibration/, and under life/ the same again.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "table"

PRINTED_GAME = Path(os.environ.get("BYSTANDER_PRINTED_GAME") or _BESIDE)

needs_printed_game = pytest.mark.skipif(
    not PRINTED_GAME.is_dir(),
    reason="no pictures of the printed game here (BYSTANDER_PRINTED_GAME)",
)
