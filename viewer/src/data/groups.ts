// Connections grouped by host, cause or capture.

import type { Overview } from './overview.js';

export const GROUPINGS = ['host', 'cause', 'capture'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Connections with something in common. */
export interface Group {
    /** Address, name of a capture, or the id of a limit with its detail (`send_buffer/`); empty if none. */
    readonly key: string;
    readonly rows: readonly number[];
    readonly bytes: number;
    /** Largest saving of one of them: savings of parallel connections do not add up. */
    readonly mostLost: number;
    /** Whether that is only an upper bound. */
    readonly isUpperBound: boolean;
    /** Limits in the verdicts, with the number of connections for each, the most frequent first; '' for
     *  none. */
    readonly limits: readonly (readonly [string, number])[];
}

/** Address and port of `10.0.0.1:443` or `[2001:db8::1]:443`. */
export function splitEnd(end: string): { host: string; port: string } {
    const colon = end.lastIndexOf(':');
    return { host: end.slice(0, colon).replace(/^\[|\]$/g, ''), port: end.slice(colon + 1) };
}

/** The keys of `row`: both of its hosts, its cause, or its capture. */
export function keysOf(overview: Overview, row: number, grouping: Grouping): string[] {
    if (grouping === 'cause') {
        const verdict = overview.verdict(row);
        return [verdict ? `${verdict.limit}/${verdict.detail ?? ''}` : ''];
    }
    if (grouping === 'capture') return [overview.captureName(row)];
    const ends = [overview.columns.from[row] ?? '', overview.columns.to[row] ?? ''].map(splitEnd);
    return [...new Set(ends.map(({ host }) => host))];
}

/** The groups of `rows`, those with the largest saving first. */
export function groupsOf(overview: Overview, rows: readonly number[], grouping: Grouping): Group[] {
    const members = new Map<string, number[]>();
    for (const row of rows) {
        for (const key of keysOf(overview, row, grouping)) {
            const own = members.get(key);
            if (own) own.push(row);
            else members.set(key, [row]);
        }
    }
    const groups = [...members].map(([key, own]): Group => {
        const limits = new Map<string, number>();
        let bytes = 0;
        let mostLost = 0;
        let isUpperBound = false;
        for (const row of own) {
            const limit = overview.verdict(row)?.limit ?? '';
            limits.set(limit, (limits.get(limit) ?? 0) + 1);
            bytes += (overview.bytes[row] as number) || 0;
            const lost = (overview.lost[row] as number) || 0;
            if (lost > mostLost) [mostLost, isUpperBound] = [lost, overview.isUpperBound(row)];
        }
        return { key, rows: own, bytes, mostLost, isUpperBound, limits: [...limits].sort((a, b) => b[1] - a[1]) };
    });
    return groups.sort((a, b) => b.mostLost - a.mostLost || b.rows.length - a.rows.length || b.bytes - a.bytes);
}
