"""Circles in a graph of files."""


def circles(ties):
    """The groups of files in which each file reaches each other: Tarjan's algorithm without recursion."""
    after = {}
    for first, second in sorted(ties):
        after.setdefault(first, []).append(second)
        after.setdefault(second, [])
    number, low, stack, found = {}, {}, [], []
    for start in after:
        if start in number:
            continue
        number[start] = low[start] = len(number)
        stack.append(start)
        path = [(start, iter(after[start]))]
        while path:
            here, following = path[-1]
            for each in following:
                if each not in number:
                    number[each] = low[each] = len(number)
                    stack.append(each)
                    path.append((each, iter(after[each])))
                    break
                if each in stack:
                    low[here] = min(low[here], number[each])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[here])
                if low[here] == number[here]:
                    group = stack[stack.index(here) :]
                    del stack[-len(group) :]
                    if len(group) > 1:
                        found.append(sorted(group))
    return sorted(found)
