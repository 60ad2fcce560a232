"""What sentences say of the rollout: how many tokens, when a bound first cuts, when the loss rises."""

from .plain import plain


def facts(setup, state, curve):
    """Return the counts and findings of one config at its default settings.

    curve: loss, kl, clipped at every step 0 ... steps under the default settings (see state.curves).
    first_clipped, first_rise: numbers of updates done, or None when it never happens within these updates.
    """
    losses = curve["loss"]
    rises = [n for n in range(1, len(losses)) if rose(losses[n - 1], losses[n])]
    clipping = [n for n, count in enumerate(curve["clipped"]) if count]
    features, actions = len(setup["initial"]), len(setup["initial"][0])
    return plain(
        {
            "responses": len(setup["responses"]),
            "tokens": sum([len(response["actions"]) for response in setup["responses"]]),
            "positions": len(state["positions"]),
            "longest": max([len(response["actions"]) for response in setup["responses"]]),
            "features": features,
            "actions": actions,
            "parameters": features * actions,
            "trajectories": actions * actions,
            "steps": setup["steps"],
            "reward_sets": len(setup["rewards"]),
            "first_clipped": clipping[0] if clipping else None,
            "first_rise": rises[0] if rises else None,
            "rises": len(rises),
            "most_clipped": max(curve["clipped"]),
            "loss_start": losses[0],
            "loss_end": losses[-1],
            "kl_start": curve["kl"][0],
            "kl_end": curve["kl"][-1],
        }
    )


def rose(before, after):
    """Tell whether a loss rose; undefined and infinite ones (strings) are not compared."""
    return not isinstance(before, str) and not isinstance(after, str) and after > before
