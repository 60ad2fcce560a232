"""What an exact KL costs: all V^T trajectories, against a batch of samples that grows linearly with the length."""


def enumeration(vocabulary, lengths, batch):
    """Return, for each length T, the number of trajectories and the forward passes of both ways.

    enumerated: one pass for every prefix, V^0 + ... + V^(T - 1); sampled: one for every token of a batch, batch * T.
    Counts are floats: beyond 2^53 only their leading digits are certain, and those are what is shown.
    """
    found = []
    for length in lengths:
        passes = 0.0
        for t in range(length):
            passes += float(vocabulary) ** t
        found.append(
            {
                "length": length,
                "trajectories": float(vocabulary) ** length,
                "enumerated": passes,
                "sampled": float(batch * length),
            }
        )
    return found
