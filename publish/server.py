"""`build.py serve`: the site on 127.0.0.1, built anew and reloaded in the browser when a file changes."""

from __future__ import annotations

import http.server
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .guard import refusal
from .problems import Problem, Problems

HOST = "127.0.0.1"
POLL_SECONDS = 0.02
RELOAD_PATH = "/-/reload"
RELOAD_SCRIPT = (
    "<script>{const e=new EventSource('" + RELOAD_PATH + "?%d');"
    "e.onmessage=()=>{e.close();location.reload()};addEventListener('pagehide',()=>e.close())}</script>"
)

Snapshot = dict[Path, tuple[int, int]]


class Builds:
    """Counts the good builds; browsers wait here for the next one."""

    def __init__(self) -> None:
        self.count = 0
        self.changed = threading.Condition()

    def done(self) -> None:
        """Tell every waiting browser that there is a new site."""
        with self.changed:
            self.count += 1
            self.changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Return the count once it differs from `seen`, or after so many seconds."""
        with self.changed:
            self.changed.wait_for(lambda: self.count != seen, timeout=seconds)
            return self.count


def handler(site: Path, builds: Builds) -> type[http.server.SimpleHTTPRequestHandler]:
    """Return a request handler for the site that adds the reload script to pages."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection for a page's files: a reload takes half the time

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, directory=str(site), **kwargs)

        def do_GET(self) -> None:
            path, _, seen = self.path.partition("?")
            if path == RELOAD_PATH:
                self.stream_builds(int(seen) if seen.isdecimal() else builds.count)
            elif (page := self.page()) is not None:
                self.send_page(page)
            else:
                super().do_GET()

        def page(self) -> Path | None:
            """Return the HTML file that is asked for, if it is one."""
            path = Path(self.translate_path(self.path))
            path = path / "index.html" if path.is_dir() else path
            return path if path.suffix == ".html" and path.is_file() else None

        def send_page(self, path: Path) -> None:
            script = (RELOAD_SCRIPT % builds.count).encode()  # counted before reading: no build is missed
            body = path.read_bytes().replace(b"</body>", script + b"</body>")
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def stream_builds(self, seen: int) -> None:
            """Hold the connection open and say when there is a newer build than the page has seen."""
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                while True:
                    now = builds.wait(seen, 15)
                    self.wfile.write(b"data: built\n\n" if now != seen else b": waiting\n\n")
                    self.wfile.flush()
                    seen = now
            except OSError:
                pass  # the browser has gone

        def end_headers(self) -> None:
            self.send_header("Cache-Control", "no-store")
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


def snapshot(folders: list[Path]) -> Snapshot:
    """Return time and size of every file in some folders."""
    return {path: (stat.st_mtime_ns, stat.st_size) for folder in folders for path, stat in files_of(folder)}


def files_of(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the files below a folder; one that goes away meanwhile is left out."""
    for place, subfolders, names in os.walk(folder):
        subfolders[:] = [name for name in subfolders if name not in ("__pycache__", "vendor")]
        for name in names:
            path = Path(place) / name
            try:
                yield path, path.stat()
            except OSError:
                continue


def serve(build: Callable[[], Path], site: Path, port: int, data: list[Path], code: list[Path]) -> None:
    """Build, serve until interrupted, build again when `data` changes; restart when `code` does.

    Raises Problems when the port is taken.
    """
    builds = Builds()
    try:
        server = http.server.ThreadingHTTPServer((HOST, port), handler(site, builds))
    except (OSError, OverflowError) as error:
        what = (f"cannot be used ({error}); choose another", f"无法使用（{error}）；请换一个")
        raise Problems([Problem("--port", None, str(port), what)]) from None
    server.daemon_threads = True
    seen, code_seen = snapshot(data), snapshot(code)
    report_build(build, builds)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://{HOST}:{server.server_port}/  (Ctrl-C ends)", flush=True)
    try:
        while True:
            time.sleep(POLL_SECONDS)
            if snapshot(code) != code_seen:
                server.server_close()
                os.execv(sys.executable, [sys.executable, *sys.argv])
            if (now := snapshot(data)) != seen:
                seen = now
                report_build(build, builds)
    except KeyboardInterrupt:
        print()
    finally:
        server.shutdown()


def report_build(build: Callable[[], Path], builds: Builds) -> None:
    """Build and say so; after a mistake say what it is, and leave the last good site."""
    started = time.perf_counter()
    try:
        build()
    except Problems as problems:
        print(f"{problems}\nThe last good site stays.", file=sys.stderr, flush=True)
    except Exception:  # a template that is half edited, a full disk: go on serving
        traceback.print_exc()
        print("The last good site stays.", file=sys.stderr, flush=True)
    else:
        print(f"built in {time.perf_counter() - started:.2f} s", flush=True)
        builds.done()
