// Measures a stretch of time: bytes, rates, retransmissions, round trips, shares of the limits.

import type { Range } from '../base/scale.js';
import { lowerBound, upperBound } from '../base/search.js';
import { type HalfModel, rowAt } from './half.js';

const RESENT = ['retransmission_fast', 'retransmission_rto', 'retransmission_tlp', 'retransmission_other'];

/** Numbers of a stretch. Bytes are exact if rows are events; for bins, `bin` is the possible error at the
 *  ends. */
export interface Measured {
    readonly seconds: number;
    /** New bytes sent, and the segments that carried them (NaN if not counted). */
    readonly sent: number;
    readonly segments: number;
    /** New bytes acknowledged. */
    readonly acked: number;
    readonly resent: number;
    readonly resentSegments: number;
    /** Seconds; null if none was measured. */
    readonly rtt: { readonly min: number; readonly median: number; readonly max: number } | null;
    /** Seconds under each limit, by its number, and the part of the stretch that they cover. */
    readonly limits: Float64Array;
    /** Width of the widest bins used, in seconds; 0 if all is exact. */
    readonly bin: number;
    /** Whether short spans of limits were merged into their neighbours. */
    readonly isCoarsened: boolean;
}

/** Running totals of new bytes by row, computed once. */
const sums = new WeakMap<HalfModel, Float64Array>();

function newBytes(half: HalfModel): Float64Array {
    let totals = sums.get(half);
    if (!totals) {
        const { low, high } = half.segments.range;
        totals = new Float64Array(low.length + 1);
        for (let i = 0; i < low.length; i++)
            totals[i + 1] = (totals[i] as number) + ((high[i] as number) - (low[i] as number) || 0);
        sums.set(half, totals);
    }
    return totals;
}

/** Everything acknowledged just before `time`. */
function ackedBefore(half: HalfModel, time: number): number {
    const { t, una } = half.states;
    const row = lowerBound(t, time) - 1;
    const value = row < 0 ? NaN : (una.high[row] as number);
    return Number.isNaN(value) ? 0 : value;
}

function resentIn(half: HalfModel, { start, end }: Range): { bytes: number; count: number; isMerged: boolean } {
    let bytes = 0;
    let count = 0;
    let isMerged = false;
    for (const kind of RESENT) {
        const set = half.marks.get(kind);
        if (!set) continue;
        const to = lowerBound(set.t, end);
        for (let i = lowerBound(set.t, start); i < to; i++) {
            const own = set.count[i] as number;
            count += own;
            bytes += (set.high[i] as number) - (set.low[i] as number) || 0;
            if (own > 1) isMerged = true;
        }
    }
    return { bytes, count, isMerged };
}

function roundTrips(half: HalfModel, { start, end }: Range): Measured['rtt'] {
    const { t, value } = half.rtt;
    const from = lowerBound(t, start);
    const to = lowerBound(t, end, from);
    const known = value.high
        .slice(from, to)
        .filter((rtt) => !Number.isNaN(rtt))
        .sort();
    if (known.length === 0) return null;
    return { min: value.min(from, to), median: known[(known.length - 1) >> 1] as number, max: value.max(from, to) };
}

/** The numbers of `range`. Its end is excluded, except at the end of the transfer. */
export function measure(half: HalfModel, range: Range): Measured {
    const { chart, segments, throughput } = half;
    const isEnd = range.end >= (segments.t.at(-1) ?? 0) && range.end >= (half.states.t.at(-1) ?? 0);
    const stretch = isEnd ? { start: range.start, end: range.end + 1e-9 * Math.max(1, range.end) } : range;
    const { start, end } = stretch;
    const own = { segments: chart.segments.bin_s ?? 0, states: chart.states.bin_s ?? 0, rtt: chart.rtt.bin_s ?? 0 };
    const resent = resentIn(half, stretch);
    let sent: number;
    let count = NaN;
    let acked: number;
    let bin = 0;
    const first = lowerBound(throughput.t, start - throughput.bin / 2);
    const last = lowerBound(throughput.t, end - throughput.bin / 2, first);
    const flow = (column: Float64Array): number => {
        let sum = 0;
        for (let i = first; i < last; i++) sum += (column[i] as number) || 0;
        return sum;
    };
    if (own.segments === 0) {
        const from = lowerBound(segments.t, start);
        const to = lowerBound(segments.t, end, from);
        const totals = newBytes(half);
        sent = (totals[to] as number) - (totals[from] as number);
        count = 0;
        for (let i = from; i < to; i++) count += segments.count[i] as number;
    } else {
        sent = Math.max(0, flow(throughput.sent) - flow(throughput.resent));
        bin = Math.max(bin, throughput.bin);
    }
    if (own.states === 0) acked = Math.max(0, ackedBefore(half, end) - ackedBefore(half, start));
    else {
        acked = flow(throughput.acked);
        bin = Math.max(bin, throughput.bin);
    }
    if (resent.isMerged) bin = Math.max(bin, throughput.bin);
    if (own.rtt > 0) bin = Math.max(bin, own.rtt);
    const { timeline } = half;
    const begins = timeline.start[0] ?? 0;
    const limits = timeline.shares(Math.max(range.start, begins), Math.max(begins, Math.min(range.end, timeline.end)));
    return {
        seconds: range.end - range.start,
        sent,
        segments: count,
        acked,
        resent: resent.isMerged ? flow(throughput.resent) : resent.bytes,
        resentSegments: resent.count,
        rtt: roundTrips(half, stretch),
        limits,
        bin,
        isCoarsened: timeline.isCoarsened,
    };
}

/** The highest byte of the stream sent up to `time`: the level of the staircase of data. */
export function sentUntil(half: HalfModel, time: number): number {
    const row = upperBound(half.segments.t, time) - 1;
    const value = row < 0 ? 0 : (half.segments.range.high[row] as number);
    return Number.isNaN(value) ? 0 : value;
}

/** The highest byte that was acknowledged up to `time`. */
export function ackedUntil(half: HalfModel, time: number): number {
    const value = half.states.una.high[rowAt(half.states.t, time)];
    return value === undefined || Number.isNaN(value) ? 0 : value;
}
