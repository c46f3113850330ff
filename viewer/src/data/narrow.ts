// Filters of the overview's list: a problem, a service, a range of a histogram, words.

import type { Bins } from './bins.js';
import { type Grouping, keysOf } from './groups.js';
import type { Overview } from './overview.js';

/** The filters; null or false means no filter. */
export interface Narrowing {
    readonly problem: number | null;
    readonly service: number | null;
    /** First and last bin. */
    readonly bins: { readonly from: number; readonly to: number } | null;
    readonly group: { readonly by: Grouping; readonly key: string } | null;
    readonly hasFailed: boolean;
    readonly isInteractive: boolean;
    readonly isProbe: boolean;
    readonly isOpenable: boolean;
}

export const EVERYTHING: Narrowing = {
    problem: null,
    service: null,
    bins: null,
    group: null,
    hasFailed: false,
    isInteractive: false,
    isProbe: false,
    isOpenable: false,
};

/** Whether `row` passes the filters of `narrowing`. */
export function isAsked(
    overview: Overview,
    bins: Bins,
    narrowing: Narrowing,
    canOpen: (row: number) => boolean,
    row: number,
): boolean {
    const { problem, service, group } = narrowing;
    if (problem !== null && !overview.isOf(row, problem)) return false;
    if (service !== null && overview.service(row) !== service) return false;
    if (narrowing.bins && !bins.hasAny(overview.bins[row] as number, narrowing.bins.from, narrowing.bins.to)) return false;
    if (group && !keysOf(overview, row, group.by).includes(group.key)) return false;
    if (narrowing.hasFailed && overview.failure(row) === null) return false;
    if (narrowing.isInteractive && overview.interactive[row] !== 1) return false;
    if (narrowing.isProbe && overview.probe[row] !== 1) return false;
    return !narrowing.isOpenable || canOpen(row);
}

/** The words of a search, in lower case. Quotes keep a word with spaces together: `capture:"my file"`. */
export function wordsOf(query: string): string[] {
    const words = query.toLowerCase().match(/(?:"[^"]*"|\S)+/g) ?? [];
    return words.map((word) => word.replaceAll('"', '')).filter((word) => word !== '');
}

/** A word of the search as a condition: `time>1s`, `bytes<2MB`, `port:443`, `capture:monday`, and `#22` for
 *  connection 22 alone. Null for other words. */
export function numberTest(overview: Overview, word: string): ((row: number) => boolean) | null {
    const id = /^#(\d+)$/.exec(word)?.[1];
    if (id !== undefined) return (row) => overview.id[row] === Number(id);
    const capture = /^capture[:=](.+)$/.exec(word)?.[1];
    if (capture !== undefined) return (row) => overview.captureName(row).toLowerCase().includes(capture);
    const port = /^port[:=](\d+)$/.exec(word)?.[1];
    if (port !== undefined)
        return (row) => [overview.columns.from[row], overview.columns.to[row]].some((end) => end?.endsWith(`:${port}`));
    const match = /^(time|bytes)([<>])=?(\d+(?:\.\d+)?)(µs|us|ms|s|min|kb|mb|gb|b|)$/.exec(word);
    if (!match) return null;
    const [, what, sign, digits, unit] = match as unknown as [string, string, string, string, string];
    const limit = Number(digits) * (UNITS[unit] ?? 1);
    const values = what === 'time' ? overview.time : overview.bytes;
    return (row) => (sign === '<' ? (values[row] as number) <= limit : (values[row] as number) >= limit);
}

const UNITS: Readonly<Record<string, number>> = { µs: 1e-6, us: 1e-6, ms: 1e-3, min: 60, kb: 1e3, mb: 1e6, gb: 1e9 };
