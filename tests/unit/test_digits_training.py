"""Training many runs side by side: no run sees another, the reference stays, records are complete."""

from threading import Event

import numpy as np
import pytest

from compute.digits import training
from compute.digits.evaluation import enumerated, evaluated, trajectory_log_probs
from compute.digits.policy import flat, named
from compute.digits.reinforce import (
    climb,
    draw,
    leave_one_out,
    log_ratios,
    policy_gradient,
    returns_of,
    sampled,
)
from compute.digits.supervised import digests, frozen, supervised_start
from compute.digits.task import split, streams, targets
from compute.digits.training import blocks, max_of, of_rows, runs_of, side_by_side, train
from tests.configurations import digits_setup

PARTS = ("reward", "kl", "sampled_kl", "rows")


def trained(setup, pairs=None, **options):
    """The reference and the record of some runs, all seeds and betas unless given."""
    reference = frozen(supervised_start(setup)[0])
    pairs = pairs or [(seed, beta, 1.0) for beta in setup["betas"] for seed in setup["seeds"]]
    return reference, train(setup, reference, runs_of(pairs, setup["seeds"]), **options)


def same(one, other, mine, theirs):
    """Whether runs of two records are the same to the last bit."""
    return np.array_equal(one.final[mine], other.final[theirs]) and all(
        np.array_equal(getattr(one, name)[:, mine], getattr(other, name)[:, theirs]) for name in PARTS
    )


def test_the_same_seed_gives_the_same_result():
    _, one = trained(digits_setup())
    _, other = trained(digits_setup())
    assert same(one, other, slice(None), slice(None))


def test_one_more_seed_changes_no_other_run():
    _, few = trained(digits_setup())
    _, more = trained(digits_setup(seeds=[0, 9, 5]))
    assert same(few, more, [0, 1, 2, 3], [0, 2, 3, 5])


def test_one_more_beta_changes_no_other_run():
    _, few = trained(digits_setup())
    _, more = trained(digits_setup(betas=[2.0, 0.0, 0.5]))
    assert same(few, more, [0, 1, 2, 3], [2, 3, 4, 5])
    assert not same(few, more, [0, 1], [0, 1])


def test_blocks_change_nothing(monkeypatch):
    _, together = trained(digits_setup())
    monkeypatch.setattr(training, "BLOCK", 1)
    assert len(blocks(digits_setup(), 4)) == 4
    _, apart = trained(digits_setup())
    assert same(together, apart, slice(None), slice(None))
    assert (together.kl_error, together.sum_error) == (apart.kl_error, apart.sum_error)


def test_the_reference_stays_what_it_was():
    setup = digits_setup()
    reference = frozen(supervised_start(setup)[0])
    before = digests(reference)
    for exact in (False, True):
        record = train(setup, reference, runs_of([(0, 0.5, 1.0)], setup["seeds"]), exact=exact)
        assert digests(reference) == before
        assert digests(named(record.final, setup["hidden"])) != before[:1]
    copies = of_rows(reference, np.array([0, 1]))
    assert not any(np.shares_memory(copies[name], reference[name]) for name in copies)


@pytest.mark.parametrize("exact", [False, True])
def test_the_record_is_complete(exact):
    setup = digits_setup()
    reference, record = trained(setup, exact=exact)
    assert record.reward.shape == record.kl.shape == (3, 4, 100)  # updates 0, 10, 20; two seeds, two betas
    assert record.rows.shape == (3, 4, 326) and record.final.shape == (4, 326)  # 51 * 6 + 20
    assert np.array_equal(record.rows[0], flat(reference)[[0, 1, 0, 1]])
    assert np.array_equal(record.rows[2], record.final)
    assert not record.kl[0].any() and not record.sampled_kl[0].any()  # at the start, p is q
    assert (record.kl[1:].mean(axis=-1) > 0).all()
    assert record.sampled_kl[1:].any() != exact
    again = evaluated(named(record.final, 6), enumerated(of_rows(reference, [0, 1, 0, 1])), *targets("sum"))
    assert np.array_equal(again.reward, record.reward[2]) and np.array_equal(again.kl, record.kl[2])
    assert 0 < record.sum_error < 1e-12 and record.kl_error < 1e-12


