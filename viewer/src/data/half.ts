// One direction of a connection, decoded for drawing.

import { lowerBound, upperBound } from '../base/search.js';
import type { Bounds as Columns, HalfChart, ViewData } from '../format.js';
import { Band } from './band.js';
import { decode, decodeOr, decodeTimes } from './columns.js';

/** Row of a step function that applies at `time`; -1 before the first. */
export function rowAt(times: Float64Array, time: number): number {
    return upperBound(times, time) - 1;
}

function band(range: Columns, rows: number): Band {
    return range.hi === undefined ? new Band(decode(range.lo, rows)) : new Band(decode(range.lo, rows), decode(range.hi, rows));
}

/** Whether a row of `times`, each lasting `bin` seconds, is between two instants. */
export function has(times: Float64Array, bin: number, from: number, to: number): boolean {
    const row = lowerBound(times, from - bin);
    return row < times.length && (times[row] as number) <= to;
}

/** Reason for the limit of an interval. */
export interface Why {
    /** Id of the reason: `room_left_unused` … */
    readonly reason: string;
    /** The supporting numbers: `flight_bytes` … */
    readonly values: readonly { readonly measure: string; readonly value: number }[];
}

/** The partition of time into limits. */
export class Timeline {
    /** Starts; interval `i` ends at the start of `i + 1`, the last at `end`. */
    readonly start: Float64Array;
    readonly cause: Float64Array;
    readonly confidence: Float64Array;
    /** Index into the limits of each interval. */
    readonly limit: Uint8Array;
    readonly end: number;
    readonly isCoarsened: boolean;
    readonly #reason: Float64Array;
    readonly #values: Float64Array[];
    readonly #other: Float64Array;
    readonly #decider: Float64Array;
    #sums: Float64Array | undefined;

    constructor(
        chart: HalfChart,
        private readonly data: ViewData,
        shift = 0,
    ) {
        const { rows, t, cause, confidence, reason, values, other, decider } = chart.timeline;
        this.start = decodeTimes(t, rows, shift);
        this.cause = decode(cause, rows);
        this.confidence = decode(confidence, rows);
        this.#reason = decodeOr(reason, rows, NaN);
        this.#values = (values ?? []).map((column) => decode(column, rows));
        this.#other = decodeOr(other, rows, NaN);
        this.#decider = decodeOr(decider, rows, NaN);
        this.end = chart.span.to_s;
        this.isCoarsened = chart.timeline.is_coarsened;
        this.limit = Uint8Array.from(this.cause, (c) => data.causes[c]?.limit ?? 255);
    }

    get length(): number {
        return this.start.length;
    }

    /** End of interval `row`. */
    endOf(row: number): number {
        return row + 1 < this.length ? (this.start[row + 1] as number) : this.end;
    }

    /** Interval at `time`; -1 outside. */
    at(time: number): number {
        return time < this.end || (time === this.end && this.length > 0) ? rowAt(this.start, time) : -1;
    }

    /** Id of the limit of interval `row`. */
    limitId(row: number): string {
        return this.data.limits[this.limit[row] as number]?.id ?? 'unobserved';
    }

