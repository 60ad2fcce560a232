"""What an exact KL costs, of compute/enumeration.py."""

from hypothesis import given
from hypothesis import strategies as st

from compute.enumeration import enumeration


def test_ten_actions():
    # 10, 100, 1000 trajectories; one pass for each prefix: 1, 1 + 10, 1 + 10 + 100; 64 T for a batch of 64.
    assert enumeration(10, [1, 2, 3], 64) == [
        {"length": 1, "trajectories": 10.0, "enumerated": 1.0, "sampled": 64.0},
        {"length": 2, "trajectories": 100.0, "enumerated": 11.0, "sampled": 128.0},
        {"length": 3, "trajectories": 1000.0, "enumerated": 111.0, "sampled": 192.0},
    ]


def test_one_action_has_one_trajectory():
    assert enumeration(1, [4], 1) == [{"length": 4, "trajectories": 1.0, "enumerated": 4.0, "sampled": 4.0}]


def test_only_the_lengths_asked_for():
    assert [row["length"] for row in enumeration(2, [8, 1, 3], 1)] == [8, 1, 3]
    assert enumeration(2, [], 1) == []


@given(st.integers(2, 100), st.integers(1, 7), st.integers(1, 1000))
def test_counts_against_whole_numbers(vocabulary, length, batch):
    # 100^7 < 2^53, so that every count is exact: V^T, the geometric sum (V^T - 1) / (V - 1), and batch T.
    (row,) = enumeration(vocabulary, [length], batch)
    assert row["trajectories"] == vocabulary**length
    assert row["enumerated"] == (vocabulary**length - 1) // (vocabulary - 1)
    assert row["sampled"] == batch * length
    assert [type(row[name]) for name in ("trajectories", "enumerated", "sampled")] == [float] * 3


def test_the_leading_digits_of_large_counts():
    # 50000^60 = 5^60 * 10^240 = 8.673617379884035e281, 5^60 by whole numbers.
    (row,) = enumeration(50000, [60], 1)
    assert abs(row["trajectories"] / 10.0**240 - 5**60) <= 1e-14 * 5**60
