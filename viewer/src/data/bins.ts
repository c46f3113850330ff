// The bins of histograms of durations: a logarithmic scale.

import type { ViewData } from '../format.js';

/** Edges of bins, and membership of rows in bins. */
export class Bins {
    constructor(private readonly columns: ViewData['bins']) {}

    /** Start of bin `bin`, seconds. */
    start(bin: number): number {
        const { least_s, per_decade } = this.columns;
        return bin <= 0 ? 0 : least_s * 10 ** ((bin - 1) / per_decade);
    }

    /** End of bin `bin`, seconds. */
    end(bin: number): number {
        return this.start(bin + 1);
    }

    /** Whether bin `bin` begins a decade: 1 ms, 10 ms. */
    isDecade(bin: number): boolean {
        return bin > 0 && (bin - 1) % this.columns.per_decade === 0;
    }

    /** Whether one of the bins `from` to `to` (both included) is among `bits`. Computed with arithmetic,
     *  because there are more than 32 bins. */
    hasAny(bits: number, from: number, to: number): boolean {
        return Math.floor(bits / 2 ** from) % 2 ** (to - from + 1) !== 0;
    }
}
