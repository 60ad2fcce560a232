"""The objective with fifty digits (mpmath), and its gradient as central differences of that loss.

No derivative is written by hand here, and nothing is imported from the core: only the definition of the loss.
Inputs are the float64 numbers of the setup, taken exactly; results are mpf numbers.
"""

from mpmath import exp, log, mpf, sqrt, workdps

DIGITS = 50
STEP = mpf(10) ** -15  # of each difference: its error is about STEP ** 2 = 1e-30, far below float64


def softmax(features, parameters):
    """Return the probabilities of one position, unshifted: fifty-digit numbers do not overflow."""
    weights = [
        exp(sum(x * row[v] for x, row in zip(features, parameters))) for v in range(len(parameters[0]))
    ]
    total = sum(weights)
    return [weight / total for weight in weights]


def exact(table):
    """Return a table of float64 numbers as mpf numbers."""
    return [[mpf(value) for value in row] for row in table]


class Objective:
    """One batch as a function of the parameters. Call its methods inside workdps(DIGITS)."""

    def __init__(self, setup, settings):
        self.beta, self.epsilon = mpf(settings["beta"]), mpf(settings["clip_epsilon"])
        self.learning_rate = mpf(settings["learning_rate"])
        rewards = settings["rewards"]
        rewards = [mpf(r) for r in (setup["rewards"][rewards] if isinstance(rewards, str) else rewards)]
        mean = sum(rewards) / len(rewards)
        deviation = sqrt(sum((r - mean) ** 2 for r in rewards) / len(rewards))
        if min(rewards) == max(rewards):
            self.advantages = [mpf(0)] * len(rewards)
        else:
            self.advantages = [(r - mean) / deviation for r in rewards]
        # (response, position, features, action, old probabilities, reference probabilities) of what counts
        self.counted = []
        behaviour, reference = exact(setup["behaviour"]), exact(setup["reference"])
        for i, response in enumerate(setup["responses"]):
            for t, (features, action) in enumerate(zip(response["features"], response["actions"])):
                if t < settings["keep"] and response["mask"][t]:
                    x = [mpf(value) for value in features]
                    self.counted.append((i, t, x, action, softmax(x, behaviour), softmax(x, reference)))
        lengths = {i: sum(row[0] == i for row in self.counted) for i, *_ in self.counted}
        by_response = settings["normalization"] == "response"
        self.weights = [
            mpf(1) / (len(lengths) * lengths[i] if by_response else len(self.counted))
            for i, *_ in self.counted
        ]

    def at(self, parameters):
        """Return loss, kl, and by (response, position) the ratios and distributions, at parameters [d][V]."""
        loss = kl = mpf(0)
        ratios, probs = {}, {}
        for weight, (i, t, x, action, old, reference) in zip(self.weights, self.counted):
            p = probs[i, t] = softmax(x, parameters)
            rho = ratios[i, t] = p[action] / old[action]
            A = self.advantages[i]
            u = min(rho * A, min(max(rho, 1 - self.epsilon), 1 + self.epsilon) * A)
            divergence = sum(pv * log(pv / qv) for pv, qv in zip(p, reference))
            loss += weight * (-u + self.beta * divergence)
            kl += weight * divergence
        return {"loss": loss, "kl": kl, "ratios": ratios, "probs": probs}

    def gradient(self, parameters):
        """Return (L(W + h) - L(W - h)) / 2h for each entry [d][V]."""
        slopes = []
        for j, row in enumerate(parameters):
            slopes.append([])
            for v in range(len(row)):
                losses = []
                for sign in (1, -1):
                    moved = [list(values) for values in parameters]
                    moved[j][v] += sign * STEP
                    losses.append(self.at(moved)["loss"])
                slopes[j].append((losses[0] - losses[1]) / (2 * STEP))
        return slopes

    def after(self, parameters, updates):
        """Return the parameters after this many updates, each by the difference gradient."""
        for _ in range(updates):
            gradient = self.gradient(parameters)
            parameters = [
                [w - self.learning_rate * g for w, g in zip(row, slopes)]
                for row, slopes in zip(parameters, gradient)
            ]
        return parameters


def fifty_digits(setup, settings, parameters=None):
    """Return loss, kl, gradient [d][V], ratios, probs at `parameters` (float64), or where the updates lead.

    Without parameters: after settings["step"] updates from the initial ones, all with fifty digits; the result
    then also has them as W.
    """
    with workdps(DIGITS):
        objective = Objective(setup, settings)
        W = (
            objective.after(exact(setup["initial"]), settings["step"])
            if parameters is None
            else exact(parameters)
        )
        return {
            **objective.at(W),
            "gradient": objective.gradient(W),
            "advantages": objective.advantages,
            "W": W,
        }
