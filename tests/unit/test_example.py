"""The program of a page: what is shown is what was run; one that fails is told with file and line."""

import io
import subprocess
import sys
from contextlib import redirect_stdout

import pytest

from publish.reading.problems import Problems
from publish.words.example import Example, load_example
from tests.content_tools import (
    CONTENT,
    KL,
    changed,
    content_with,
    line_of,
    problems_of,
    run_build,
    shipped_content,
    shipped_material,
    shipped_subject,
)
from tests.documents import Document, rendered

SHIPPED = CONTENT / "examples" / "kl_and_clipping.py"
NAME = "examples/a.py"


def example(folder, text):
    path = folder / "a.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return load_example(path, NAME)


def test_what_it_prints_is_kept_and_not_printed(tmp_path, capsys):
    found = example(tmp_path, 'x = 2\nprint("a", x)\nprint("一")\n')
    assert found == Example("a.py", 'x = 2\nprint("a", x)\nprint("一")\n', "a 2\n一\n")
    assert capsys.readouterr() == ("", "")


def test_a_program_that_prints_nothing(tmp_path):
    assert example(tmp_path, "assert True\n").output == ""


def test_functions_see_what_stands_beside_them(tmp_path):
    """As in a module: one namespace, so that functions call each other and see imports."""
    text = "from math import log\ndef f(x):\n    return g(x) if x else log(1)\ndef g(x):\n    return f(0)\n"
    assert example(tmp_path, text + "print(f(1))\n").output == "0.0\n"


def test_what_stands_under_main_is_not_run(tmp_path):
    text = 'if __name__ == "__main__":\n    raise SystemExit\nprint(__name__)\n'
    assert example(tmp_path, text).output == "example\n"


def test_one_program_leaves_nothing_for_the_next(tmp_path):
    example(tmp_path, "seen = 1\n")
    (problem,) = problems_of(example, tmp_path, "print(seen)\n")
    assert "NameError" in problem.what[0]


FAILING = [
    ("failing assertion", 'x = 1\n\nassert x == 2, "x is not 2"\n', 3, "AssertionError: x is not 2"),
    ("assertion without words", "assert 1 == 2\n", 1, "AssertionError; correct it"),
    ("exception", "x = 1\nx / 0\n", 2, "ZeroDivisionError: division by zero"),
    ("exception in a function", "def f():\n    return 1 / 0\n\nf()\n", 2, "ZeroDivisionError"),
    ("exception in another module", "import json\n\njson.loads('x')\n", 3, "JSONDecodeError"),
    ("exception in a function of a function", "def f(): return g()\ndef g():\n    raise KeyError('a')\nf()\n", 3,
     "KeyError: 'a'"),
    ("name that there is not", "print(1)\nprint(nothing)\n", 2, "NameError: name 'nothing'"),
    ("syntax error", "x = 1\ny = (\n", 2, "SyntaxError: "),
    ("wrong indentation", "if True:\nx = 1\n", 2, "IndentationError: "),
    ("endless recursion", "def f():\n    return f()\nf()\n", 2, "RecursionError"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "says"), [case[1:] for case in FAILING], ids=[c[0] for c in FAILING]
)
def test_a_program_that_fails(tmp_path, capsys, text, line, says):
    (problem,) = problems_of(example, tmp_path, text)
    assert (problem.file, problem.line, problem.key) == (NAME, line, "")
    assert says in problem.what[0] and "示例无法运行" in problem.what[1]
    assert "\n" not in str(Problems([problem])) and str(Problems([problem])).startswith(f"{NAME}:{line}: ")
    assert capsys.readouterr() == ("", "")


def test_a_program_that_leaves_early_is_told_too(tmp_path):
    (problem,) = problems_of(example, tmp_path, "import sys\nsys.exit(3)\n")
    assert problem.line == 2 and "SystemExit" in problem.what[0]


def test_it_runs_as_it_would_in_a_readers_python(tmp_path):
    """No future statement of the build's own: annotations are looked up when a function is made."""
    (problem,) = problems_of(example, tmp_path, "def f(x: nothing):\n    pass\n")
    assert problem.line == 1 and "NameError" in problem.what[0]


def test_an_exception_whose_words_have_lines_is_told_in_one(tmp_path):
    (problem,) = problems_of(example, tmp_path, 'raise ValueError("one\\ntwo")\n')
    assert "\n" not in str(Problems([problem])) and "one\\ntwo" in str(Problems([problem]))


def test_a_program_that_fails_gives_the_output_back(tmp_path):
    """What the build prints afterwards is seen."""
    problems_of(example, tmp_path, "print(1)\nassert False\n")
    printed = io.StringIO()
    with redirect_stdout(printed):
        print("seen")
    assert printed.getvalue() == "seen\n"


@pytest.mark.parametrize("kind", ["missing", "a folder"])
def test_a_file_that_cannot_be_read(tmp_path, kind):
    path = tmp_path / "b.py"
    if kind == "a folder":
        path.mkdir()
    with pytest.raises(OSError):
        load_example(path, NAME)


def test_a_file_that_is_no_text(tmp_path):
    with pytest.raises(UnicodeDecodeError):
        example(tmp_path, b"\xff\xfe")
    (problem,) = problems_of(example, tmp_path, b"print(1)\0\n")
    assert "null bytes" in problem.what[0]


def test_the_shipped_program_runs_in_a_python_of_its_own(tmp_path):
    """What stands in the page is what CPython prints when a reader runs the downloaded file."""
    found = shipped_content().example
    assert found.source == SHIPPED.read_text(encoding="utf-8") and found.name == SHIPPED.name
    path = tmp_path / found.name
    path.write_bytes(shipped_subject(KL).files[found.name].encode("utf-8"))
    done = run_python(path)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", found.output)
    assert found.output.splitlines()[-1] == "all assertions hold 断言全部成立"


def run_python(path):
    return subprocess.run(
        [sys.executable, "-X", "utf8", str(path)], capture_output=True, encoding="utf-8", timeout=60
    )


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_shown_is_the_file_and_its_output(language):
    page = Document(rendered(KL, language, shipped_content(), shipped_material()))
    (source,) = page.all("pre", id="example-source")
    (output,) = page.all("pre", id="example-output")
    assert source.text == SHIPPED.read_text(encoding="utf-8")
    assert output.text == shipped_content().example.output
    (link,) = [e for e in page.all("a") if e.attributes.get("href", "").endswith(".py")]
    assert link.attributes["href"] == f"../data/{SHIPPED.name}"


def test_a_failing_example_stops_the_build_with_its_line(tmp_path):
    text = changed(SHIPPED.read_text(encoding="utf-8"), "assert kl(p, p) == 0", "assert kl(p, p) == 1")
    content_with(tmp_path / "content", {f"examples/{SHIPPED.name}": text})
    done = run_build("build", "--content", "content", "--out", "site", cwd=tmp_path)
    line = line_of(text, "assert kl(p, p) == 1")
    assert (done.returncode, done.stdout) == (2, "") and not (tmp_path / "site").exists()
    assert done.stderr.startswith(f"content/examples/{SHIPPED.name}:{line}: the example does not run: Asser")
