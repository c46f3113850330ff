// The limits of each column of the screen.

import type { Grid } from '../canvas/grid.js';
import type { Timeline } from '../data/half.js';

/** A run of columns. */
export interface Run {
    readonly from: number;
    readonly to: number;
    /** Index into the limits; 255 for none. */
    readonly limit: number;
}

/** The limit with most time in each column, and whether a column has several. */
export class LimitColumns {
    /** Index of the limit with most time; 255 for none. */
    readonly main: Uint8Array;
    /** 1 if several limits share the column. */
    readonly isMixed: Uint8Array;
    readonly #shares = new Map<number, Float64Array>();

    constructor(
        readonly timeline: Timeline,
        readonly grid: Grid,
    ) {
        this.main = new Uint8Array(grid.count).fill(255);
        this.isMixed = new Uint8Array(grid.count);
        let row = timeline.at(grid.start(0));
        if (row < 0 && timeline.length > 0 && grid.start(0) < (timeline.start[0] as number)) row = 0;
        if (row < 0) return;
        for (let i = 0; i < grid.count; i++) {
            const start = grid.start(i);
            const end = grid.start(i + 1);
            while (row < timeline.length && timeline.endOf(row) <= start) row++;
            if (row >= timeline.length) break;
            if ((timeline.start[row] as number) >= end) continue;
            const first = timeline.limit[row] as number;
            this.main[i] = first;
            if (timeline.endOf(row) >= end) continue;
            this.isMixed[i] = 1;
            const shares = timeline.shares(start, Math.min(end, timeline.end));
            this.#shares.set(i, shares);
            this.main[i] = shares.indexOf(Math.max(...shares));
        }
    }

    /** Seconds of each limit in column `i`. */
    shares(i: number): Float64Array {
        return (
            this.#shares.get(i) ?? this.timeline.shares(this.grid.start(i), Math.min(this.grid.start(i + 1), this.timeline.end))
        );
    }

    /** Neighbouring columns with the same main limit. */
    runs(): Run[] {
        const runs: Run[] = [];
        let from = 0;
        for (let i = 1; i <= this.grid.count; i++) {
            if (i < this.grid.count && this.main[i] === this.main[from]) continue;
            runs.push({ from, to: i, limit: this.main[from] as number });
            from = i;
        }
        return runs;
    }

    /** Runs of columns in which limit number `limit` has any time. */
    touched(limit: number): { from: number; to: number }[] {
        const out: { from: number; to: number }[] = [];
        for (let i = 0; i < this.grid.count; i++) {
            const has = this.main[i] === limit || (this.isMixed[i] === 1 && (this.shares(i)[limit] as number) > 0);
            if (!has) continue;
            const last = out.at(-1);
            if (last && last.to === i) last.to = i + 1;
            else out.push({ from: i, to: i + 1 });
        }
        return out;
    }
}
