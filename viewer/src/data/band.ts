// A value over time with its extremes; the extremes of any range of rows in logarithmic time.

/** Rows per block of the lowest level. */
const BLOCK = 16;

function reduce(from: Float64Array, pick: (a: number, b: number) => number): Float64Array {
    const out = new Float64Array(Math.ceil(from.length / BLOCK));
    for (let block = 0; block < out.length; block++) {
        let best = NaN;
        const end = Math.min(from.length, (block + 1) * BLOCK);
        for (let i = block * BLOCK; i < end; i++) best = pick(best, from[i] as number);
        out[block] = best;
    }
    return out;
}

/** The smaller of two numbers, one of which may be unknown (NaN). */
export function least(a: number, b: number): number {
    return a <= b || Number.isNaN(b) ? a : b;
}

/** The larger of two numbers, one of which may be unknown (NaN). */
export function most(a: number, b: number): number {
    return a >= b || Number.isNaN(b) ? a : b;
}

/** Extremes of ranges of one column. */
class Pyramid {
    readonly #levels: Float64Array[];

    constructor(
        values: Float64Array,
        private readonly pick: (a: number, b: number) => number,
    ) {
        this.#levels = [values];
        let level = values;
        while (level.length > BLOCK) {
            level = reduce(level, pick);
            this.#levels.push(level);
        }
    }

    /** The extreme of rows `from` to `to` (exclusive); NaN if unknown. */
    query(from: number, to: number): number {
        let best = NaN;
        for (let k = 0; from < to; k++) {
            const level = this.#levels[k] as Float64Array;
            const isTop = k + 1 === this.#levels.length;
            // Whole blocks are looked up in the next level.
            const head = isTop ? to : Math.min(to, Math.ceil(from / BLOCK) * BLOCK);
            const tail = isTop ? to : Math.max(head, Math.floor(to / BLOCK) * BLOCK);
            for (let i = from; i < head; i++) best = this.pick(best, level[i] as number);
            for (let i = tail; i < to; i++) best = this.pick(best, level[i] as number);
            if (isTop) break;
            from = head / BLOCK;
            to = tail / BLOCK;
            if (head % BLOCK !== 0) break;
        }
        return best;
    }
}

/** Lowest and highest value of each row. */
export class Band {
    #low: Pyramid | undefined;
    #high: Pyramid | undefined;

    /** `high` may be the same array as `low`. */
    constructor(
        readonly low: Float64Array,
        readonly high: Float64Array = low,
    ) {}

    get length(): number {
        return this.low.length;
    }

    /** Whether any value is known. */
    get isKnown(): boolean {
        return !Number.isNaN(this.max(0, this.length));
    }

    /** Smallest value of rows `from` to `to` (exclusive); NaN if none is known. */
    min(from: number, to: number): number {
        this.#low ??= new Pyramid(this.low, least);
        return this.#low.query(from, to);
    }

    /** Largest value of rows `from` to `to` (exclusive); NaN if none is known. */
    max(from: number, to: number): number {
        this.#high ??= new Pyramid(this.high, most);
        return this.#high.query(from, to);
    }
}
