// Throughput and retransmitted bytes, in bins of at least a round trip.

import type { Range, Scale } from '../base/scale.js';
import { lowerBound } from '../base/search.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import type { Theme } from '../canvas/theme.js';
import type { HalfModel } from '../data/half.js';
import { paintAxes, paintChosen, verticalScale, withHeadroom } from './axis.js';
import type { Chart, Dot, Frame, Key } from './frame.js';

/** Running totals, so that any stretch needs two look-ups. */
function totals(values: Float64Array): Float64Array {
    const out = new Float64Array(values.length + 1);
    for (let i = 0; i < values.length; i++) out[i + 1] = (out[i] as number) + ((values[i] as number) || 0);
    return out;
}

/** The bytes of a direction over time. */
export class Flow {
    readonly #acked: Float64Array;
    readonly #sent: Float64Array;
    readonly #resent: Float64Array;
    /** Bytes retransmitted over the whole time. */
    readonly resentTotal: number;

    constructor(readonly half: HalfModel) {
        this.#acked = totals(half.throughput.acked);
        this.#sent = totals(half.throughput.sent);
        this.#resent = totals(half.throughput.resent);
        this.resentTotal = this.#resent.at(-1) ?? 0;
    }

    /** Width of the bins if a pixel is `secondsPerPixel`: whole bins, at least a round trip and four
     *  pixels. */
    bin(secondsPerPixel: number): number {
        const own = this.half.throughput.bin;
        if (!(own > 0)) return secondsPerPixel * 4;
        const wanted = Math.max(own, secondsPerPixel * 4, this.half.chart.rtt_min_s ?? 0);
        return own * Math.ceil(wanted / own - 1e-9);
    }

