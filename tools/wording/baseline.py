"""The hits that existed when the lint was introduced, by file and rule: their number may only fall.

A line is `COUNT RULE PATH`. There are no line numbers, so that an edit elsewhere in a file changes nothing.
"""

from collections import Counter


def read(path):
    counts = Counter()
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                count, rule, file = line.split(" ", 2)
                counts[file, rule] += int(count)
    return counts


def write(path, counts, head):
    rows = [f"{count} {rule} {file}" for (file, rule), count in sorted(counts.items()) if count > 0]
    path.write_text("".join(f"# {line}\n" for line in head) + "\n".join(rows) + "\n", encoding="utf-8")


def compare(allowed, found, files):
    """The hits beyond those allowed, and the baseline as it would be now, whose sum is never larger.

    Files that are gone hand their hits to files that are new: they were renamed or split. `found` and both
    results count by (file, rule).
    """
    known = {file for file, _ in allowed}
    free = Counter()
    for (file, rule), count in allowed.items():
        if file not in files:
            free[rule] += count
    excess, now = Counter(), Counter()
    for (file, rule), count in sorted(found.items()):
        room = allowed[file, rule]
        if file not in known:
            room = min(count, free[rule])
            free[rule] -= room
        now[file, rule] = min(count, room)
        if count > room:
            excess[file, rule] = count - room
    return excess, now


def move(allowed, found, old, new):
    """Gives `new` the hits that `old` no longer has, for text that moved from one file to the other."""
    moved = Counter(allowed)
    for (file, rule), count in found.items():
        if file == new:
            spare = allowed[old, rule] - found[old, rule]
            needed = count - allowed[new, rule]
            if (step := min(spare, needed)) > 0:
                moved[old, rule] -= step
                moved[new, rule] += step
    return moved
