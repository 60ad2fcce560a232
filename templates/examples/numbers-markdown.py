"""Fills numbers into Markdown: python numbers-markdown.py notes.md filled.md

In notes.md, [[loss]] stands for the number with the id loss. numbers.json lies beside this script.
把数填入 Markdown：notes.md 中的 [[loss]] 代表编号为 loss 的数；numbers.json 与本脚本放在同一文件夹。
"""

import json
import re
import sys
from pathlib import Path

numbers = json.loads(Path(__file__).with_name("numbers.json").read_text("utf-8"))["numbers"]
source = Path(sys.argv[1]).read_text("utf-8")
names = re.findall(r"\[\[([\w.-]+)\]\]", source)
if unknown := [name for name in names if name not in numbers]:
    sys.exit("no number has this id 没有此编号的数: " + ", ".join(unknown))
for name in names:
    source = source.replace(f"[[{name}]]", numbers[name]["text"])
Path(sys.argv[2]).write_text(source, "utf-8")
