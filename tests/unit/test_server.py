"""`build.py serve`: on this machine only, nothing outside the site, rebuilt and announced at an edit.

The tests wait in short polls for what must come to pass; no limit is there to be nearly reached.
"""

import contextlib
import http.client
import os
import re
import socket
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from publish.problems import Problems
from publish.server import RELOAD_PATH, Builds, report_build, snapshot
from tests.content_tools import CONFIG, ROOT, SHIPPED, changed, content_with, files_of, line_of, run_build

PATIENCE = 120  # seconds


def eventually(found, what):
    """Return the first true result of found(), polling."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if result := found():
            return result
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


class Serving:
    """One running `build.py serve`, its folders and its output."""

    def __init__(self, folder):
        self.content = content_with(folder / "content", {})
        self.site = folder / "site"
        self.output, self.errors = folder / "output", folder / "errors"
        command = [sys.executable, str(ROOT / "build.py"), "serve", "--port", "0"]
        with self.output.open("wb") as output, self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [*command, "--content", str(self.content), "--out", str(self.site)],
                stdout=output,
                stderr=errors,
                env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
            )
        pattern = r"http://127\.0\.0\.1:(\d+)/"
        match = eventually(lambda: re.search(pattern, self.output.read_text("utf-8")), "the address")
        self.port = int(match[1])

    def close(self):
        self.process.terminate()
        self.process.wait()

    def get(self, path, method="GET", host="localhost"):
        """Return status, headers and body of a request whose path is sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True)
            if host is not None:
                connection.putheader("Host", host)
            connection.endheaders()
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def edit(self, text):
        (self.content / CONFIG).write_text(text, encoding="utf-8")

    def page(self):
        return self.get("/en/update.html")[2].decode("utf-8")


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    server = Serving(tmp_path_factory.mktemp("serve"))
    yield server
    server.close()


def test_it_serves_the_site(serving):
    for path, kind in (
        ("/", "text/html"),
        ("/zh/update.html", "text/html"),
        ("/assets/style.css", "text/css"),
    ):
        status, headers, body = serving.get(path)
        assert status == 200 and headers["Content-Type"].startswith(kind) and body
        assert headers["Cache-Control"] == "no-store"
    assert serving.get("/nothing.html")[0] == 404


def test_pages_listen_for_the_next_build_and_files_on_disk_do_not(serving):
    served, written = serving.page(), (serving.site / "en" / "update.html").read_text(encoding="utf-8")
    assert RELOAD_PATH in served and RELOAD_PATH not in written
    assert re.sub("<script>[^<]*EventSource[^<]*</script>", "", served) == written


def test_only_this_address_answers(serving):
    # All of 127.0.0.0/8 is this machine: a server on every address would answer on 127.0.0.2 too.
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", serving.port), timeout=5):
        pass


FILE = "content/edition.toml"  # it stands beside the site
OUTSIDE = [
    *(
        f"/../{FILE}",
        f"/%2e%2e/{FILE}",
        f"/..%2f{FILE}",
        f"/en/../../{FILE}",
        f"//../{FILE}",
        f"/./../{FILE}",
    ),
    *(f"/..\\{FILE}", f"/%2e%2e%5c{FILE}", f"/%252e%252e/{FILE}", f"../{FILE}", f"/-/../../{FILE}"),
    *("/en/%2e%2e/%2e%2e/errors", "/" + "../" * 12 + "etc/passwd", f"{{}}/{FILE}", f"//{{}}/{FILE}"),
]


def test_no_other_address_of_the_machine_answers(serving):
    port = serving.port
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; only asks which address would be used
            own = {probe.getsockname()[0]}
        except OSError:  # no network
            own = set()
    own |= {address[4][0] for address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in {*own, "127.0.0.2"} - {"127.0.0.1"}:
        with pytest.raises(OSError), socket.create_connection((address, port), timeout=5):
            pass
    with contextlib.suppress(FileNotFoundError):  # Linux says outright who listens where
        texts = [Path("/proc/net", name).read_text() for name in ("tcp", "tcp6")]
        lines = [line.split() for text in texts for line in text.splitlines()]
        listening = {line[1] for line in lines if line[3] == "0A" and line[1].endswith(f":{port:04X}")}
        assert listening == {f"0100007F:{port:04X}"}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200), ("127.0.0.1", 200), ("LOCALHOST:{}", 200), ("127.0.0.1:{}", 200), (None, 200),
        ("evil.example", 421), ("evil.example:{}", 421), ("localhost.evil.example", 421), ("127.0.0.1:1", 421),
        ("0.0.0.0", 421), ("[::1]", 421), ("2130706433", 421),
    ],
)  # fmt: skip
def test_a_request_for_a_foreign_name_is_refused(serving, host, status):
    for path in ("/en/update.html", "/data/numbers.json", RELOAD_PATH if status == 421 else "/"):
        assert serving.get(path, host=host and host.format(serving.port))[0] == status


