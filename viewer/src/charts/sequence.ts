// The time–sequence chart of tcptrace and xplot: sent data, acknowledged data and the window's edge over
// time.

import type { Range, Scale } from '../base/scale.js';
import { lowerBound, upperBound } from '../base/search.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import { type Gathered, type Grid, gatherSteps, highest, lowest } from '../canvas/grid.js';
import { paintDashed, paintLine } from '../canvas/paint.js';
import type { Theme } from '../canvas/theme.js';
import { least, most } from '../data/band.js';
import { type HalfModel, has, rowAt } from '../data/half.js';
import { sentUntil } from '../data/measure.js';
import { paintAxes, paintChosen, paintLabel, verticalScale, withHeadroom } from './axis.js';
import type { Chart, Dot, Frame, Key, Swatch } from './frame.js';
import { paintLane } from './lane.js';

/** Least share of the height for the data; a window far above it is described in words instead. */
const LEAST_SHARE = 0.4;
/** Side of a segment's dot, pixels. */
const DOT = 4;

export class SequenceChart implements Chart {
    readonly id = 'sequence';
    readonly height = { wide: 300, narrow: 260 };
    readonly axis = 'viewer-axis-sequence';
    #y: Scale | null = null;
    #theme: Theme | null = null;

    /** `other`: the opposite direction, drawn as well, on its own scale. */
    constructor(
        readonly half: HalfModel,
        private readonly words: Words,
        private readonly units: Units,
        private readonly other: HalfModel | null = null,
    ) {}

    draw(frame: Frame): void {
        const { half, grid, ink, theme } = frame;
        this.#theme = theme;
        const una = gatherSteps(half.states.t, half.states.una, grid);
        const edge = gatherSteps(half.states.t, half.states.edge, grid);
        const { range, isEdgeCut } = this.#range(grid, una, edge);
        const laneHeight = paintLane(frame, this.words);
        const inner = { ...frame, top: frame.top + laneHeight };
        const y = verticalScale(inner, range);
        this.#y = y;
        paintChosen(frame);
        paintAxes(inner, y, (value, step) => this.units.bytesTick(value, step));
        ink.clip(frame.left, inner.top, frame.right, frame.bottom);
        paintBetween(inner, una, edge, y, theme.edgeFill);
        // Sent data as a staircase: the distance to the ACK line is the bytes in flight.
        const sent = gatherSteps(half.segments.t, half.segments.range, grid);
        const reach = { low: sent.high, high: sent.high };
        paintBetween(inner, una, reach, y, theme.flightFill);
        paintLine(ink, reach, grid, y, theme.dataFill, 1);
        paintDashed(ink, edge, grid, y, theme.edge, 1.5, 9, 4);
        if (this.other) this.#opposite(inner, this.other);
        this.#segments(inner, y);
        this.#blocks(inner, y);
        paintLine(ink, una, grid, y, theme.ack, 1.5);
        this.#marks(inner, y);
        ink.clip();
        this.#roundTrip(inner);
        if (isEdgeCut) {
            const above = highest(edge) - range.end;
            if (above > 0) {
                const text = this.words.text('viewer-edge-above', { bytes: this.units.bytes(above) });
                paintLabel(frame, text, frame.left + 8, inner.top + 16, theme.edge, 'left');
            }
        }
    }

    /** Below the line of the data, which rises from the lower left to the upper right. */
    notePlace(frame: Frame): { x: number; y: number } {
        return { x: frame.left + (frame.right - frame.left) * 0.62, y: frame.bottom - 40 };
    }

