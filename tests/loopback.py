"""A folder served on 127.0.0.1 for as long as a with block lasts, compressed as web hosts do."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LOST = "404.html"
WORTH_IT = {
    "text/html",
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/json",
    "image/svg+xml",
}


class Handler(SimpleHTTPRequestHandler):
    """Answers GET with the file, gzipped if it is text; for what there is not with the folder's 404.html, if any."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        status, lost = 200, Path(self.directory) / LOST
        if not path.is_file():
            if not lost.is_file():
                self.send_error(404)
                return
            status, path = 404, lost
        body = path.read_bytes()
        kind = self.guess_type(str(path))
        text = kind in WORTH_IT
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if text else kind)
        if text and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder; give its address, without a slash at the end."""

    def handler(*arguments: object, **options: object) -> Handler:
        return Handler(*arguments, directory=str(folder), **options)

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
