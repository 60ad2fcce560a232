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
from pathlib import Path

import pytest

from publish.reading.problems import Problem, Problems
from publish.serving.builds import Builds
from publish.serving.served_page import RELOAD_PATH
from publish.serving.server import build_early, report_build
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
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()

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

    def settle(self):
        """Wait until the whole site on disk is that of the config: open pages come before it."""
        beta = re.search(r"^beta = (\S+)", (self.content / CONFIG).read_text("utf-8"), re.M)[1]
        page = self.site / "en" / "update.html"
        written = f'data-number="settings.beta" value="{beta}"'
        eventually(lambda: page.is_file() and written in page.read_text("utf-8"), "the whole site")

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
        assert headers["Cache-Control"] == "no-cache" and len(headers["ETag"]) > 30
    assert serving.get("/nothing.html")[0] == 404


def test_pages_listen_for_the_next_build_and_files_on_disk_do_not(serving):
    served, written = serving.page(), (serving.site / "en" / "update.html").read_text(encoding="utf-8")
    script = re.search(r'<script src="(/-/serve\.js)" data-stamp="[0-9a-f]{16}" defer></script>', served)
    assert script and served.replace(script[0], "") == written
    for name, text in (("serve.js", RELOAD_PATH), ("serve.css", ".serve-problems")):
        status, headers, body = serving.get(f"/-/{name}")
        assert status == 200 and text in body.decode() and headers["Cache-Control"] == "no-cache"
        assert not list(serving.site.rglob(name))


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
        assert time.monotonic() < deadline and line in (b"\n", b": hello\n", b": waiting\n", b"data: built\n")
        if line.startswith(b"data"):
            break
    else:
        raise AssertionError("the stream ended")
    assert 'data-number="settings.beta" value="0.2"' in serving.page()
    response.close()
    connection.close()


def test_a_broken_config_is_told_and_the_last_good_site_stays(serving):
    serving.settle()
    before = files_of(serving.site)
    text = changed(SHIPPED, '"token"', '"tokem"')
    serving.edit(text)
    place = f"{serving.content / CONFIG}:{line_of(text, 'tokem')}: controls.normalization"
    eventually(lambda: place in serving.errors.read_text("utf-8"), "the message")
    assert files_of(serving.site) == before and serving.get("/en/update.html")[0] == 200
    assert serving.process.poll() is None and "Traceback" not in serving.errors.read_text("utf-8")
    serving.edit(changed(SHIPPED, "beta = 0.1", "beta = 0.375"))
    eventually(lambda: 'data-number="settings.beta" value="0.375"' in serving.page(), "the repaired site")


def test_a_file_that_is_renamed_is_told_too(serving):
    gone = serving.content / CONFIG
    text = gone.read_bytes()
    gone.rename(gone.with_name("rolout.toml"))
    message = f"{gone.with_name('rolout.toml')}: nothing reads it: "
    eventually(lambda: message in serving.errors.read_text("utf-8"), "the message")
    gone.with_name("rolout.toml").unlink()
    gone.write_bytes(text)
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


def test_only_good_builds_are_counted(capsys):
    def wrong():
        raise Problems([])

    def half_edited():
        raise RuntimeError("template")

    builds = Builds()
    for build in (wrong, half_edited):
        report_build(build, builds)
        assert builds.count == 0 and "The last good site stays" in capsys.readouterr().err
    announced = builds.announced
    report_build(Path, builds)
    assert builds.count == 1 and builds.wait(announced, PATIENCE) == announced + 1
    assert builds.wait(announced + 1, 0.001) == announced + 1, "nothing new"


def test_a_mistake_in_a_file_that_is_half_written_is_not_told(capsys):
    def wrong():
        raise Problems([Problem("terms.toml", None, "", ("the file is empty", "文件是空的"))])

    builds = Builds()
    report_build(wrong, builds, settled=lambda: False)
    assert (builds.announced, builds.problems, capsys.readouterr().err) == (0, [], "")
    report_build(wrong, builds, settled=lambda: True)
    assert builds.announced == 1 and builds.problems[0].file == "terms.toml"
    report_build(Path, builds)
    assert builds.problems == []


def test_what_is_no_problem_of_the_content_is_told_with_its_line(capsys):
    def half_edited():
        raise RuntimeError("template")

    builds = Builds()
    report_build(half_edited, builds)
    (problem,) = builds.problems
    assert (
        problem.file == "tests/unit/test_server.py"
        and problem.line == half_edited.__code__.co_firstlineno + 1
    )
    assert problem.what[0] == "RuntimeError: template" and "Traceback" in capsys.readouterr().err


def test_pages_that_are_open_come_before_the_site(capsys):
    builds, asked = Builds(), []

    def early(pages):
        asked.extend(pages)
        if not asked:
            return {}
        builds.opened += 1  # the reader's page is there again
        return {"en/update.html": b"early"}

    build_early(early, builds)
    assert builds.count == 0, "nothing is open"
    with builds.stream("zh/faults.html"), builds.stream("en/update.html"), builds.stream("en/update.html"):
        build_early(early, builds)
    assert asked == ["en/update.html", "zh/faults.html"] and builds.early == {"en/update.html": b"early"}
    assert builds.open_pages() == [] and builds.count == 1
    builds.done()
    assert builds.early == {}
    build_early(lambda pages: 1 / 0, builds)
    assert builds.problems == [], "the whole build tells it"


def test_a_file_that_the_browser_has_is_not_sent_again(serving):
    connection = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE)
    connection.request("GET", "/assets/style.css")
    response = connection.getresponse()
    body, tag = response.read(), response.headers["ETag"]
    for sent, status, length in ((tag, 304, 0), ('"other"', 200, len(body))):
        connection.request("GET", "/assets/style.css", headers={"If-None-Match": sent})
        response = connection.getresponse()
        assert (response.status, len(response.read())) == (status, length)
    connection.close()
