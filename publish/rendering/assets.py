"""The files that pages load: style, scripts, fonts, vendored libraries, and the colours as a style sheet."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

from .engine import write_engine
from .parts import wrapped, write_parts

SHIPPED_VENDOR = ("plotly", "latinmodern-math")
PREFIX = {"quantity": "q-"}


def palette_css(palette: Path) -> str:
    """Return the colours as custom properties: light, dark by the system, dark or light by the reader's choice."""
    groups = tomllib.loads(palette.read_text(encoding="utf-8"))
    names = {
        f"--{PREFIX.get(group, '')}{name}": pair
        for group, colors in groups.items()
        for name, pair in colors.items()
    }
    light, dark = ("".join(f"  {name}: {pair[index]};\n" for name, pair in names.items()) for index in (0, 1))
    return (
        "/* Made from templates/palette.toml by the build. */\n"
        f":root {{\n  color-scheme: light;\n{light}}}\n"
        "@media (prefers-color-scheme: dark) {\n:root:not([data-theme=light]) {\n"
        f"  color-scheme: dark;\n{dark}}}\n}}\n"
        f":root[data-theme=dark] {{\n  color-scheme: dark;\n{dark}}}\n"
        f"@media print {{\n:root:root:root {{\n  color-scheme: light;\n{light}}}\n}}\n"
    )


def style_sheet(templates: Path) -> str:
    """Return all styles as one sheet: the colours, then style.css, then those of single parts of the page."""
    styles = sorted(
        (templates / "assets" / "css").glob("*.css"), key=lambda path: (path.name != "style.css", path.name)
    )
    return palette_css(templates / "palette.toml") + "".join(
        path.read_text(encoding="utf-8") for path in styles
    )


def write_assets(templates: Path, site: Path, made: Mapping[str, str] | None = None) -> None:
    """Write site/assets. made: scripts that the build writes itself, name → text."""
    source, target = templates / "assets", site / "assets"
    target.mkdir(parents=True)
    (target / "style.css").write_bytes(style_sheet(templates).encode("utf-8"))
    for picture in (source / "icon.svg", *source.glob("preview-*.png")):
        shutil.copyfile(picture, target / picture.name)
    shutil.copytree(source / "js", target / "js", copy_function=shutil.copyfile)
    for name, text in (made or {}).items():
        (target / "js" / f"{name}.js").write_bytes(text.encode("utf-8"))
    write_engine(source / "vendor" / "micropython", templates.parent / "compute", target / "engine")
    for name in SHIPPED_VENDOR:
        shutil.copytree(source / "vendor" / name, target / "vendor" / name, copy_function=shutil.copyfile)
    plotly = target / "vendor" / "plotly" / "plotly-basic.min.js"
    plotly.write_bytes(wrapped("RLPU_PLOTLY", plotly.read_text(encoding="utf-8")).encode("utf-8"))
    write_parts(target)
