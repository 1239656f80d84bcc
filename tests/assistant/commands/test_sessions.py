"""bystander sessions: the contract of each verb, on logs of every kind."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.adapters.log_file import LogFile
from assistant.adapters.session_lock import SessionLock
from assistant.adapters.whole_file import MOST_BYTES
from assistant.cli import main
from assistant.commands.sessions_log import open_log
from assistant.commands.sessions_reread import compared
from assistant.commands.sessions_show import show
from assistant.core.events import Event, SearchMade, Seen, YouthAsked
from assistant.core.terms import Feature, Location
from assistant.journal import LogOpened, decode, encode
from tests.assistant.journal.whole_game import whole_game

GAME = whole_game(13, 24)
TIME = "2026-11-28T20:15:02+01:00"


def lines(events: list[Event]) -> list[bytes]:
    return [encode(n, TIME, event).encode() for n, event in enumerate(events, start=1)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    sessions = tmp_path / "home" / "sessions"
    sessions.mkdir(parents=True)
    return sessions


@pytest.fixture
def evening(folder: Path) -> Path:
    path = folder / "2026-11-28_20-15-02.jsonl"
    path.write_bytes(b"".join(lines(GAME)))
    return path


Said = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a verb with --json; return the exit code and its rows."""

    def run(*words: str) -> tuple[int, list[dict[str, Any]]]:
        capsys.readouterr()
        code = main(["sessions", *words, "--json"])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_no_sessions_are_no_rows_and_no_error(folder: Path, said: Said) -> None:
    assert said("list") == (0, [])
    folder.rmdir()
    assert said("list") == (0, [])
    assert said("check") == (0, [])
    assert said("stats")[1][0]["sessions"] == 0


def test_the_list_has_the_newest_first_with_how_each_ended(
    folder: Path, evening: Path, said: Said
) -> None:
    (folder / "2026-11-29_19-00-00.jsonl").write_bytes(b"".join(lines(GAME[:9])))
    (folder / "notes.txt").write_text("mine")
    code, rows = said("list")
    assert code == 0
    assert [row["session"] for row in rows] == ["2026-11-29_19-00-00", "2026-11-28_20-15-02"]
    assert rows[1] == {
        "session": "2026-11-28_20-15-02", "path": str(evening), "began": TIME, "entries": 111,
        "turns": 32, "expansions": ["elusive", "markers", "rendezvous", "youth"], "ending": "won",
        "total": 66, "program": None, "bytes": evening.stat().st_size, "sound": True,
        "busy": False,
    }  # fmt: skip
    assert rows[0]["ending"] == "open"


def test_a_game_is_told_with_a_row_for_each_entry(evening: Path, said: Said) -> None:
    code, rows = said("show", "2026-11")
    assert code == 0
    assert [row["seq"] for row in rows] == list(range(1, len(GAME) + 1))
    assert [row["kind"] for row in rows] == [event.kind for event in GAME]
    assert set(rows[0]) == {
        "seq", "time", "turn", "kind", "text", "result", "seen", "stands", "left"
    }  # fmt: skip
    assert rows[6]["seen"] == {"confidence": 0.98, "frames": 4}


