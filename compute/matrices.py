"""Small tables of numbers as lists of rows: the few operations that updates, expectation and checks share."""


def zeros_like(matrix):
    """Return a table of zeros with the shape of matrix [d][V]."""
    return [[0.0] * len(row) for row in matrix]


def outer(column, row):
    """Return column times row. [d], [V] -> [d][V]."""
    return [[x * g for g in row] for x in column]


def add(total, factor, matrix):
    """Add factor * matrix to total in place. Both [d][V]."""
    for row, addition in zip(total, matrix):
        for v, value in enumerate(addition):
            row[v] += factor * value


def add_outer(total, column, row):
    """Add column times row to total in place. total [d][V], column [d], row [V]."""
    for sums, x in zip(total, column):
        for v, g in enumerate(row):
            sums[v] += x * g


def added(values):
    """Return the sum of values, added in order: the same result in every Python."""
    total = 0.0
    for value in values:
        total += value
    return total


def largest(values):
    """Return the largest value, or nan if any is undefined (max would pass over one)."""
    found = values[0]
    for value in values:
        if value > found or value != value:
            found = value
    return found


def largest_difference(left, right):
    """Return the largest absolute difference between two tables [d][V]; nan if any is undefined."""
    return largest([abs(a - b) for rows in zip(left, right) for a, b in zip(*rows)])
