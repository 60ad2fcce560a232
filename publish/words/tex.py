"""Text for TeX: each character as plain LaTeX writes it, without packages."""

from __future__ import annotations

import re

from .formatting import INFINITE

# Letters without an entry stay as they are: Han characters need XeLaTeX or LuaLaTeX anyway.
GREEK = """
α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho
σ sigma τ tau υ upsilon φ varphi χ chi ψ psi ω omega ℓ ell
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega
"""
SIGNS = r"""
− - × \times · \cdot ± \pm ∂ \partial ∇ \nabla √ \surd ≈ \approx ≠ \ne ≤ \le ≥ \ge ∈ \in ∞ \infty → \to
‖ \| ′ ' ² ^2 ⁺ ^+ ᵀ ^{\top} < < > > | | { \lbrace } \rbrace
"""


def pairs(text: str) -> list[tuple[str, str]]:
    """Return the words of a text, two by two."""
    words = text.split()
    return list(zip(words[::2], words[1::2], strict=True))


RAISED = dict(zip("⁻⁰¹³⁴⁵⁶⁷⁸⁹", ("$-$", *"013456789"), strict=True))
CHARACTERS: dict[str, str] = {
    **{letter: f"$\\{name}$" for letter, name in pairs(GREEK)},
    **{sign: f"${name}$" for sign, name in pairs(SIGNS)},
    **{sign: f"\\textsuperscript{{{text}}}" for sign, text in RAISED.items()},
    **{sign: f"\\{sign}" for sign in "#$%&_"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    '"': "{''}",
    "—": "---",
    "–": "--",
    "…": r"\ldots{}",
}

FIXED = re.compile(r"−?[0-9]+(?:\.([0-9]+))?")
SCIENTIFIC = re.compile(r"(?:(−?[0-9.]+) × |< )10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
UNCERTAIN = "≈ "
LOWERED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
ENDLESS = {INFINITE["inf"]: r"\infty", INFINITE["-inf"]: r"-\infty"}


def tex_text(text: str) -> str:
    """Return text in which no character means anything to TeX but itself."""
    return "".join(CHARACTERS.get(character, character) for character in text)


def tex_math(text: str) -> str | None:
    """Return the shown text of a number as LaTeX math, None for words and the dash of an absent number."""
    if text.startswith(UNCERTAIN):
        return rf"\approx {tex_math(text.removeprefix(UNCERTAIN))}"
    if FIXED.fullmatch(text):
        return text.replace("−", "-")
    if match := SCIENTIFIC.fullmatch(text):
        exponent = "".join("-0123456789"[LOWERED.index(digit)] for digit in match[2])
        before = rf"{match[1].replace('−', '-')} \times" if match[1] else "<"
        return rf"{before} 10^{{{exponent}}}"
    return ENDLESS.get(text)


def tex_number(text: str) -> str:
    """Return the shown text of a number as math; words and the dash of an absent number as text."""
    math = tex_math(text)
    return tex_text(text) if math is None else f"${math}$"


def tex_address(address: str) -> str:
    """Return an address that TeX may break into lines; the command for addresses takes no # in a footnote."""
    return re.sub(r"(\\&|/|,)", r"\1\\allowbreak ", tex_text(address))