def test_exact_ascent_raises_its_objective():
    setup = digits_setup()
    chosen = split(setup["training_fraction"], setup["split_seed"])
    for beta in (0.0, 0.5):
        _, record = trained(setup, [(0, beta, 0.2)], exact=True)
        objective = (record.reward - beta * record.kl)[:, 0, chosen].mean(axis=-1)
        assert (np.diff(objective) > 0).all()


def test_a_disturbance_is_seen_and_none_is_none():
    setup = digits_setup()
    _, base = trained(setup)
    _, same_again = trained(setup, disturbance=0.0)
    _, disturbed = trained(setup, disturbance=1e-9)
    assert np.array_equal(base.final, same_again.final)
    assert 0 < np.abs(base.reward - disturbed.reward).max() < 1e-6


def test_ticks_once_per_update_and_block():
    ticks = []
    trained(digits_setup(), tick=lambda: ticks.append(1))
    assert len(ticks) == 2 * 21  # four runs in two blocks, updates 0 and 20 included


def test_blocks_hold_every_run_once():
    # With 32 hidden units, 15 runs at most: 40 runs are four blocks of 10, one run is one.
    setup = digits_setup(hidden=32)
    assert blocks(setup, 40) == [slice(0, 10), slice(10, 20), slice(20, 30), slice(30, 40)]
    assert blocks(setup, 1) == [slice(0, 1)]
    for runs in range(1, 70):
        parts = blocks(setup, runs)
        assert [n for part in parts for n in range(part.start, part.stop)] == list(range(runs))
        assert max(part.stop - part.start for part in parts) <= 15


@pytest.mark.parametrize("parts", [["fails", "waits"], ["waits", "fails"]])
def test_an_exception_in_one_block_ends_the_others(parts):
    # One block fails; the other would go on until it is told to stop.
    stopped, begun = Event(), Event()

    def work(part):
        if part == "fails":
            assert begun.wait(10)
            raise KeyboardInterrupt
        begun.set()
        return stopped.wait(10)

    with pytest.raises(KeyboardInterrupt):
        side_by_side(work, parts, stopped)
    assert stopped.is_set()


def test_an_interrupted_training_stops_at_its_next_update():
    ticks = []

    def interrupt():
        ticks.append(1)
        if len(ticks) >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(digits_setup(), tick=interrupt)
    assert len(ticks) < 42


def test_threads_keep_how_numpy_treats_errors():
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        side_by_side(lambda part: np.float64(1.0) / part, [np.float64(0.0)], Event())


def test_the_largest_is_undefined_where_one_is():
    assert max_of([1.0, 3.0, 2.0]) == 3.0 and np.isnan(max_of([1.0, float("nan")]))


def test_a_run_is_its_seeds_stream_replayed_by_hand():
    # Seed 5 is neither first nor alone; beta 0.5, rate 0.7, two updates and the draw after them.
    plan = digits_setup()["reinforce"] | {"updates": 2, "evaluate_every": 1}
    setup = digits_setup(reinforce=plan, seeds=[0, 5, 9])
    reference, record = trained(setup, [(0, 0.0, 1.0), (9, 0.5, 1.0), (5, 0.5, 0.7)])
    generator, inputs_for_training = streams(5)[1], np.flatnonzero(split(0.6, 0))
    log_q = trajectory_log_probs(enumerated(of_rows(reference, [1])))
    parameters = of_rows(reference, [1])
    for update in range(3):
        inputs, uniforms = draw([generator], inputs_for_training, plan["inputs"], plan["samples"])
        batch = sampled(parameters, inputs, uniforms)
        ratios = log_ratios(batch, inputs, log_q)
        assert record.sampled_kl[update, 2] == pytest.approx(ratios.mean(), abs=1e-14)
        if update < 2:
            advantages = leave_one_out(returns_of(batch, inputs, ratios, targets("sum"), np.array([0.5])))
            climb(parameters, policy_gradient(parameters, batch, advantages), np.array([0.7]))
    assert record.final[2] == pytest.approx(flat(parameters)[0], abs=1e-14)
