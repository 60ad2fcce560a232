"""Every kind of edit below the watched folders is seen; what a build itself writes is not."""

from itertools import pairwise

from publish.serving.watch import snapshot, unchanged


def test_a_snapshot_changes_with_every_kind_of_edit(tmp_path):
    (tmp_path / "a").mkdir()
    file = tmp_path / "a" / "b.toml"
    seen = [snapshot([tmp_path])]
    for change in (
        lambda: file.write_text("1"),
        lambda: file.write_text("12"),
        lambda: file.rename(tmp_path / "c.toml"),
        lambda: (tmp_path / "c.toml").unlink(),
    ):
        change()
        seen.append(snapshot([tmp_path]))
    assert all(before != after for before, after in pairwise(seen)) and seen[0] == seen[-1] == {}
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "x.pyc").write_text("1")
    assert snapshot([tmp_path, tmp_path / "nowhere"]) == {}
    for folder in ("site", ".site-x1", "a"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "file").write_text("1")
    seen = snapshot([tmp_path], tmp_path / "site")
    assert [path.parent.name for path in seen] == ["a"] and unchanged([tmp_path], tmp_path / "site", seen)
    (tmp_path / "a" / "file").write_text("12")
    assert not unchanged([tmp_path], tmp_path / "site", seen)
