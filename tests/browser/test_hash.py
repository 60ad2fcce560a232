"""The page reads a hash as the command line reads `--set`: the same settings, or both refuse."""

from __future__ import annotations

import os
import re
from random import Random
from urllib.parse import quote, unquote_to_bytes

import pytest

from publish.page.keys import SCHEMA
from publish.reading.problems import Problems
from tests.live_states import KEYS, canonical, settings_of, some_choices

pytestmark = pytest.mark.browser

COUNT = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "fuzz" else 300
BESIDE = ("v", "show", "hide", "lock", "only", "theme")  # keys of a hash that are no settings
NAMES = [key.name for key in KEYS]
READ = """hashes => hashes.map((hash) => {
    try {
        const {settings, others, wrong, plain} = RLPU.hash.read(hash, RLPU.live.data);
        return {settings, others, wrong: wrong.map((item) => item.key), plain,
            canonical: RLPU.hash.write({...RLPU.live.data.settings, ...settings}, RLPU.live.data)};
    } catch (error) {
        return {thrown: String(error)};
    }
})"""

# Values at the edges of the two languages' number readers, and of what hashes can hold.
ODD = [
    *(
        "-0",
        "+0",
        "0.0",
        "1e400",
        "-1e400",
        "1e-400",
        " 1 ",
        "1_000",
        "0x10",
        "1.",
        ".5",
        ".",
        "1e5",
        "1.e5",
        "+.5e-3",
    ),
    *(
        "inf",
        "nan",
        "Infinity",
        "NaN",
        "１",
        "٣",
        "²",
        "1,0,0.5,1",
        "1, 0, .5, +1",
        "1,0,0,",
        ",,,",
        "1e6,0,0,-1e6",
    ),
    *(
        "1000001,0,0,0",
        "-0,-0,-0,-0",
        "00.00",
        "000.0",
        "0000.0",
        "0.03",
        "9.9",
        "-1.0",
        "0.-1",
        "1.1.1",
        "007",
        "",
    ),
    *(
        "true",
        "null",
        "[]",
        "token ",
        "Token",
        "ＴＯＫＥＮ",
        "__proto__",
        "constructor",
        "toString",
        "99999999999999",
    ),
    *(
        "1000000000",
        "1000000001",
        "9" * 12,
        "9" * 13,
        "1" * 5000,
        "0." + "3" * 400,
        "0." + "0" * 400 + "1",
        "\u3000 2",
    ),
    *(
        "1\n",
        "1\u00a0",
        "😀",
        "é",
        "a=b",
        "=",
        "==",
        "%",
        "%zz",
        "%E0%A4%A",
        "%2",
        "%00",
        "<script>",
        "'\"",
        "1e+2",
    ),
    *("1E2", "1e2.5", "--1", "1-", "1 2", "0b1", "1j", "1f", "1n", "０.1", "0，1"),
]


def valid_pairs(rng):
    return some_choices(1, rng.randrange(10**9))[0]


def random_hash(rng):
    """Return a hash: valid, changed, or made of odd values."""
    pairs = [pair.split("=", 1) for pair in valid_pairs(rng)]
    kind = rng.randrange(6)
    if kind == 1:
        pairs += [[rng.choice([*NAMES, *BESIDE]), rng.choice(ODD)]]
    elif kind == 2:
        pairs = [[rng.choice(NAMES), rng.choice(ODD)] for _ in range(rng.randrange(1, 3))]
    elif kind == 3:
        pairs += [[rng.choice([*ODD, "bta", "Beta", "state"]), "1"]]
    elif kind == 4 and pairs:
        pairs += [rng.choice(pairs)]
    text = "&".join(f"{name}={value}" for name, value in pairs)
    if kind == 5 and text:
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(text))
            change = rng.choice(["", "&", "=", "%", ".", "-", "0", "e", ",", "+", "é", "１", text[place] * 2])
            text = text[:place] + change + text[place + 1 :]
    if rng.random() < 0.3:
        text = quote(text, safe="=&,.%-" if rng.random() < 0.5 else "=&")
    if rng.random() < 0.2:
        text = rng.choice([f"v={SCHEMA}&", "&&", "hide=beta&"]) + text
    return "#" * rng.randrange(2) + text


def decoded(value):
    """Return a value with its %-escapes resolved, or as it is when they make no sense."""
    if re.search("%(?![0-9a-fA-F]{2})", value):
        return value
    try:
        return unquote_to_bytes(value).decode("utf-8")
    except UnicodeDecodeError:
        return value


def by_python(text):
    """Return the settings that the command line would take, or None when it refuses."""
    assignments = []
    for pair in filter(None, text.removeprefix("#").split("&")):
        name, equals, value = pair.partition("=")
        if name in BESIDE:
            if name == "v" and decoded(value) != str(SCHEMA):
                return None
            if name == "theme" and decoded(value) not in ("light", "dark"):
                return None
            continue
        if name != name.strip():  # the command line forgives spaces around a key; a hash has none
            return None
        assignments.append(f"{name}{equals}{decoded(value)}")
    try:
        return settings_of(*assignments)
    except Problems:
        return None


def test_hashes_are_read_as_the_command_line_reads(visit):
    page = visit("en/update.html").page
    rng = Random(None if COUNT > 300 else 7)
    hashes = [f"{name}={value}" for name in NAMES for value in ODD] + [random_hash(rng) for _ in range(COUNT)]
    hashes += [
        "",
        "#",
        "#top",
        "#=",
        "#&",
        "a=b=c",
        "#v=1",
        "beta=0.1&beta=0.1",
        "#%",
        "beta",
        "#beta&keep=1",
    ]
    refused = 0
    for text, read in zip(hashes, page.evaluate(READ, hashes)):
        assert "thrown" not in read, (text, read)
        if "=" not in text:
            assert (read["settings"], read["wrong"], read["plain"]) == ({}, [], text.removeprefix("#"))
            continue
        wanted = by_python(text)
        refused += wanted is None
        assert (wanted is None) == bool(read["wrong"]), (text[:300], read["wrong"], wanted)
        if wanted is not None:
            assert {**settings_of(), **read["settings"]} == wanted, text[:300]
            assert read["canonical"] == canonical(wanted)
        assert not set(read["wrong"]) & set(read["settings"])
    assert len(hashes) / 5 < refused < len(hashes) * 0.9


def test_what_is_written_is_read_back(visit):
    page = visit("en/update.html").page
    for choice in some_choices(60, 3):
        text = canonical(settings_of(*choice))
        read = page.evaluate(READ, [text])[0]
        assert read["wrong"] == [] and read["canonical"] == text
        assert read["settings"] == settings_of(*choice)


def test_a_key_given_twice_is_wrong_and_neither_is_taken(visit):
    page = visit("en/update.html").page
    for text in ("beta=0.2&beta=0.5", "beta=0.2&keep=1&beta=x", "beta=0.2&beta=0.2&beta=0.2"):
        read = page.evaluate(READ, [text])[0]
        assert read["wrong"] == ["beta"] and "beta" not in read["settings"]
        assert by_python(text) is None