    /** Bytes in `[from, from + width)`. */
    sum(from: number, width: number): { acked: number; sent: number; resent: number } {
        const { t, bin } = this.half.throughput;
        // Starts are multiples of the bin width, up to rounding.
        const first = lowerBound(t, from - bin * 1e-3);
        const last = lowerBound(t, from + width - bin * 1e-3, first);
        const of = (sums: Float64Array): number => (sums[last] as number) - (sums[first] as number);
        return { acked: of(this.#acked), sent: of(this.#sent), resent: of(this.#resent) };
    }
}

abstract class FlowChart implements Chart {
    abstract readonly id: string;
    abstract readonly height: { wide: number; narrow: number };
    abstract readonly axis: string;
    protected y: Scale | null = null;
    protected theme: Theme | null = null;
    protected bin: number;

    constructor(
        protected readonly flow: Flow,
        protected readonly words: Words,
        protected readonly units: Units,
    ) {
        this.bin = flow.bin(0);
    }

    /** Start and bytes of the bins in the stretch. */
    protected bins(frame: Frame): { from: number; acked: number; sent: number; resent: number }[] {
        const { domain } = frame.time;
        this.bin = this.flow.bin((domain.end - domain.start) / Math.max(1, frame.right - frame.left));
        const end = this.flow.half.chart.span.to_s;
        const out = [];
        for (let k = Math.floor(domain.start / this.bin); k * this.bin < Math.min(domain.end, end); k++) {
            out.push({ from: k * this.bin, ...this.flow.sum(k * this.bin, this.bin) });
        }
        return out;
    }

    /** The bin around an instant. */
    protected around(time: number): { acked: number; sent: number; resent: number } {
        return this.flow.sum(Math.floor(time / this.bin) * this.bin, this.bin);
    }

    /** Whether the bins of a stretch have any of the bytes that this chart shows. */
    protected holds(time: Range, what: (bytes: { acked: number; sent: number; resent: number }) => number): boolean {
        const width = Math.max(time.end - time.start, this.bin);
        return what(this.flow.sum(Math.floor(time.start / this.bin) * this.bin, Math.ceil(width / this.bin + 1) * this.bin)) > 0;
    }

    abstract draw(frame: Frame): void;
    abstract missing(time: Range): string | null;
    abstract keys(): Key[];
    abstract dots(time: number): Dot[];
    abstract describe(): string;
}

export class ThroughputChart extends FlowChart {
    readonly id = 'throughput';
    readonly height = { wide: 140, narrow: 140 };
    readonly axis = 'viewer-axis-rate';

    draw(frame: Frame): void {
        const { ink, time, theme } = frame;
        this.theme = theme;
        const bins = this.bins(frame);
        const rate = (bytes: number): number => (bytes * 8) / this.bin;
        const top = Math.max(1, ...bins.map((bin) => rate(Math.max(bin.acked, bin.sent))));
        const y = verticalScale(frame, withHeadroom(0, top, 0.1));
        this.y = y;
        paintChosen(frame);
        ink.clip(frame.left, frame.top, frame.right, frame.bottom);
        const fill = theme.name === 'dark' ? 'rgba(63, 208, 160, 0.35)' : 'rgba(15, 138, 99, 0.28)';
        const width = this.bin * time.factor;
        for (const bin of bins) {
            const level = y.at(rate(bin.acked));
            if (bin.acked > 0) ink.rect(time.at(bin.from), level, width, frame.bottom - level, fill);
        }
        paintAxes(frame, y, (value, step) => this.units.rateTick(value, step));
        for (const [what, colour, thickness] of [
            ['acked', theme.ack, 1.5],
            ['sent', theme.data, 1],
        ] as const) {
            let before: number | null = null;
            for (const bin of bins) {
                const x = time.at(bin.from);
                const level = y.at(rate(bin[what]));
                ink.rect(x, level - thickness / 2, width, thickness, colour);
                if (before !== null) ink.rect(x, Math.min(before, level), 1, Math.abs(level - before), colour);
                before = level;
            }
        }
        ink.clip();
    }

    keys(): Key[] {
        const value =
            (what: 'acked' | 'sent') =>
            (time: number): string =>
                this.units.rate((this.around(time)[what] * 8) / this.bin);
        return [
            {
                id: 'goodput',
                label: this.words.text('viewer-key-goodput'),
                swatch: 'area',
                colour: (theme) => theme.ack,
                value: value('acked'),
            },
            {
                id: 'sent',
                label: this.words.text('viewer-key-sent'),
                swatch: 'line',
                colour: (theme) => theme.data,
                value: value('sent'),
            },
        ];
    }

    dots(time: number): Dot[] {
        if (!this.y || !this.theme) return [];
        return [{ y: this.y.at((this.around(time).acked * 8) / this.bin), colour: this.theme.ack }];
    }

    missing(time: Range): string | null {
        return this.holds(time, ({ acked, sent }) => acked + sent) ? null : 'viewer-missing-throughput';
    }

    describe(): string {
        return this.words.text('viewer-describe-throughput');
    }
}

export class ResentChart extends FlowChart {
    readonly id = 'resent';
    readonly height = { wide: 84, narrow: 84 };
    readonly axis = 'viewer-axis-bytes';

    draw(frame: Frame): void {
        const { ink, time, theme } = frame;
        this.theme = theme;
        const bins = this.bins(frame);
        const y = verticalScale(frame, withHeadroom(0, Math.max(1, ...bins.map((bin) => bin.resent)), 0.1));
        this.y = y;
        paintChosen(frame);
        paintAxes(frame, y, (value, step) => this.units.bytesTick(value, step));
        ink.clip(frame.left, frame.top, frame.right, frame.bottom);
        for (const bin of bins) {
            if (bin.resent === 0) continue;
            const height = Math.max(2, frame.bottom - y.at(bin.resent));
            ink.rect(time.at(bin.from), frame.bottom - height, Math.max(2, this.bin * time.factor - 1), height, theme.resent);
        }
        ink.clip();
    }

    keys(): Key[] {
        return [
            {
                id: 'resent-bytes',
                label: this.words.text('viewer-key-resent-bytes'),
                swatch: 'bar',
                colour: (theme) => theme.resent,
                value: (time) => this.units.bytes(this.around(time).resent),
            },
        ];
    }

    dots(): Dot[] {
        return [];
    }

    missing(time: Range): string | null {
        return this.holds(time, ({ resent }) => resent) ? null : 'viewer-missing-resent';
    }

    describe(): string {
        return this.words.text('viewer-describe-resent', { bytes: this.units.bytes(this.flow.resentTotal) });
    }
}
