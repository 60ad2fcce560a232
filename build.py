"""RL Parameter Update: build the site, serve it, print one state of a page, cite a number, prepare an edition.

python build.py [build]   write the site
python build.py serve     write it, serve it on this machine, again at every edit
python build.py state     print every number of one state as JSON
python build.py cite ID   print the citation of one number, in any state
python build.py compare OLD NEW      print which numbers differ between two numbers.json
python build.py release VERSION …    write the log of a new edition
python build.py verify    compute the registered numbers again by independent routes
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command: 0 done, 2 a mistake in a config, key or value, 1 a mismatch or a file that cannot be written."""
    from publish.reading.problems import Problems

    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        return COMMANDS[options.command](options) or 0
    except Problems as problems:
        print(problems, file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1
    except OSError as error:
        print(f"{error.filename or options.command}: {error.strerror or error}", file=sys.stderr)
        return 1


def build(options: argparse.Namespace) -> None:
    """Write the site and print the file to open."""
    from publish.site import build_site

    start = build_site(options.content, options.out, options.strict, options.address)
    print(start.resolve())


def serve(options: argparse.Namespace) -> None:
    """Write the site, serve it on 127.0.0.1, and build it again at every edit."""
    from publish.reading.folder import folders
    from publish.serving.preview import Preview
    from publish.serving.server import serve as serve_site

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
    from publish.commands.state import states_of
    from publish.page.keys import chosen_settings

    page = states_of(options.page, options.content)
    settings = chosen_settings(page.keys, page.settings, options.set, options.step)
    print(json.dumps(page.state(settings), ensure_ascii=False, allow_nan=False, indent=1))


def cite(options: argparse.Namespace) -> None:
    """Print the citation of one number, in any state of its page."""
    from publish.commands.cite import Wish, cite
    from publish.reading.problems import speaks_chinese

    wish = Wish(options.id, tuple(options.set), options.step, options.form, options.lang, options.page)
    text, note = cite(options.content, wish, options.address)
    if note:
        print(f"{options.id}: {note[speaks_chinese()]}", file=sys.stderr)
    print(text)


def compare(options: argparse.Namespace) -> None:
    """Print which numbers were added, went or changed between two numbers.json, page by page."""
    from publish.editions.compare import compare, read_numbers, report
    from publish.reading.problems import Problems

    found, problems = [], []
    for path in (options.old, options.new):
        try:
            found.append(read_numbers(path))
        except Problems as wrong:
            problems += wrong.problems
    if problems:
        raise Problems(problems)
    print(report(compare(*found), options.lang))


def release(options: argparse.Namespace) -> None:
    """Write the log and the addresses of a new edition into the content folder, and name it in edition.toml."""
    from publish.commands.release import Release, named, release
    from publish.words.language import Text

    note = Text(options.zh, options.en)
    wish = Release(options.version, options.date, note, options.old, options.again)
    print(named(release(options.content, wish)))


def verify(options: argparse.Namespace) -> int:
    """Compute the registered numbers again by independent routes, print what agrees, keep it for the next build."""
    from publish.commands.verify import report
    from publish.content import load_content
    from publish.site import gather
    from publish.verifying.verification import confirmed
    from publish.verifying.verification import verify as verified

    content, material = gather(load_content(options.content))
    record = verified(content, material, begins=lambda name: print(f"{name} …", file=sys.stderr, flush=True))
    print(report(record))
    return 0 if confirmed(record) else 1


FORMATS = ("text", "bibtex", "gbt7714", "latex", "json")
COMMANDS: dict[str, Callable[[argparse.Namespace], int | None]] = {
    "build": build,
    "serve": serve,
    "state": state,
    "verify": verify,
    "cite": cite,
    "compare": compare,
    "release": release,
}


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return the command and its options; argparse exits with 2 on a mistake."""
    from publish.reading.folder import SHIPPED, content_folder

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
        if name in ("build", "serve"):
            command.add_argument(
                "--out", type=Path, default=ROOT / "site", metavar="DIR", help="where the site goes"
            )
        if name in ("state", "cite"):
            command.add_argument(
                "--set", action="append", default=[], metavar="KEY=VALUE", help="change one key of the state"
            )
            command.add_argument("--step", metavar="K", help="updates done, the same as --set step=K")
        if name in ("build", "cite"):
            command.add_argument(
                "--address",
                metavar="URL",
                help="where the site will be published; else as content/edition.toml says",
            )
    with_options = ("build", "serve", "state", "cite", "compare", "release")
    builder, server, stater, citer, comparer, releaser = (commands.choices[name] for name in with_options)
    builder.add_argument(
        "--strict",
        action="store_true",
        help="fail when a check of the default state does not hold, or words do not apply to the configuration",
    )
    server.add_argument("--port", type=int, default=8000, metavar="N", help="8000 unless given")
    stater.add_argument("--page", default="update", metavar="NAME", help="update unless given")
    citer.add_argument("id", metavar="ID", help="id of a number, as in numbers.json")
    citer.add_argument("--as", dest="form", default="text", choices=FORMATS, help="text unless given")
    citer.add_argument("--lang", default="en", choices=("zh", "en"), help="en unless given")
    citer.add_argument("--page", metavar="NAME", help="the number's page, if it is to be checked")
    comparer.add_argument("old", type=Path, metavar="OLD", help="the earlier numbers.json")
    comparer.add_argument("new", type=Path, metavar="NEW", help="the later one")
    comparer.add_argument("--lang", default="en", choices=("zh", "en"), help="en unless given")
    releaser.add_argument("version", metavar="VERSION", help="such as 0.2.0")
    releaser.add_argument("--date", required=True, metavar="DATE", help="such as 2027-01-31")
    releaser.add_argument("--old", type=Path, metavar="FILE", help="numbers.json of the edition before")
    releaser.add_argument("--zh", default="", metavar="TEXT", help="what it is about, in Chinese")
    releaser.add_argument("--en", default="", metavar="TEXT", help="the same in English")
    releaser.add_argument("--again", action="store_true", help="write an edition anew that is in the log")
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help")):
        arguments = ["build", *arguments]
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
