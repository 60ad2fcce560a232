"""RL Parameter Update: build the site, serve it, or print one state of a page.

python build.py [build]   write the site
python build.py serve     write it, serve it on this machine, again at every edit
python build.py state     print every number of one state as JSON
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command: 0 done, 2 a mistake in a config, key or value, 1 a file that cannot be written."""
    from publish.problems import Problems

    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        COMMANDS[options.command](options)
    except Problems as problems:
        print(problems, file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1
    except OSError as error:
        print(f"{error.filename or options.command}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


def build(options: argparse.Namespace) -> None:
    """Write the site and print the file to open."""
    from publish.site import build_site

    start = build_site(options.content, options.out, options.strict, options.address)
    print(start.resolve())


def serve(options: argparse.Namespace) -> None:
    """Write the site, serve it on 127.0.0.1, and build it again at every edit."""
    from publish.folder import folders
    from publish.preview import Preview
    from publish.server import serve as serve_site

    preview = Preview(options.content, options.out)
    serve_site(
        build=preview.whole,
        early=preview.early,
        site=options.out,
        port=options.port,
        data=[*folders(options.content), ROOT / "templates"],
        code=[ROOT / "compute", ROOT / "publish"],
    )


def state(options: argparse.Namespace) -> None:
    """Print every number of one state of a page as JSON, at full precision: the main page's unless --page says."""
    from publish.settings import chosen_settings
    from publish.states import states_of

    page = states_of(options.page, options.content)
    settings = chosen_settings(page.keys, page.settings, options.set, options.step)
    print(json.dumps(page.state(settings), ensure_ascii=False, allow_nan=False, indent=1))


COMMANDS = {"build": build, "serve": serve, "state": state}


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return the command and its options; argparse exits with 2 on a mistake."""
    from publish.folder import SHIPPED, content_folder

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command")
    for name, run in COMMANDS.items():
        command = commands.add_parser(name, help=run.__doc__, description=run.__doc__)
        command.add_argument(
            "--content",
            type=content_folder,
            default=SHIPPED,
            metavar="DIR",
            help="a course's content; for every file that it has not, the shipped content/ has one",
        )
        if name != "state":
            command.add_argument(
                "--out", type=Path, default=ROOT / "site", metavar="DIR", help="where the site goes"
            )
    builder, server, stater = (commands.choices[name] for name in ("build", "serve", "state"))
    builder.add_argument(
        "--strict", action="store_true", help="fail when a check of the default state does not hold"
    )
    builder.add_argument(
        "--address", metavar="URL", help="where the site will be published; else as content/edition.toml says"
    )
    server.add_argument("--port", type=int, default=8000, metavar="N", help="8000 unless given")
    stater.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change one key of the state"
    )
    stater.add_argument("--step", metavar="K", help="updates done, the same as --set step=K")
    stater.add_argument("--page", default="update", metavar="NAME", help="update unless given")
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help")):
        arguments = ["build", *arguments]
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