def test_what_cannot_be_a_file_is_refused_and_the_server_goes_on(serving):
    for path in (
        "/%00",
        "/en/update.html%00.css",
        "/%00/../../etc/passwd",
        "/" + "a" * 5000,
        "/%ff%fe",
        "/en/\\..\\..",
    ):
        assert serving.get(path)[0] in (400, 404), path
    assert "Traceback" not in serving.errors.read_text("utf-8")
    assert serving.get("/")[0] == 200


def test_links_that_lead_out_of_the_site_are_not_followed(serving):
    outside = serving.content.parent / "outside"
    outside.mkdir()
    (outside / "secret.html").write_text("<body>version</body>", encoding="utf-8")
    links = {"file.html": outside / "secret.html", "folder": outside, "circle": serving.site / "circle"}
    try:
        for name, target in links.items():
            (serving.site / name).symlink_to(target)
        (serving.site / "inside.html").symlink_to(serving.site / "index.html")
        for path in ("/file.html", "/folder/secret.html", "/folder/", "/circle", "/circle/a.html"):
            status, _, body = serving.get(path)
            assert status == 404 and b"version" not in body, path
        assert serving.get("/inside.html")[0] == 200
    finally:
        for name in (*links, "inside.html"):
            (serving.site / name).unlink()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_the_site_is_served(serving, path, method):
    status, _, body = serving.get(path.format(serving.content.parent), method)
    assert status in (400, 403, 404), path
    assert b"version" not in body and b"root:" not in body


def test_other_methods_are_refused(serving):
    assert [serving.get("/", method)[0] for method in ("POST", "PUT", "DELETE")] == [501] * 3


def test_a_rebuild_is_announced_and_served(serving):
    connection = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE)
    connection.request("GET", RELOAD_PATH)
    response = connection.getresponse()
    assert response.headers["Content-Type"] == "text/event-stream"
    serving.edit(changed(SHIPPED, "beta = 0.1", "beta = 0.2"))
    deadline = time.monotonic() + PATIENCE
    for line in response:
        assert time.monotonic() < deadline and line in (b"\n", b": waiting\n", b"data: built\n")
        if line.startswith(b"data"):
            break
    else:
        raise AssertionError("the stream ended")
    assert 'data-number="settings.beta" value="0.2"' in serving.page()
    response.close()
    connection.close()


def test_a_broken_config_is_told_and_the_last_good_site_stays(serving):
    before = files_of(serving.site)
    text = changed(SHIPPED, '"token"', '"tokem"')
    serving.edit(text)
    place = f"{serving.content / CONFIG}:{line_of(text, 'tokem')}: controls.normalization"
    eventually(lambda: place in serving.errors.read_text("utf-8"), "the message")
    assert files_of(serving.site) == before and serving.get("/en/update.html")[0] == 200
    assert serving.process.poll() is None and "Traceback" not in serving.errors.read_text("utf-8")
    serving.edit(changed(SHIPPED, "beta = 0.1", "beta = 0.375"))
    eventually(lambda: 'data-number="settings.beta" value="0.375"' in serving.page(), "the repaired site")


def test_a_file_that_goes_away_is_told_too(serving):
    gone = serving.content / "terms.toml"
    words = gone.read_bytes()
    gone.unlink()
    eventually(lambda: f"{gone}: cannot be read" in serving.errors.read_text("utf-8"), "the message")
    gone.write_bytes(words)
    assert serving.process.poll() is None and serving.get("/en/update.html")[0] == 200


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        run = run_build("serve", "--port", port, "--out", tmp_path / "site")
    assert run.returncode == 2 and "Traceback" not in run.stderr
    assert run.stderr.startswith(f"--port: {port}: cannot be used (") and run.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


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


def test_only_good_builds_are_counted(capsys):
    def wrong():
        raise Problems([])

    def half_edited():
        raise RuntimeError("template")

    builds = Builds()
    for build in (wrong, half_edited):
        report_build(build, builds)
        assert builds.count == 0 and "The last good site stays" in capsys.readouterr().err
    report_build(Path, builds)
    assert builds.count == 1 and builds.wait(0, PATIENCE) == 1
    assert builds.wait(1, 0.001) == 1, "nothing new"
