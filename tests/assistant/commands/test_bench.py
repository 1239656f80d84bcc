"""`bystander bench`: reader, ORB and SIFT side by side on the same frames."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from assistant import cli

ROWS = ["cold still", "live search", "nothing moved", "ORB 1500", "SIFT"]


def test_own_pictures_are_measured_beside_orb_and_sift_in_one_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], blank_profile: Path
) -> None:
    for name in ("a", "b", "c"):
        Image.effect_noise((320, 180), 40).convert("RGB").save(tmp_path / f"{name}.png")
    words = ["--pictures", str(tmp_path), "--profile", str(blank_profile), "--json"]
    code = cli.main(["bench", *words, "--sizes", "320x180,160x90", "--frames", "2"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 0
    assert {row["size"] for row in rows} == {"320x180", "160x90"}
    assert [row["what"] for row in rows if row["size"] == "320x180"] == ROWS
    for row in rows:
        assert 0 <= row["median_ms"] <= row["worst_ms"]
        if row["what"] == "ORB 1500":
            assert row["u"] == 1.0
            assert row["frames"] == 4  # before and after each of the two
