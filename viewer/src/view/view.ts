// The state that all charts share: the visible stretch of time, the cursor, the chosen limit.

import { clampRange, overlaps, type Range, zoomRange } from '../base/scale.js';

/** Changes since the last call of the listeners. */
export interface Change {
    readonly time: boolean;
    readonly cursor: boolean;
    readonly limit: boolean;
}

type Listener = (change: Change) => void;

/** Shared view of one direction of a connection. Times are seconds from the connection's start. */
export class View {
    #time: Range;
    #cursor: number | null = null;
    #brush: Range | null = null;
    #markers: readonly [number | null, number | null] = [null, null];
    #isMeasuring = false;
    #limit: string | null = null;
    #listeners: Listener[] = [];
    #pending = { time: false, cursor: false, limit: false };
    #isScheduled = false;
    readonly #least: number;

    /** `bounds` is the whole time; `least` the width of the narrowest stretch; `home` the initial stretch. */
    constructor(
        readonly bounds: Range,
        least = 1e-6,
        private readonly schedule: (run: () => void) => void = (run) => void requestAnimationFrame(run),
        readonly home: Range = bounds,
    ) {
        this.#time = home;
        this.#least = Math.min(least, bounds.end - bounds.start);
    }

    /** The stretch that is shown. */
    get time(): Range {
        return this.#time;
    }

    /** The instant under the pointer or chosen by keys. */
    get cursor(): number | null {
        return this.#cursor;
    }

    /** The stretch that is being dragged, to zoom to. */
    get brush(): Range | null {
        return this.#brush;
    }

    /** The two fixed cursors, A and B. */
    get markers(): readonly [number | null, number | null] {
        return this.#markers;
    }

    /** Whether a drag places the two cursors instead of zooming. */
    get isMeasuring(): boolean {
        return this.#isMeasuring;
    }

    /** The range between the cursors, the earlier first; null unless both are placed. */
    get marked(): Range | null {
        const [a, b] = this.#markers;
        if (a === null || b === null || a === b) return null;
        return { start: Math.min(a, b), end: Math.max(a, b) };
    }

    /** The highlighted limit. */
    get limit(): string | null {
        return this.#limit;
    }

    /** Whether the whole time or the initial stretch is shown. */
    get isWhole(): boolean {
        return this.#isHome || (this.#time.start <= this.bounds.start && this.#time.end >= this.bounds.end);
    }

    get #isHome(): boolean {
        return this.#time.start === this.home.start && this.#time.end === this.home.end;
    }

    /** Calls `listener` at most once per frame, after changes. */
    listen(listener: Listener): void {
        this.#listeners.push(listener);
    }

    /** Removes all listeners, because the view is not shown any more. */
    close(): void {
        this.#listeners = [];
    }

    show(range: Range): void {
        const next = clampRange(range, this.bounds, this.#least);
        if (next.start === this.#time.start && next.end === this.#time.end) return;
        this.#time = next;
        this.#notify('time');
    }

    /** Shows the part of `range` within the whole time; the whole time if there is no such part. */
    fit(range: Range): void {
        const { start, end } = this.bounds;
        this.show(
            overlaps(range, this.bounds) ? { start: Math.max(range.start, start), end: Math.min(range.end, end) } : this.bounds,
        );
    }

    /** Shows the initial stretch; if that is shown, the whole time. */
    reset(): void {
        this.show(this.#isHome ? this.bounds : this.home);
    }

    /** Scales the stretch about `anchor` (its middle by default): below 1 zooms in. */
    zoom(factor: number, anchor = (this.#time.start + this.#time.end) / 2): void {
        this.show(zoomRange(this.#time, anchor, factor));
    }

    /** Moves by a share of the stretch. */
    pan(share: number): void {
        const shift = (this.#time.end - this.#time.start) * share;
        this.moveTo(this.#time.start + shift);
    }

    /** Moves so that `start` is at the left edge; the width stays. */
    moveTo(start: number): void {
        const width = this.#time.end - this.#time.start;
        const clamped = Math.min(Math.max(start, this.bounds.start), this.bounds.end - width);
        this.show({ start: clamped, end: clamped + width });
    }

    /** Moves, if necessary, so that `range` is visible with some of its surroundings. */
    reveal(range: Range): void {
        const width = this.#time.end - this.#time.start;
        const span = range.end - range.start;
        if (range.start >= this.#time.start && range.end <= this.#time.end && span > width / 200) return;
        const wanted = span > width * 0.8 || span < width / 200 ? Math.max(span * 3, this.#least) : width;
        const centre = (range.start + range.end) / 2;
        this.show({ start: centre - wanted / 2, end: centre + wanted / 2 });
    }

    setCursor(time: number | null): void {
        if (time === this.#cursor) return;
        this.#cursor = time;
        this.#notify('cursor');
    }

    setBrush(range: Range | null): void {
        this.#brush = range;
        this.#notify('cursor');
    }

    /** Places or removes the two cursors. */
    setMarkers(a: number | null, b: number | null): void {
        const inside = (time: number | null): number | null =>
            time === null ? null : Math.min(Math.max(time, this.bounds.start), this.bounds.end);
        this.#markers = [inside(a), inside(b)];
        this.#notify('cursor');
    }

    setMeasuring(isMeasuring: boolean): void {
        this.#isMeasuring = isMeasuring;
        this.#notify('cursor');
    }

    setLimit(limit: string | null): void {
        if (limit === this.#limit) return;
        this.#limit = limit;
        this.#notify('limit');
    }

    #notify(what: keyof Change): void {
        this.#pending[what] = true;
        if (this.#isScheduled) return;
        this.#isScheduled = true;
        this.schedule(() => {
            this.#isScheduled = false;
            const change = this.#pending;
            this.#pending = { time: false, cursor: false, limit: false };
            for (const listener of this.#listeners) listener(change);
        });
    }
}
