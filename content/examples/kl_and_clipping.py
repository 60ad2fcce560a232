# KL of two paths, and the clipped surrogate. 两条路径的 KL，以及裁剪的代理项。
from math import log

INFINITY = float("inf")


def kl(p, q):
    """KL(p || q) in nats; infinite where only q is 0. 单位 nat；只有 q 为 0 时无穷大。"""
    total = 0.0
    for p_y, q_y in zip(p, q):
        if p_y > 0:
            total += p_y * log(p_y / q_y) if q_y > 0 else INFINITY
    return total


def clipped(w, advantage, clip_epsilon=0.2):
    """min(w A, clip(w) A): multiply first, then take the minimum. 先相乘，再取小值。"""
    bounded = min(max(w, 1 - clip_epsilon), 1 + clip_epsilon)
    return min(w * advantage, bounded * advantage)


p, q = [0.8, 0.2], [0.5, 0.5]
print("KL(p || q) =", round(kl(p, q), 6))
print("KL(q || p) =", round(kl(q, p), 6))
assert kl(p, p) == 0, "the KL from a policy to itself is 0"
assert abs(kl(p, q) - kl(q, p)) > 0.01, "the two directions differ"
assert kl(p, [0.0, 1.0]) == INFINITY, "no small number hides a missing path"

for w, advantage in [(1.4, 2), (0.6, -2), (1.4, -2)]:
    print("w =", w, " A =", advantage, " u =", round(clipped(w, advantage), 6))
assert clipped(1.4, -2) < clipped(1.2, -2), "outside the interval, but not clipped"

print("all assertions hold 断言全部成立")
