// Time divided into the columns of the screen, and series aggregated per column. The cost of drawing depends
// on the columns, not on the rows.

import type { Scale } from '../base/scale.js';
import { lowerBound } from '../base/search.js';
import { type Band, least, most } from '../data/band.js';

/** The columns of device pixels of a plot. */
export class Grid {
    readonly count: number;
    /** Seconds per column. */
    readonly seconds: number;

    /** `ratio` device pixels per pixel. */
    constructor(
        readonly time: Scale,
        readonly ratio: number,
    ) {
        this.count = Math.max(1, Math.round((time.to - time.from) * ratio));
        this.seconds = (time.domain.end - time.domain.start) / this.count;
    }

    /** Start of column `i` in seconds. */
    start(i: number): number {
        return this.time.domain.start + i * this.seconds;
    }

    /** Left edge of column `i` in pixels. */
    x(i: number): number {
        return this.time.from + i / this.ratio;
    }

    /** Column of an instant; may be outside of 0 to `count`. */
    column(time: number): number {
        return Math.floor((time - this.time.domain.start) / this.seconds);
    }
}

/** Extremes per column; NaN if unknown. */
export interface Gathered {
    readonly low: Float64Array;
    readonly high: Float64Array;
}

/** Calls `visit(column, from, to)` with the rows whose time is in each column. */
function eachColumn(times: Float64Array, grid: Grid, visit: (column: number, from: number, to: number) => void): void {
    let from = lowerBound(times, grid.start(0));
    const last = lowerBound(times, grid.start(grid.count), from);
    const isDense = last - from > grid.count * 8;
    for (let i = 0; i < grid.count; i++) {
        const end = grid.start(i + 1);
        let to = from;
        if (isDense) to = lowerBound(times, end, from, last);
        else while (to < last && (times[to] as number) < end) to++;
        visit(i, from, to);
        from = to;
    }
}

/**
 * A step function: a value applies until the next row, but not after `until`, and at most `hold` seconds.
 * Rows that are bins apply to their range.
 */
export function gatherSteps(
    times: Float64Array,
    band: Band,
    grid: Grid,
    until = Infinity,
    hold: (value: number) => number = () => Infinity,
): Gathered {
    const low = new Float64Array(grid.count).fill(NaN);
    const high = new Float64Array(grid.count).fill(NaN);
    eachColumn(times, grid, (i, from, to) => {
        if (grid.start(i) > until) return;
        let lowest = band.min(from, to);
        let highest = band.max(from, to);
        if (from > 0 && grid.start(i) - (times[from - 1] as number) <= hold(band.high[from - 1] as number)) {
            lowest = least(lowest, band.low[from - 1] as number);
            highest = most(highest, band.high[from - 1] as number);
        }
        low[i] = lowest;
        high[i] = highest;
    });
    return { low, high };
}

/** Samples, which have no value between their times. */
export function gatherSamples(times: Float64Array, band: Band, grid: Grid): Gathered {
    const low = new Float64Array(grid.count).fill(NaN);
    const high = new Float64Array(grid.count).fill(NaN);
    eachColumn(times, grid, (i, from, to) => {
        if (from === to) return;
        low[i] = band.min(from, to);
        high[i] = band.max(from, to);
    });
    return { low, high };
}

/** The largest known value; NaN if there is none. */
export function highest(gathered: Gathered): number {
    let best = NaN;
    for (const value of gathered.high) best = most(best, value);
    return best;
}

/** The smallest known value; NaN if there is none. */
export function lowest(gathered: Gathered): number {
    let best = NaN;
    for (const value of gathered.low) best = least(best, value);
    return best;
}
