"""`build.py serve`: the site on 127.0.0.1, built anew and reloaded in the browser when a file changes."""

from __future__ import annotations

import hashlib
import http.server
import os
import sys
import threading
import time
import traceback
import urllib.parse
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ..reading.files import os_name
from ..reading.problems import Phrase, Problem, Problems, speaks_chinese
from .builds import Builds
from .guard import refusal
from .served_page import FILES, PREFIX, RELOAD_PATH, SERVE, page_of_mistakes, problems_json, served, stamp_of
from .watch import snapshot, unchanged

HOST = "127.0.0.1"
POLL_SECONDS = 0.02
READER_SECONDS = 0.6  # that the whole site waits for a page told to reload: both want the processor
SETTLE_SECONDS = 0.05  # in which a file that was seen half written is written to its end
PATIENCE_SECONDS = 5.0  # that a request waits for a file while the site is being exchanged

# What the terminal says.
END: Phrase = ("Ctrl-C ends", "按 Ctrl-C 结束")
BUILT: Phrase = ("built in", "已构建，用时")
OPEN_BUILT: Phrase = ("open pages built in", "打开的页面已构建，用时")
STAYS: Phrase = ("The last good site stays.", "上一次成功构建的站点保持原样。")


def handler(site: Path, builds: Builds) -> type[http.server.SimpleHTTPRequestHandler]:
    """Return a request handler for the site that adds the reload script to pages."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection for a page's files: a reload takes half the time

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, directory=str(site), **kwargs)

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            if path == RELOAD_PATH:
                given = dict(urllib.parse.parse_qsl(query))
                self.stream_builds(self.name_of(given.get("page", "")), given.get("stamp", ""))
            elif path.removeprefix(PREFIX) in FILES and path.startswith(PREFIX):
                name = path.removeprefix(PREFIX)
                self.send_bytes((SERVE / name).read_bytes(), FILES[name])
            elif (body := self.file(name := self.name_of(self.path))) is None:
                self.send_missing(name)
            elif name.endswith(".html"):
                self.send_bytes(served(body, self.stamp(name)), "text/html; charset=utf-8")
            else:
                self.send_bytes(body, self.guess_type(name))

        def name_of(self, address: str) -> str:
            """Return the path in the site that an address means; "" for one outside."""
            path = Path(self.translate_path(address or "/nothing"))
            path = path / "index.html" if path.is_dir() else path
            inside = path.is_relative_to(site) and path.resolve().is_relative_to(site.resolve())
            return path.relative_to(site).as_posix() if inside else ""

        def file(self, name: str) -> bytes | None:
            """Return a file of the site, an early page before the one that is written, or None.

            While one site is exchanged for another there is none for a moment.
            """
            if name in builds.early:
                return builds.early[name]
            until = time.monotonic() + PATIENCE_SECONDS
            while name:
                try:
                    return (site / name).read_bytes()
                except OSError:
                    if site.is_dir() or not builds.count or time.monotonic() > until:
                        return None
                    time.sleep(0.002)
            return None

        def stamp(self, name: str) -> str:
            """Return the stamp of a page; "" where there is none."""
            page = self.file(name)
            if page is None:
                return ""
            folder = site / "assets" / "js"
            scripts = sorted(path.name for path in folder.glob("*.js"))
            loaded = ["assets/style.css", *(f"assets/js/{script}" for script in scripts)]
            return stamp_of([page, *(self.file(file) or b"" for file in loaded)])

        def send_missing(self, name: str) -> None:
            """Say that there is no such file; before the first good build, why there is none."""
            if site.is_dir() or not builds.problems or not (name.endswith(".html") or name == ""):
                self.send_error(404)
                return
            chinese = "zh" in (name + self.headers.get("Accept-Language", ""))[:2]
            body = page_of_mistakes(builds.problems, "zh" if chinese else "en")
            self.send_bytes(served(body, "none"), "text/html; charset=utf-8", 503)

        def send_bytes(self, body: bytes, kind: str, status: int = 200) -> None:
            """Send a file, or that it is the one which the browser has."""
            tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
            known = status == 200 and self.headers.get("If-None-Match") == tag
            self.send_response(304 if known else status)
            self.send_header("ETag", tag)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not known and self.command != "HEAD":
                self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def stream_builds(self, name: str, stamp: str) -> None:
            """Hold the connection open and say when the page differs from the one with this stamp, and mistakes."""
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            if self.command == "HEAD":
                return
            with builds.stream(name):
                try:
                    for message in self.messages(name, stamp):
                        self.wfile.write(message.encode())
                        self.wfile.flush()
                except OSError:
                    pass  # the browser has gone

        def messages(self, name: str, stamp: str) -> Iterator[str]:
            """Yield what a page has to be told: at once if it is out of date already, then at every build."""
            seen = builds.announced
            yield self.message(name, stamp) if stamp else ": hello\n\n"
            while True:
                now = builds.wait(seen, 15)
                yield self.message(name, stamp) if now != seen else ": waiting\n\n"
                seen = now

        def message(self, name: str, stamp: str) -> str:
            """Return the event that tells a page of the last build."""
            if builds.problems:
                return f"event: broken\ndata: {problems_json(builds.problems)}\n\n"
            same = stamp and self.stamp(name) == stamp
            return "event: same\ndata: same\n\n" if same else "data: built\n\n"

        def end_headers(self) -> None:
            self.send_header("Cache-Control", "no-cache")  # kept, and asked for again: mostly it is the same
            super().end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def parse_request(self) -> bool:
            """Read what is asked; refuse it here, before anything is done with it."""
            if not super().parse_request():
                return False
            port = self.connection.getsockname()[1]
            status = refusal(self.headers.get("Host"), port, self.translate_path(self.path), site)
            if status is not None:
                self.send_error(status)
            return status is None

    return Handler


def serve(
    build: Callable[[], Path],
    site: Path,
    port: int,
    data: list[Path],
    code: list[Path],
    early: Callable[[Iterable[str]], dict[str, bytes]] | None = None,
) -> None:
    """Build, serve until interrupted, build again when `data` changes; restart when `code` does.

    early: gives some pages of the next site, by their names, before the whole is built. Raises Problems when the
    port is taken.
    """
    builds = Builds()
    site = site.resolve()
    data = [folder.resolve() for folder in data]
    try:
        server = http.server.ThreadingHTTPServer((HOST, port), handler(site, builds))
    except (OSError, OverflowError) as error:
        what = (f"cannot be used ({error}); choose another", f"无法使用（{error}）；请换一个")
        raise Problems([Problem("--port", None, str(port), what)]) from None
    server.daemon_threads = True
    seen, code_seen = snapshot(data, site), snapshot(code)
    report_build(build, builds)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://{HOST}:{server.server_port}/  ({END[speaks_chinese()]})", flush=True)
    try:
        while True:
            time.sleep(POLL_SECONDS)
            if snapshot(code) != code_seen:
                server.server_close()
                os.execv(sys.executable, [sys.executable, *sys.argv])
            if (now := snapshot(data, site)) != seen:
                seen = now
                if early:
                    build_early(early, builds)
                report_build(build, builds, partial(unchanged, data, site, now, SETTLE_SECONDS))
    except KeyboardInterrupt:
        print()
    finally:
        server.shutdown()


def build_early(early: Callable[[Iterable[str]], dict[str, bytes]], builds: Builds) -> None:
    """Build what browsers have open, and let them have it before the whole site is built."""
    started, opened = time.perf_counter(), builds.opened
    try:
        files = early(builds.open_pages())
    except Exception:  # what is wrong is told by the whole build, which finds it too
        return
    if files:
        builds.done(files)
        print(f"{OPEN_BUILT[speaks_chinese()]} {time.perf_counter() - started:.2f} s", flush=True)
        builds.wait_for_reader(opened, READER_SECONDS)


def report_build(
    build: Callable[[], Path], builds: Builds, settled: Callable[[], bool] = lambda: True
) -> None:
    """Build and say so; after a mistake say what it is, and leave the last good site.

    settled: false while files are still being written; a mistake in a file that is half written is none.
    """
    started = time.perf_counter()
    try:
        build()
    except Problems as problems:
        if settled():
            print(f"{problems}\n{STAYS[speaks_chinese()]}", file=sys.stderr, flush=True)
            builds.failed(problems.problems)
    except Exception as error:  # a template that is half edited, a full disk: go on serving
        if settled():
            traceback.print_exc()
            print(STAYS[speaks_chinese()], file=sys.stderr, flush=True)
            builds.failed([problem_of(error)])
    else:
        print(f"{BUILT[speaks_chinese()]} {time.perf_counter() - started:.2f} s", flush=True)
        builds.done()


def problem_of(error: Exception) -> Problem:
    """Return an exception as a problem at the line of ours, or of a template, in which it arose."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename
    ]
    place = frames[-1] if frames else None
    line: int | None = getattr(error, "lineno", None) or (place.lineno if place else None)
    file = getattr(error, "filename", None) or (place.filename if place else "build")
    said = f"{type(error).__name__}: {error}"
    return Problem(os_name(Path(str(file))), line, "", (said, said))
