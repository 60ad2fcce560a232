"""The state of the main page as one plain object: what `build.py state` prints and what the page shows.

JSON in, JSON out, so that the same function serves the build, the command line and the reader's tab.
"""

import json

from .matrices import outer
from .plain import plain
from .policy import probabilities
from .update import evaluate, evaluate_positions, loss_share, prepare, sum_of_shares, trajectory


def state(setup, settings):
    """Return every number of one state of the main page.

    setup: see rollout.py. settings: normalization, keep, beta, clip_epsilon, learning_rate, rewards, path,
    step, at. Infinite and undefined values are the strings "inf", "-inf", "nan"; absent ones are None.
    """
    batch = prepare(setup, settings)
    run = trajectory(batch, setup["initial"], settings["step"] + 1)
    return state_of(setup, settings, batch, run)


def state_of(setup, settings, batch, run):
    """Return the state at settings["step"] of a run already computed (its evaluations, from step 0)."""
    step = settings["step"]
    now = run[step]
    after = run[step + 1] if step + 1 < len(run) else evaluate(batch, now.next_parameters)
    terms = evaluate_positions(batch, now.parameters)
    terms_after = evaluate_positions(batch, after.parameters)
    mean, deviation = batch.path.group(batch.rewards)
    return plain(
        {
            "settings": settings,
            "step": step,
            "loss": now.loss,
            "loss_next": after.loss,
            "kl": now.kl,
            "kl_exact": exact_figure(setup, settings, now),
            "clipped": now.clipped,
            "outside": now.outside,
            "counted": now.counted,
            "skipped": now.counted == 0,
            "rewards": batch.rewards,
            "group": {"mean": mean, "deviation": deviation},
            "advantages": batch.advantages,
            "W": now.parameters,
            "gradient": now.gradient,
            "W_next": now.next_parameters,
            "W_old": setup["behaviour"],
            "W_ref": setup["reference"],
            "positions": [position_fields(batch, k, terms[k], terms_after[k]) for k in range(len(terms))],
            "selected": selected_fields(batch, terms, settings["at"]),
            "history": [history_fields(n + 1, run[n]) for n in range(step)],
        }
    )


def exact_figure(setup, settings, now):
    """Return the exact KL to the configured reference with the declared weights: what the correct path logs."""
    if settings["path"] == "correct":
        return now.kl
    declared = dict(settings)
    declared["path"] = "correct"
    return evaluate(prepare(setup, declared), now.parameters).kl


def position_fields(batch, k, term, term_after):
    """Return one position's numbers; None where no action was taken."""
    position = batch.positions[k]
    surrogate = term.surrogate
    acted = position.action is not None
    return {
        "response": position.response,
        "position": position.position,
        "kind": position.kind,
        "features": position.features,
        "action": position.action,
        "weight": batch.weights[k],
        "advantage": batch.advantages[position.response],
        "logprob_old": term.log_prob_old,
        "logprob": term.log_prob,
        "ratio": term.ratio,
        "unclipped": surrogate.unclipped if acted else None,
        "clipped_term": surrogate.clipped_term if acted else None,
        "surrogate": surrogate.value if acted else None,
        "is_clipped": surrogate.is_clipped if acted else False,
        "prob": term.probs[position.action] if acted else None,
        "prob_next": term_after.probs[position.action] if acted else None,
        "logits": term.logits,
        "probs": term.probs,
        "ref_probs": probabilities(batch.reference_log_probs[k] or term.log_probs),
        "kl": term.divergence.value,
        "dlogits": term.dlogits,
    }


def selected_fields(batch, terms, at):
    """Return what `follow one token` adds: the selected position's parts and its share of the gradient.

    at: "response.position", both from 0.
    """
    k = find(batch.positions, at)
    term = terms[k]
    return {
        "index": k,
        "loss_share": loss_share(batch, k, term),
        "policy_gradient": term.policy_gradient,
        "kl_gradient": term.divergence.gradient,
        "share": outer(batch.positions[k].features, term.dlogits),
        "share_sum": sum_of_shares(batch, terms),
    }


def find(positions, at):
    """Return the index of the position named "response.position". Raises ValueError if there is none."""
    response, position = [int(part) for part in at.split(".")]
    for k, candidate in enumerate(positions):
        if candidate.response == response and candidate.position == position:
            return k
    raise ValueError("at: no position " + at)


def history_fields(n, before):
    """Return the entry of update n: what was before it, and the parameters after it."""
    return {
        "step": n,
        "loss": before.loss,
        "kl": before.kl,
        "clipped": before.clipped,
        "W": before.next_parameters,
    }


def curves(setup, settings, betas):
    """Return loss, KL and clipped count at every step 0 ... steps, for each beta, all else as in settings."""
    entries = []
    for beta in betas:
        changed = dict(settings)
        changed["beta"] = beta
        run = trajectory(prepare(setup, changed), setup["initial"], setup["steps"] + 1)
        entries.append(
            {
                "beta": beta,
                "loss": [evaluation.loss for evaluation in run],
                "kl": [evaluation.kl for evaluation in run],
                "clipped": [evaluation.clipped for evaluation in run],
            }
        )
    return plain(entries)


def state_json(request):
    """Return `state` for a JSON object {"setup", "settings"}, as JSON."""
    request = json.loads(request)
    return json.dumps(state(request["setup"], request["settings"]))
