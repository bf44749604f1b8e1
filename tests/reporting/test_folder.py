"""A folder is there as a whole or not at all, and what was there stays until the new one is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.errors import OutputError
from workbench.reporting.folder import built

NAMES = ("a.txt", "figures")


def write(place: Path, text: str, *, force: bool = False) -> None:
    with built(place, NAMES, force=force) as folder:
        (folder / "a.txt").write_text(text)


def there(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_is_made_with_its_parents_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "deep" / "out", "new")
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == [
        "deep",
        "deep/out",
        "deep/out/a.txt",
    ]


def test_it_has_the_mode_of_any_new_folder(tmp_path: Path) -> None:
    (tmp_path / "usual").mkdir()
    write(tmp_path / "out", "new")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_an_empty_folder_is_free(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write(tmp_path / "out", "new")
    assert (tmp_path / "out" / "a.txt").read_text() == "new"


def test_what_is_there_is_replaced_by_force_alone(tmp_path: Path) -> None:
    write(tmp_path / "out", "old")
    with pytest.raises(OutputError, match="--force"):
        write(tmp_path / "out", "new")
    assert (tmp_path / "out" / "a.txt").read_text() == "old"
    write(tmp_path / "out", "new", force=True)
    assert (tmp_path / "out" / "a.txt").read_text() == "new"
    assert there(tmp_path) == ["out"]


def test_force_never_removes_what_is_no_report(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.doc").write_text("years of work")
    with pytest.raises(OutputError, match=r"holds more than a report \(thesis.doc\)"):
        write(tmp_path / "out", "new", force=True)
    assert (tmp_path / "out" / "thesis.doc").read_text() == "years of work"
    with pytest.raises(OutputError, match=r"holds more than a report \(figures/mine.png\)"):
        write(deep(tmp_path), "new", force=True)


def deep(folder: Path) -> Path:
    """A folder with a file of somebody's below the names that are allowed."""
    (folder / "deep" / "figures").mkdir(parents=True)
    (folder / "deep" / "figures" / "mine.png").write_bytes(b"")
    return folder / "deep"


def test_force_replaces_none_but_ours(tmp_path: Path) -> None:
    write(tmp_path / "out", "old")
    with (
        pytest.raises(OutputError, match="is no report"),
        built(tmp_path / "out", NAMES, force=True, ours=lambda _: False),
    ):
        pass
    assert (tmp_path / "out" / "a.txt").read_text() == "old"


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
def test_a_failure_leaves_things_as_they_were(tmp_path: Path, error: type[BaseException], before: bool) -> None:
    def fail() -> None:
        with built(tmp_path / "out", NAMES, force=True) as folder:
            (folder / "a.txt").write_text("half")
            raise error

    if before:
        write(tmp_path / "out", "old")
    with pytest.raises(error):
        fail()
    assert there(tmp_path) == (["out"] if before else [])
    assert not before or (tmp_path / "out" / "a.txt").read_text() == "old"


def test_a_rename_that_fails_puts_the_old_one_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "out", "old")
    rename, calls = Path.rename, []

    def failing(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == 2:
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OutputError, match="Permission denied"):
        write(tmp_path / "out", "new", force=True)
    assert (tmp_path / "out" / "a.txt").read_text() == "old"
    assert there(tmp_path) == ["out"]


def test_a_file_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("text")
    with pytest.raises(OutputError, match="name a folder"):
        write(tmp_path / "out", "new", force=True)
