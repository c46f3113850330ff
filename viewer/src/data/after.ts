// Events after the last data of a transfer: silence, probes and whether they were answered, and the end.

import type { HalfModel, MarkSet } from './half.js';

/** Packets of one kind after the last data. */
export interface Later {
    readonly kind: string;
    readonly count: number;
    /** Time of the last one, seconds from the start of the connection. */
    readonly last: number;
}

/** The time from the last data to the end of the connection. */
export interface After {
    readonly from: number;
    readonly to: number;
    readonly later: readonly Later[];
}

/** Kinds of events that explain an end, in the order of the text. */
const KINDS = ['retransmission_rto', 'probe', 'keep_alive', 'fin', 'rst'] as const;

/** Events after the last data of both directions; null if the connection ended with it. */
export function afterOf(halves: readonly HalfModel[], end: number): After | null {
    const from = Math.max(...halves.map((half) => half.chart.span.to_s));
    if (!Number.isFinite(from) || end - from < Math.max(0.001, 0.02 * from)) return null;
    const later = KINDS.flatMap((kind): Later[] => {
        const sets = halves.flatMap((half): MarkSet[] => {
            const set = half.marks.get(kind);
            return set ? [set] : [];
        });
        let count = 0;
        let last = NaN;
        for (const set of sets) {
            for (let i = 0; i < set.t.length; i++) {
                const time = set.t[i] as number;
                if (time <= from) continue;
                count += set.count[i] as number;
                last = Number.isNaN(last) ? time : Math.max(last, time);
            }
        }
        return count > 0 ? [{ kind, count, last }] : [];
    });
    return { from, to: end, later };
}
