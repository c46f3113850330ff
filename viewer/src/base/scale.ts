// Linear scales and their ticks.

/** A half-open interval of an axis. */
export interface Range {
    readonly start: number;
    readonly end: number;
}

/** Maps a range of values to pixels. */
export class Scale {
    readonly #factor: number;

    constructor(
        readonly domain: Range,
        readonly from: number,
        readonly to: number,
    ) {
        const width = domain.end - domain.start;
        this.#factor = width === 0 ? 0 : (to - from) / width;
    }

    /** Pixel of `value`. */
    at(value: number): number {
        return this.from + (value - this.domain.start) * this.#factor;
    }

    /** Value at `pixel`. */
    invert(pixel: number): number {
        return this.#factor === 0 ? this.domain.start : this.domain.start + (pixel - this.from) / this.#factor;
    }

    /** Pixels per unit. */
    get factor(): number {
        return this.#factor;
    }
}

/** The step of 1, 2 or 5 times a power of ten that gives at most `count` ticks in `width`. */
export function tickStep(width: number, count: number): number {
    if (!(width > 0) || count < 1) return 1;
    const raw = width / count;
    const power = 10 ** Math.floor(Math.log10(raw));
    const ratio = raw / power;
    // A small tolerance: a rounding error in 0.1 / 5 must not select the next step.
    const factor = ratio <= 1 + 1e-9 ? 1 : ratio <= 2 + 1e-9 ? 2 : ratio <= 5 + 1e-9 ? 5 : 10;
    return factor * power;
}

/** Multiples of the tick step within `range`, at most about `count`. */
export function ticks(range: Range, count: number): number[] {
    const step = tickStep(range.end - range.start, count);
    const out: number[] = [];
    const first = Math.ceil(range.start / step - 1e-9);
    const last = Math.floor(range.end / step + 1e-9);
    for (let i = first; i <= last && out.length < 1000; i++) out.push(i * step + 0);
    return out;
}

/** `range` moved and cut so that it is within `bounds` and is at least `least` wide. */
export function clampRange(range: Range, bounds: Range, least: number): Range {
    const full = bounds.end - bounds.start;
    const width = Math.min(full, Math.max(least, range.end - range.start));
    if (width >= full) return bounds;
    const centre = (range.start + range.end) / 2;
    let start = range.end - range.start === width ? range.start : centre - width / 2;
    start = Math.min(Math.max(start, bounds.start), bounds.end - width);
    return { start, end: start + width };
}

/** Whether two ranges share more than an end point. */
export function overlaps(a: Range, b: Range): boolean {
    return a.start < b.end && b.start < a.end;
}

/** `range` scaled by `factor` about `anchor`. */
export function zoomRange(range: Range, anchor: number, factor: number): Range {
    return { start: anchor - (anchor - range.start) * factor, end: anchor + (range.end - anchor) * factor };
}
