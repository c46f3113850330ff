// Binary searches over sorted numbers.

/** Index of the first element that is at least `value`; `length` if there is none. */
export function lowerBound(sorted: ArrayLike<number>, value: number, from = 0, to = sorted.length): number {
    let low = from;
    let high = to;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sorted[middle] as number) < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

/** Index of the first element that is greater than `value`; `length` if there is none. */
export function upperBound(sorted: ArrayLike<number>, value: number, from = 0, to = sorted.length): number {
    let low = from;
    let high = to;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sorted[middle] as number) <= value) low = middle + 1;
        else high = middle;
    }
    return low;
}

/** Index of the element nearest to `value`; -1 when empty. */
export function nearest(sorted: ArrayLike<number>, value: number): number {
    if (sorted.length === 0) return -1;
    const after = lowerBound(sorted, value);
    if (after === 0) return 0;
    if (after === sorted.length) return after - 1;
    return (sorted[after] as number) - value < value - (sorted[after - 1] as number) ? after : after - 1;
}