def test_a_game_is_told_to_a_person_turn_by_turn(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sessions", "show", "last"]) == 0
    out = capsys.readouterr().out
    assert out.count("\nTurn ") == 32
    assert "[no longer counts]" in out
    assert out.endswith("66 points.\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", "2027"], 2),
        (["show", "no/such.jsonl"], 3),
        (["show"], 2),
        (["export", "2026", "x.pdf"], 2),
        (["export", "2026", "no/such/folder/x.csv"], 3),
        (["delete", "2026-11"], 2),
        (["delete", "last"], 2),
        (["reread", "2026-11"], 3),
        (["dance"], 2),
        ([], 2),
    ],
)
def test_what_cannot_be_done_is_one_line_and_a_code(
    evening: Path, words: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main(["sessions", *words])
    except SystemExit as stop:
        found = int(stop.code or 0)
    assert found == code
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert evening.exists()


@pytest.mark.parametrize(("name", "code"), [("nope", 2), ("last", 3)])
def test_a_name_that_fits_nothing_is_wrong_usage_before_the_first_session_too(
    folder: Path, name: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sessions", "show", name]) == code
    assert "bystander play or bystander demo makes one" in capsys.readouterr().err


def test_a_beginning_that_fits_two_names_the_choices(
    folder: Path, evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "2026-11-29_19-00-00.jsonl").write_bytes(b"".join(lines(GAME[:9])))
    assert main(["sessions", "show", "2026-11-2"]) == 2
    err = capsys.readouterr().err
    assert "2026-11-28_20-15-02" in err
    assert "2026-11-29_19-00-00" in err


def test_a_whole_name_is_meant_where_another_begins_with_it(
    folder: Path, evening: Path, said: Said
) -> None:
    (folder / f"{evening.stem}_2.jsonl").write_bytes(b"".join(lines(GAME[:9])))
    assert len(said("show", evening.stem)[1]) == 111


def test_the_table_has_a_row_for_each_entry(evening: Path, said: Said) -> None:
    code, [row] = said("export", "last", "game.csv")
    assert code == 0
    data = Path("game.csv").read_bytes()
    assert row == {
        "session": evening.stem, "format": "csv", "file": "game.csv", "bytes": len(data)
    }  # fmt: skip
    table = list(csv.DictReader(io.StringIO(data.decode())))
    assert len(table) == 111
    asked = [row for row in table if row["kind"] == "youth-asked" and row["confidence"]]
    played = [e for e in GAME if isinstance(e, YouthAsked) and e.seen is not None]
    assert [(row["location"], row["value"]) for row in asked] == [
        (event.location.value, event.feature.value) for event in played
    ]
    assert table[-1]["youth_left"] == "2"


def test_the_document_holds_the_events_themselves(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sessions", "export", "last", "-", "--to", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [entry["event"]["kind"] for entry in document["entries"]] == [e.kind for e in GAME]
    assert document["result"]["total"] == 66
    assert document["settings"]["steps"] == "walk"


def test_the_page_is_written_where_nothing_else_is_said(evening: Path, said: Said) -> None:
    code, [row] = said("export", "last")
    assert code == 0
    assert row["file"] == f"{evening.stem}.html"
    assert Path(row["file"]).read_text().startswith("<!DOCTYPE html>")


def test_an_export_never_takes_the_logs_own_place(evening: Path) -> None:
    before = evening.read_bytes()
    assert main(["sessions", "export", "last", str(evening), "--to", "csv"]) == 2
    assert evening.read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "found", "code"),
    [
        (lambda ls: ls, [], 0),
        (lambda ls: [*ls, b'{"v": 2, "se'], [(112, "torn")], 1),
        (lambda ls: [*ls, b"\0" * 700], [(112, "torn")], 1),
        (lambda ls: [*ls[:5], b"rubbish\n", *ls[6:]], [(6, "damaged"), (7, "gap")], 1),
        (lambda ls: [*ls[:5], ls[4], *ls[5:]], [(6, "twice")], 1),
        (lambda ls: [*ls[:5], ls[6], ls[5], *ls[7:]], [(7, "order")], 1),
        (lambda ls: [*ls[:3], *ls[4:]], [(4, "gap"), (4, "points-nowhere")], 1),
        (
            lambda ls: [*ls, b'{"v": 2, "seq": 112, "time": "t", "kind": "danced"}\n'],
            [(112, "newer")],
            0,
        ),
    ],
)
def test_a_check_says_what_is_wrong_where_and_a_repair_mends_it(
    evening: Path,
    said: Said,
    spoil: Callable[[list[bytes]], list[bytes]],
    found: list[tuple[int, str]],
    code: int,
) -> None:
    spoilt = b"".join(spoil(lines(GAME)))
    evening.write_bytes(spoilt)
    got, [row] = said("check", "last")
    told = [(finding["line"], finding["kind"]) for finding in row["findings"]]
    if (6, "damaged") in found:
        told = [each for each in told if each[1] != "points-nowhere"]
    assert told[: len(found)] == found
    assert {kind for _, kind in told} == {kind for _, kind in found}
    assert (got, row["sound"]) == (code, code == 0)
    assert evening.read_bytes() == spoilt
    got, [row] = said("check", "last", "--repair")
    assert got == 0
    if code == 0:
        assert row["repaired"] is None
        assert evening.read_bytes() == spoilt
        return
    assert Path(row["repaired"]["aside"]).read_bytes() == spoilt
    replay = decode(evening.read_bytes())
    assert replay.damage is None
    kept = {entry.seq: entry.event for entry in replay.events}
    missing = {4} if (4, "gap") in found else {6} if (6, "damaged") in found else set()
    assert kept == {n: e for n, e in enumerate(GAME, start=1) if n not in missing}
    assert said("check", "last")[0] == 0


def test_a_damaged_log_is_told_up_to_the_damage(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    every = lines(GAME)
    evening.write_bytes(b"".join([*every[:5], b"rubbish\n", *every[6:]]))
    assert main(["sessions", "show", "last", "--json"]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 5
    assert "line 6" in told.err
    assert "--repair" in told.err


def test_a_log_that_is_open_is_not_mended_nor_deleted(evening: Path, said: Said) -> None:
    log = LogFile(evening)
    with evening.open("ab") as stream:
        stream.write(b"rubbish\n" + lines(GAME)[0].replace(b'"seq": 1,', b'"seq": 500,'))
    assert main(["sessions", "check", "last", "--repair"]) == 3
    assert main(["sessions", "delete", evening.stem]) == 3
    assert said("list")[1][0]["busy"] is True
    log.close()
    assert said("check", "last", "--repair")[0] == 0


def test_the_line_being_written_in_a_window_is_not_called_torn(evening: Path, said: Said) -> None:
    log = LogFile(evening)
    with evening.open("ab") as stream:
        stream.write(b'{"v": 2, "se')
    code, [row] = said("check", "last")
    assert (code, row["sound"], row["busy"]) == (0, True, True)
    log.close()


def test_a_check_of_all_goes_on_after_logs_that_cannot_be_read(
    folder: Path, evening: Path, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "2026-11-30_dangling.jsonl").symlink_to(folder / "gone")
    (folder / "2026-11-29_folder.jsonl").mkdir()
    (folder / "2026-11-27_torn.jsonl").write_bytes(b"".join(lines(GAME[:3]))[:-9])
    code, rows = said("check")
    assert code == 3
    assert [(row["session"], row["sound"]) for row in rows] == [
        ("2026-11-30_dangling", False), ("2026-11-28_20-15-02", True), ("2026-11-27_torn", False),
    ]  # fmt: skip
    [finding] = rows[0]["findings"]
    assert (finding["kind"], finding["line"]) == ("unreadable", None)
    assert main(["sessions", "check"]) == 3
    out, err = capsys.readouterr()
    assert "2026-11-30_dangling: cannot be read" in out
    assert err.count("\n") == 1
    assert "No such file" in err


def test_a_repair_of_all_leaves_what_a_window_has_open_and_mends_the_rest(
    folder: Path, evening: Path, said: Said
) -> None:
    whole = b"".join(lines(GAME[:6]))
    for name in ("2026-11-27_bad", "2026-11-30_bad"):
        (folder / f"{name}.jsonl").write_bytes(whole.replace(b'"v"', b'"v', 1))
    lock = SessionLock(folder / "2026-11-30_bad.jsonl")
    try:
        code, rows = said("check", "--repair")
    finally:
        lock.release()
    assert code == 3
    assert [row["sound"] for row in rows] == [False, True, True]
    assert [row["repaired"] is None for row in rows] == [True, True, False]


def test_a_folder_that_is_called_like_a_log_is_no_session(
    folder: Path, evening: Path, said: Said
) -> None:
    (folder / "x.jsonl").mkdir()
    assert [row["session"] for row in said("list")[1]] == [evening.stem]
    assert said("show", "x")[0] == 2
    assert said("show", "x.jsonl")[0] == 3
    assert said("show", "last")[0] == 0


def test_a_page_leaves_out_pictures_that_cannot_be_read_or_are_none_of_ours(
    folder: Path, evening: Path, said: Said
) -> None:
    pictures = folder / f"{evening.stem}.pictures"
    pictures.mkdir()
    (pictures / "3.jpg").write_bytes(b"\xff\xd8small")
    (pictures / "4.jpg").mkdir()
    (pictures / "mine.jpg").write_bytes(b"\xff\xd8")
    (pictures / "5.jpg").write_bytes(b"\xff\xd8" + bytes(2**20))
    assert open_log(str(evening)).pictures() == {3: b"\xff\xd8small"}


def test_a_session_that_is_watched_is_told_as_it_is_played(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = LogFile(folder / "now.jsonl", opening=LogOpened(program="0.1.0"))
    for event in GAME[:3]:
        log.append(event)
    rest = iter(GAME[3:8])

    def wait(_: float) -> None:
        event = next(rest, None)
        if event is None:
            log.close()
        else:
            log.append(event)

    assert show("now", watch=True, as_json=True, wait=wait) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["kind"] for row in rows] == [event.kind for event in GAME[:8]]


def test_watching_a_session_that_nobody_plays_ends_at_once(evening: Path) -> None:
    def never(_: float) -> None:
        raise AssertionError("it waited")

    assert show("last", watch=True, as_json=True, wait=never) == 0


def test_deleting_takes_all_that_belongs_to_a_session_and_nothing_else(
    folder: Path, evening: Path, said: Said
) -> None:
    other = folder / f"{evening.stem}_2.jsonl"
    other.write_bytes(b"".join(lines(GAME[:2])))
    stem = evening.stem
    (folder / f"{stem}.jsonl.torn").write_text("x")
    (folder / f"{stem}.jsonl.damaged-2").write_text("x")
    (folder / f"{stem}.film.mkv").write_text("x")
    (folder / f"{stem}.pictures").mkdir()
    (folder / f"{stem}.pictures" / "3.jpg").write_text("x")
    code, [row] = said("delete", stem)
    assert code == 0
    assert len(row["deleted"]) == 5
    assert [path.name for path in folder.iterdir()] == [other.name]


def test_all_sessions_together(folder: Path, evening: Path, said: Said) -> None:
    (folder / "2026-11-29_19-00-00.jsonl").write_bytes(b"".join(lines(whole_game(1, 24))))
    (folder / "2026-11-30_19-00-00.jsonl").write_bytes(b"rubbish")
    code, [row] = said("stats", "--html", "plots.html")
    assert code == 0
    assert (row["sessions"], row["games"], row["won"]) == (2, 2, 1)
    assert row["unread"] == ["2026-11-30_19-00-00"]
    assert row["endings"] == {"won": 1, "wrong place": 1}
    assert Path("plots.html").read_text().startswith("<!DOCTYPE html>")


def test_reading_again_sets_what_differs_side_by_side() -> None:
    a, b, c, d = ("A", "1"), ("B", "2"), ("C", "3"), ("D", "blank")
    then = [(3, a), (4, b), (6, c)]
    assert all(row["same"] for row in compared(then, [(10, a), (50, b), (90, c)]))
    rows = compared(then, [(10, a), (50, d), (90, c), (120, d)])
    assert [(row["same"], row["seq"], row["frame"]) for row in rows] == [
        (True, 3, 10), (False, 4, 50), (True, 6, 90), (False, None, 120)
    ]  # fmt: skip
    assert rows[1]["log"] == {"location": "B", "value": "2"}
    assert rows[3] == {
        "same": False, "seq": None, "frame": 120, "log": None,
        "now": {"location": "D", "value": "blank"},
    }  # fmt: skip


def test_a_film_in_which_todays_reader_sees_nothing_differs(
    folder: Path, blank_profile: Path, tmp_path: Path, said: Said
) -> None:
    cv2 = pytest.importorskip("cv2")
    np = pytest.importorskip("numpy")
    film = tmp_path / "film"
    film.mkdir()
    for number in range(3):
        cv2.imwrite(str(film / f"{number}.png"), np.full((480, 640, 3), 120, np.uint8))
    asked = YouthAsked(Location.CORNHILL, Feature.CHURCH, Seen(0.9, 3))
    typed = YouthAsked(Location.SOUTHWARK, Feature.CHURCH)
    (folder / "one.jsonl").write_bytes(b"".join(lines([GAME[0], asked, typed])))
    code, rows = said("reread", "one", "--video", str(film), "--profile", str(blank_profile))
    assert code == 1
    assert rows == [
        {"same": False, "seq": 2, "frame": None, "now": None,
         "log": {"location": "Cornhill", "value": "church"}}
    ]  # fmt: skip


def test_commands_of_sessions_load_no_camera(evening: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from assistant.cli import main; main(['sessions', 'list']);"
        "main(['sessions', 'show', 'last']); assert 'cv2' not in sys.modules; "
        "assert 'tkinter' not in sys.modules"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=root)


# --- in words -------------------------------------------------------------------------------------


def told_of(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["sessions", *words])
    return code, capsys.readouterr().out


def test_where_there_are_no_sessions_a_person_is_told_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = told_of(capsys, "list")
    assert code == 0
    assert out.startswith("there are no sessions yet")
    assert told_of(capsys, "check") == (0, "there are no sessions yet\n")


def test_a_log_that_cannot_be_read_is_listed_as_damaged(
    folder: Path, evening: Path, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    with (folder / "2026-11-29.jsonl").open("wb") as stream:
        # A file of holes, far too large for a log.
        stream.truncate(MOST_BYTES + 1)
    _, rows = said("list")
    assert [(row["session"], row["sound"]) for row in rows] == [
        ("2026-11-29", False), ("2026-11-28_20-15-02", True)
    ]  # fmt: skip
    assert rows[0]["entries"] == 0
    assert "DAMAGED: bystander sessions check" in told_of(capsys, "list")[1].splitlines()[0]


def test_a_mended_log_is_told_with_where_the_original_is(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, *_ = lines(GAME)
    (folder / "one.jsonl").write_bytes(first + b"rubbish\n" + second)
    code, out = told_of(capsys, "check", "one")
    assert code == 1
    assert "NOT SOUND" in out
    assert "check one --repair" in out
    code, out = told_of(capsys, "check", "one", "--repair")
    assert code == 0
    [aside] = folder.glob("one.jsonl.damaged*")
    assert f"mended: 2 lines kept, the original is {aside}" in out
    assert aside.read_bytes() == first + b"rubbish\n" + second


def test_a_torn_end_is_told_before_the_game(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, *_ = lines(GAME)
    (folder / "one.jsonl").write_bytes(first + second[:-9])
    assert main(["sessions", "show", "one"]) == 0
    assert "the log's end is torn at line 2" in capsys.readouterr().err


def test_a_page_of_statistics_that_cannot_be_written_is_told(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["sessions", "stats", "--html", str(tmp_path / "file" / "a.html")]) == 3
    assert "a.html cannot be written" in capsys.readouterr().err


def test_what_is_read_otherwise_today_is_told_to_a_person_line_by_line(
    folder: Path,
    blank_profile: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = Seen(0.9, 3)
    read = [GAME[0], YouthAsked(Location.CORNHILL, Feature.CHURCH, seen),
            SearchMade(Location.EASTCHEAP, True, seen),
            SearchMade(Location.CORNHILL, False, seen)]  # fmt: skip
    (folder / "one.jsonl").write_bytes(b"".join(lines(read)))
    monkeypatch.setattr(
        "assistant.commands.sessions_reread._read",
        lambda *_: [(10, ("Cornhill", "church")), (50, ("Eastcheap", "blank")),
                    (90, ("Cornhill", "blank"))],
    )  # fmt: skip
    code, out = told_of(
        capsys, "reread", "one", "--video", str(folder), "--profile", str(blank_profile)
    )
    assert code == 1
    assert out.splitlines() == [
        "   entry 2: Cornhill=church",
        "*  entry 3: the log has Eastcheap=lady, today's reader Eastcheap=blank",
        "   entry 4: Cornhill=blank",
        "3 layings, 1 read otherwise today",
    ]