    /** Values shown: all data of the stretch, and the window's edge unless that would make the data flat. */
    #range(grid: Grid, una: Gathered, edge: Gathered): { range: { start: number; end: number }; isEdgeCut: boolean } {
        const { segments } = this.half;
        const from = lowerBound(segments.t, grid.start(0) - this.half.bin);
        const to = lowerBound(segments.t, grid.start(grid.count), from);
        let low = least(lowest(una), segments.range.min(from, to));
        let high = most(highest(una), segments.range.max(from, to));
        for (const kind of [
            'retransmission_fast',
            'retransmission_rto',
            'retransmission_tlp',
            'retransmission_other',
            'sack',
            'dsack',
        ]) {
            const set = this.half.marks.get(kind);
            if (!set) continue;
            const end = lowerBound(set.t, grid.start(grid.count));
            for (let i = lowerBound(set.t, grid.start(0)); i < end; i++) {
                low = least(low, set.low[i] as number);
                high = most(high, set.high[i] as number);
            }
        }
        if (Number.isNaN(low) || Number.isNaN(high)) [low, high] = [0, this.half.chart.extent.seq];
        const data = Math.max(high - low, this.half.chart.mss ?? 1448);
        const top = highest(edge);
        if (Number.isNaN(top) || top <= low + data) return { range: withHeadroom(low, low + data), isEdgeCut: false };
        if (top - low <= data / LEAST_SHARE) return { range: withHeadroom(low, top), isEdgeCut: false };
        return { range: withHeadroom(low, low + data, 0.25), isEdgeCut: true };
    }

    /** A bar with the length of a round trip, if visible: plateaus of that length indicate a window or buffer
     *  limit. */
    #roundTrip(frame: Frame): void {
        const rtt = this.half.chart.rtt_min_s;
        if (rtt === null) return;
        const width = rtt * frame.time.factor;
        if (width < 40 || width > (frame.right - frame.left) * 0.7) return;
        const { ink, theme } = frame;
        const right = frame.right - 14;
        const y = frame.bottom - 10;
        ink.rect(right - width, y, width, 2, theme.reference);
        ink.rect(right - width, y - 4, 2, 10, theme.reference);
        ink.rect(right - 2, y - 4, 2, 10, theme.reference);
        paintLabel(frame, this.words.text('viewer-one-rtt', { rtt: this.units.seconds(rtt) }), right, y - 4, theme.ink);
    }

    /** New data: a bar from the first to the last byte, at the time it was sent. */
    #segments(frame: Frame, y: Scale): void {
        const { segments, bin } = this.half;
        const { ink, grid, time, theme } = frame;
        const from = lowerBound(segments.t, grid.start(0) - bin);
        const to = lowerBound(segments.t, grid.start(grid.count), from);
        const binWidth = bin * time.factor;
        const colour = binWidth > 3 ? theme.dataFill : theme.data;
        const isSparse = to - from <= grid.count;
        if (isSparse) {
            const width = binWidth > 2 ? binWidth : 2;
            const hasRoom = bin === 0 && (to - from) * DOT * 2 <= frame.right - frame.left;
            for (let i = from; i < to; i++) {
                const low = segments.range.low[i] as number;
                const high = segments.range.high[i] as number;
                const height = Math.max(1.5, (high - low) * -y.factor);
                // A gap of one pixel between neighbours shows the ends of segments.
                const gap = height > 6 ? 1 : 0;
                const x = binWidth > 2 ? time.at(segments.t[i] as number) : time.at(segments.t[i] as number) - width / 2;
                ink.rect(x, y.at(high) + gap, width, height - gap, colour);
                // A dot at the end of each segment if there is room.
                if (hasRoom && height < DOT) ink.rect(x + width / 2 - DOT / 2, y.at(high) - DOT / 2, DOT, DOT, colour);
            }
        } else {
            let row = from;
            for (let i = 0; i < grid.count && row < to; i++) {
                const next = lowerBound(segments.t, grid.start(i + 1), row, to);
                if (next === row) continue;
                const low = segments.range.min(row, next);
                const high = segments.range.max(row, next);
                row = next;
                const top = y.at(high);
                ink.rect(grid.x(i), top, 1 / grid.ratio, Math.max(1.5, y.at(low) - top), colour);
            }
        }
    }

    /** The opposite direction: its data and ACKs, on a scale of its own range in this stretch. */
    #opposite(frame: Frame, other: HalfModel): void {
        const { ink, grid, theme } = frame;
        const { segments, states } = other;
        const from = lowerBound(segments.t, grid.start(0) - (other.chart.segments.bin_s ?? 0));
        const to = lowerBound(segments.t, grid.start(grid.count), from);
        const acked = gatherSteps(states.t, states.una, grid);
        const low = least(lowest(acked), segments.range.min(from, to));
        const high = most(highest(acked), segments.range.max(from, to));
        if (Number.isNaN(low) || Number.isNaN(high)) return;
        const y = verticalScale(frame, withHeadroom(low, Math.max(high, low + 1), 0.2));
        paintDashed(ink, acked, grid, y, theme.other, 1, 3, 3);
        for (let i = 0, row = from; i < grid.count && row < to; i++) {
            const next = lowerBound(segments.t, grid.start(i + 1), row, to);
            if (next === row) continue;
            const top = y.at(segments.range.max(row, next));
            ink.rect(grid.x(i) - 0.5, top, 2, Math.max(2, y.at(segments.range.min(row, next)) - top), theme.other);
            row = next;
        }
        const text = this.words.text('viewer-other-scale', { low: this.units.bytes(low), high: this.units.bytes(high) });
        paintLabel(frame, text, frame.right - 6, frame.top + 16, theme.other);
    }

    /** SACK blocks, at the time they were reported. */
    #blocks(frame: Frame, y: Scale): void {
        this.#bars(frame, y, 'sack', frame.theme.sack, 2);
        this.#bars(frame, y, 'dsack', frame.theme.zero, 2);
    }

    #marks(frame: Frame, y: Scale): void {
        const { theme } = frame;
        this.#bars(frame, y, 'out_of_order', theme.outOfOrder, 3);
        this.#bars(frame, y, 'duplicate_frame', theme.inkSoft, 2);
        for (const kind of ['retransmission_fast', 'retransmission_other', 'retransmission_tlp', 'retransmission_rto']) {
            this.#bars(frame, y, kind, theme.resent, 3);
        }
        // Above the line, so that the cross of the answer does not hide it.
        this.#points(frame, y, 'probe', theme.control, 'triangle', -9);
        this.#points(frame, y, 'keep_alive', theme.control, 'triangle');
        this.#points(frame, y, 'zero_window', theme.zero, 'cross');
        this.#points(frame, y, 'syn', theme.control, 'diamond');
        this.#points(frame, y, 'fin', theme.control, 'diamond');
        this.#points(frame, y, 'rst', theme.resent, 'cross');
    }

    #bars(frame: Frame, y: Scale, kind: string, colour: string, thickness: number): void {
        const set = this.half.marks.get(kind);
        if (!set) return;
        const { ink, grid, time } = frame;
        // A merged mark may begin before the stretch. Marks are ordered by start, and few are long.
        const from = Math.max(0, lowerBound(set.t, grid.start(0)) - 64);
        const to = upperBound(set.t, grid.start(grid.count));
        for (let i = from; i < to; i++) {
            const x = time.at(set.t[i] as number);
            const width = Math.max(thickness, time.at(set.tEnd[i] as number) - x);
            const top = y.at(set.high[i] as number);
            const height = Math.max(3, y.at(set.low[i] as number) - top);
            ink.rect(x - (width === thickness ? thickness / 2 : 0), top, width, height, colour);
        }
    }

    #points(frame: Frame, y: Scale, kind: string, colour: string, shape: 'triangle' | 'cross' | 'diamond', offset = 0): void {
        const set = this.half.marks.get(kind);
        if (!set) return;
        const { on, grid, time } = frame;
        const from = lowerBound(set.t, grid.start(0));
        const to = upperBound(set.t, grid.start(grid.count));
        frame.later(() => {
            on.strokeStyle = colour;
            on.fillStyle = colour;
            on.lineWidth = 1.8;
            on.beginPath();
            let lastX = -Infinity;
            for (let i = from; i < to; i++) {
                const x = time.at(set.t[i] as number);
                if (x - lastX < 0.5) continue;
                lastX = x;
                const low = set.low[i] as number;
                const at = Number.isNaN(low) ? frame.bottom - 8 : y.at(low) + offset;
                const place = Math.min(Math.max(at, frame.top + 6), frame.bottom - 6);
                if (shape === 'cross') {
                    on.moveTo(x - 4, place - 4);
                    on.lineTo(x + 4, place + 4);
                    on.moveTo(x + 4, place - 4);
                    on.lineTo(x - 4, place + 4);
                } else if (shape === 'triangle') {
                    on.moveTo(x - 4.5, place + 4);
                    on.lineTo(x + 4.5, place + 4);
                    on.lineTo(x, place - 4);
                    on.closePath();
                } else {
                    on.moveTo(x, place - 5);
                    on.lineTo(x + 4, place);
                    on.lineTo(x, place + 5);
                    on.lineTo(x - 4, place);
                    on.closePath();
                }
            }
            if (shape === 'cross') on.stroke();
            else on.fill();
        });
    }

    keys(): Key[] {
        const { states, segments, marks } = this.half;
        const bytesAt =
            (band: { high: Float64Array }) =>
            (time: number): string | null => {
                const value = band.high[rowAt(states.t, time)];
                return value === undefined || Number.isNaN(value) ? null : this.units.bytes(value);
            };
        const keys: Key[] = [
            {
                id: 'data',
                label: this.words.text('viewer-key-data'),
                swatch: 'bar',
                colour: (theme) => theme.data,
                value: (time) => {
                    const row = upperBound(segments.t, time) - 1;
                    const high = segments.range.high[row];
                    return high === undefined ? null : this.units.bytes(high);
                },
            },
            {
                id: 'ack',
                label: this.words.text('viewer-key-ack'),
                swatch: 'line',
                colour: (theme) => theme.ack,
                value: bytesAt(states.una),
            },
        ];
        if (states.edge.isKnown) {
            keys.push({
                id: 'edge',
                label: this.words.text('viewer-key-edge'),
                swatch: 'dashed',
                colour: (theme) => theme.edge,
                value: bytesAt(states.edge),
            });
        }
        const marked: [string, string[], Swatch, (theme: Theme) => string][] = [
            [
                'resent',
                ['retransmission_fast', 'retransmission_rto', 'retransmission_tlp', 'retransmission_other'],
                'bar',
                (theme) => theme.resent,
            ],
            ['sack', ['sack'], 'bar', (theme) => theme.sack],
            ['dsack', ['dsack'], 'bar', (theme) => theme.zero],
            ['out-of-order', ['out_of_order'], 'bar', (theme) => theme.outOfOrder],
            ['zero-window', ['zero_window'], 'dot', (theme) => theme.zero],
            ['probe', ['probe', 'keep_alive'], 'triangle', (theme) => theme.control],
        ];
        for (const [id, kinds, swatch, colour] of marked) {
            let total = 0;
            for (const kind of kinds) total += (marks.get(kind)?.count ?? new Float64Array()).reduce((sum, n) => sum + n, 0);
            if (total === 0) continue;
            keys.push({
                id,
                label: this.words.text(`viewer-key-${id}`, { n: String(total) }),
                swatch,
                colour,
            });
        }
        if (this.other) {
            const { t, range } = this.other.segments;
            keys.push({
                id: 'other',
                label: this.words.text('viewer-key-other'),
                swatch: 'bar',
                colour: (theme) => theme.other,
                value: (time) => {
                    const high = range.high[upperBound(t, time) - 1];
                    return high === undefined ? null : this.units.bytes(high);
                },
            });
        }
        return keys;
    }

    /** Pixel position of the staircase of data at an instant; null outside of the drawing. */
    level(time: number): number | null {
        return this.#y && this.half.segments.t.length > 0 ? this.#y.at(sentUntil(this.half, time)) : null;
    }

    dots(time: number): Dot[] {
        const row = rowAt(this.half.states.t, time);
        if (!this.#y || !this.#theme || row < 0) return [];
        const dots: Dot[] = [];
        const una = this.half.states.una.high[row] as number;
        const edge = this.half.states.edge.high[row] as number;
        if (!Number.isNaN(una)) dots.push({ y: this.#y.at(una), colour: this.#theme.ack });
        if (!Number.isNaN(edge)) dots.push({ y: this.#y.at(edge), colour: this.#theme.edge });
        return dots;
    }

    missing(time: Range): string | null {
        const { segments, chart, marks } = this.half;
        const isSent =
            has(segments.t, chart.segments.bin_s ?? 0, time.start, time.end) ||
            [...marks.values()].some((set) => has(set.t, 0, time.start, time.end));
        return isSent ? null : 'viewer-missing-sequence';
    }

    describe(): string {
        const { extent } = this.half.chart;
        return this.words.text('viewer-describe-sequence', { bytes: this.units.bytes(extent.seq) });
    }
}

function paintBetween(frame: Frame, low: Gathered, high: Gathered, y: Scale, fill: string): void {
    const { ink, grid } = frame;
    let from = 0;
    for (let i = 1; i <= grid.count; i++) {
        if (i < grid.count && low.high[i] === low.high[from] && high.low[i] === high.low[from]) continue;
        const bottom = y.at(low.high[from] as number);
        const top = Math.max(frame.top, y.at(high.low[from] as number));
        if (bottom > top) ink.rect(grid.x(from), top, (i - from) / grid.ratio, bottom - top, fill);
        from = i;
    }
}
