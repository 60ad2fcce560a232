"""The keys that choose a state of the chapter on KL and clipping."""

from __future__ import annotations

from compute.chain_rule import LARGEST_BINARY_KL

from ..page.keys import Bounds, Key
from .config import (
    ADVANTAGE,
    BETA,
    EPSILON,
    GROUP,
    LARGEST_RATIO,
    LARGEST_VOCABULARY,
    LONGEST,
    PROBABILITY,
    RATIO,
    REWARDS,
    SECOND_KL,
    TOKEN_RATIO,
    VOCABULARY,
)

MOST = 1e6  # of rewards, advantages and beta

# In the order of the canonical hash.
KEYS = (
    Key("p", "number", PROBABILITY, bounds=Bounds(least=0, most=1)),
    Key("q", "number", PROBABILITY, bounds=Bounds(least=0, most=1)),
    Key("rewards", "numbers", REWARDS, count=2, bounds=Bounds(least=-MOST, most=MOST)),
    Key("beta", "number", BETA, bounds=Bounds(least=0, most=MOST)),
    Key("n", "whole", GROUP, most=LONGEST, bounds=Bounds(least=1)),
    Key("ratio", "number", RATIO, bounds=Bounds(least=0, most=LARGEST_RATIO)),
    Key("advantage", "number", ADVANTAGE, bounds=Bounds(least=-MOST, most=MOST)),
    Key("clip_epsilon", "number", EPSILON, bounds=Bounds(above=0, below=1)),
    Key("token_ratio", "number", TOKEN_RATIO, bounds=Bounds(above=0, most=LARGEST_RATIO)),
    Key("length", "whole", GROUP, most=LONGEST, bounds=Bounds(least=1)),
    Key("tree_p", "number", PROBABILITY, bounds=Bounds(least=0, most=1)),
    Key("tree_q", "number", PROBABILITY, bounds=Bounds(least=0, most=1)),
    Key("tree_kl", "numbers", SECOND_KL, count=2, bounds=Bounds(least=0, most=LARGEST_BINARY_KL)),
    Key("vocabulary", "whole", VOCABULARY, most=LARGEST_VOCABULARY, bounds=Bounds(least=2)),
)
