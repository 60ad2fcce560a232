"""publish/serving/guard.py: who may ask the server on this machine, and for what."""

import pytest

from publish.serving.guard import is_own, refusal


@pytest.mark.parametrize(
    "host", [None, "", "localhost", "LocalHost", "127.0.0.1", "localhost:8000", "127.0.0.1:8000"]
)
def test_own_names(host):
    assert is_own(host, 8000)


@pytest.mark.parametrize(
    "host", ["example.org", "localhost.", "localhost:80", "127.0.0.1.example.org", "127.1", " "]
)
def test_foreign_names(host):
    assert not is_own(host, 8000)


def test_only_what_is_inside_the_site_is_given(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "page.html").write_text("x")
    (tmp_path / "beside").write_text("x")
    (site / "out").symlink_to(tmp_path / "beside")

    def asked(target, host="localhost"):
        return refusal(host, 1, str(target), site)

    assert (
        asked(site)
        is asked(site / "page.html")
        is asked(site / "nothing")
        is asked(site / "-/reload")
        is None
    )
    assert asked(tmp_path / "beside") == asked(site / "out") == asked(site / ("x" * 300)) == 404
    assert asked(f"{site}/\0") == 400 and asked(site, "example.org") == 421