    /** The reason for interval `row`; null if it was not kept. */
    why(row: number): Why | null {
        const reason = this.data.reasons[this.#reason[row] as number];
        if (!reason) return null;
        const values = reason.measures.map((measure, i) => ({ measure, value: this.#values[i]?.[row] ?? NaN }));
        return { reason: reason.id, values: values.filter(({ value }) => !Number.isNaN(value)) };
    }

    /** The other limit that the packets would allow in interval `row`, and the observation that would decide;
     *  null if none. */
    alternative(row: number): { limit: string; decider: string } | null {
        const limit = this.data.limits[this.#other[row] as number]?.id;
        const decider = this.data.deciders[this.#decider[row] as number];
        return limit === undefined || decider === undefined ? null : { limit, decider };
    }

    /** Detail of interval `row`. */
    detail(row: number): string | null {
        return this.data.causes[this.cause[row] as number]?.detail ?? null;
    }

    /** Running totals of each limit: entry `row * limits + limit` is its time before interval `row`. */
    #totals(): Float64Array {
        if (!this.#sums) {
            const limits = this.data.limits.length;
            const sums = new Float64Array((this.length + 1) * limits);
            for (let row = 0; row < this.length; row++) {
                sums.copyWithin((row + 1) * limits, row * limits, (row + 1) * limits);
                const own = (row + 1) * limits + (this.limit[row] as number);
                sums[own] = (sums[own] as number) + this.endOf(row) - (this.start[row] as number);
            }
            this.#sums = sums;
        }
        return this.#sums;
    }

    /** Adds `sign` times the seconds of every limit from the start to `time`. */
    #addUntil(time: number, sign: number, out: Float64Array): void {
        const sums = this.#totals();
        const row = this.at(time);
        if (row < 0 && time < this.end) return;
        const before = (row < 0 ? this.length : row) * out.length;
        for (let limit = 0; limit < out.length; limit++)
            out[limit] = (out[limit] as number) + sign * (sums[before + limit] as number);
        if (row >= 0) {
            const limit = this.limit[row] as number;
            out[limit] = (out[limit] as number) + sign * (time - (this.start[row] as number));
        }
    }

    /** Seconds of every limit between two instants, by the limits' numbers. */
    shares(from: number, to: number): Float64Array {
        const out = new Float64Array(this.data.limits.length);
        this.#addUntil(to, 1, out);
        this.#addUntil(from, -1, out);
        // The remainder of equal sums is rounding.
        for (let limit = 0; limit < out.length; limit++) if ((out[limit] as number) < 1e-12) out[limit] = 0;
        return out;
    }

    /** Seconds under limit number `limit` between two instants. */
    seconds(limit: number, from: number, to: number): number {
        return this.shares(from, to)[limit] ?? 0;
    }

    /** The next interval with `limit` after `time` (before, if `step` is -1). Neighbours of the same limit
     *  are merged; null if none. */
    span(limit: string, time: number, step: 1 | -1): { start: number; end: number } | null {
        let row = step === 1 ? upperBound(this.start, time) : lowerBound(this.start, time) - 1;
        while (row >= 0 && row < this.length) {
            if (this.limitId(row) === limit) {
                let first = row;
                let last = row;
                while (first > 0 && this.limitId(first - 1) === limit) first--;
                while (last + 1 < this.length && this.limitId(last + 1) === limit) last++;
                const span = { start: this.start[first] as number, end: this.endOf(last) };
                if (step === 1 ? span.start > time : span.start < time) return span;
                row = step === 1 ? last + 1 : first - 1;
            } else row += step;
        }
        return null;
    }
}

/** Events of one kind. */
export interface MarkSet {
    readonly kind: string;
    readonly t: Float64Array;
    readonly tEnd: Float64Array;
    readonly low: Float64Array;
    readonly high: Float64Array;
    readonly packet: Float64Array;
    readonly count: Float64Array;
}

function marksByKind(chart: HalfChart, data: ViewData, shift: number): Map<string, MarkSet> {
    const { rows } = chart.marks;
    const t = decodeTimes(chart.marks.t, rows, shift);
    const tEnd = chart.marks.t_end === undefined ? t : decodeTimes(chart.marks.t_end, rows, shift);
    const kind = decode(chart.marks.kind, rows);
    const low = decode(chart.marks.lo, rows);
    const high = decode(chart.marks.hi, rows);
    const packet = decode(chart.marks.packet, rows);
    const count = decodeOr(chart.marks.count, rows, 1);
    const sets = new Map<string, MarkSet>();
    for (const [index, name] of data.mark_kinds.entries()) {
        const own: number[] = [];
        for (let i = 0; i < rows; i++) if (kind[i] === index) own.push(i);
        if (own.length === 0) continue;
        own.sort((a, b) => (t[a] as number) - (t[b] as number));
        const pick = (column: Float64Array): Float64Array => Float64Array.from(own, (i) => column[i] as number);
        sets.set(name, {
            kind: name,
            t: pick(t),
            tEnd: pick(tEnd),
            low: pick(low),
            high: pick(high),
            packet: pick(packet),
            count: pick(count),
        });
    }
    return sets;
}

/** The sending socket as sampled by its kernel. */
export interface SocketModel {
    readonly t: Float64Array;
    readonly buffer: Band;
    readonly queued: Band;
    readonly unsent: Band;
    readonly flight: Band;
    readonly cwnd: Band;
    readonly window: Band;
    /** 1 if a writing program waits for room. */
    readonly full: Band;
    /** Number of samples with such a wait. */
    readonly fullSamples: number;
    /** Colour of the send buffer's limit on light and on dark background. */
    readonly fullColours: readonly [string, string];
}

function socketOf(chart: HalfChart, data: ViewData, shift: number): SocketModel | null {
    const { socket } = chart;
    if (!socket) return null;
    const { rows } = socket;
    const full = decode(socket.full, rows);
    const look = data.limits.find((one) => one.id === 'send_buffer');
    return {
        t: decodeTimes(socket.t, rows, shift),
        buffer: band(socket.buffer, rows),
        queued: band(socket.queued, rows),
        unsent: band(socket.unsent, rows),
        flight: band(socket.flight, rows),
        cwnd: band(socket.cwnd, rows),
        window: band(socket.window, rows),
        full: new Band(full),
        fullSamples: full.reduce((sum, one) => sum + one, 0),
        fullColours: [look?.light ?? '#000000', look?.dark ?? '#ffffff'],
    };
}

/** One direction of a connection. */
export class HalfModel {
    readonly timeline: Timeline;
    readonly segments: { t: Float64Array; range: Band; packet: Float64Array; count: Float64Array };
    readonly states: { t: Float64Array; una: Band; edge: Band; window: Band; flight: Band; pipe: Band; cwndFloor: Band };
    readonly rtt: { t: Float64Array; value: Band };
    readonly throughput: { t: Float64Array; acked: Float64Array; sent: Float64Array; resent: Float64Array; bin: number };
    readonly marks: Map<string, MarkSet>;
    /** Null without kernel samples. */
    readonly socket: SocketModel | null;

    readonly chart: HalfChart;

    /** `shift`: seconds by which all times are moved, to align with another connection. */
    constructor(given: HalfChart, data: ViewData, shift = 0) {
        const { from_s, to_s } = given.span;
        const chart = shift === 0 ? given : { ...given, span: { from_s: from_s + shift, to_s: to_s + shift } };
        this.chart = chart;
        const { segments, states, rtt, throughput } = chart;
        this.timeline = new Timeline(chart, data, shift);
        this.segments = {
            t: decodeTimes(segments.t, segments.rows, shift),
            range: new Band(decode(segments.lo, segments.rows), decode(segments.hi, segments.rows)),
            packet: decode(segments.packet, segments.rows),
            count: decodeOr(segments.count, segments.rows, 1),
        };
        this.states = {
            t: decodeTimes(states.t, states.rows, shift),
            una: band(states.una, states.rows),
            edge: band(states.edge, states.rows),
            window: band(states.window, states.rows),
            flight: band(states.flight, states.rows),
            pipe: band(states.pipe, states.rows),
            cwndFloor: band(states.cwnd_floor, states.rows),
        };
        this.rtt = { t: decodeTimes(rtt.t, rtt.rows, shift), value: band(rtt.rtt, rtt.rows) };
        this.throughput = {
            t: decodeTimes(throughput.t, throughput.rows, shift),
            acked: decode(throughput.acked, throughput.rows),
            sent: decode(throughput.sent, throughput.rows),
            resent: decode(throughput.resent, throughput.rows),
            bin: throughput.bin_s,
        };
        this.marks = marksByKind(chart, data, shift);
        this.socket = socketOf(chart, data, shift);
    }

    /** Whether the direction sent anything, or was acknowledged, between two instants. */
    isActive(from: number, to: number): boolean {
        return (
            has(this.segments.t, this.chart.segments.bin_s ?? 0, from, to) ||
            has(this.states.t, this.chart.states.bin_s ?? 0, from, to) ||
            [...this.marks.values()].some((set) => has(set.t, 0, from, to))
        );
    }

    /** Width of the bins of segments and states, seconds; 0 if exact. */
    get bin(): number {
        return this.chart.bin_s;
    }
}
