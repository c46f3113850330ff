// The connections of a report, for sorting and searching.

import type { Overview as Columns, ViewData } from '../format.js';
import { decode } from './columns.js';
import { namedEnd, namesOf } from './names.js';
import { numberTest, wordsOf } from './narrow.js';

export const SORT_KEYS = ['rank', 'id', 'ends', 'capture', 'start', 'bytes', 'duration', 'rate', 'lost', 'verdict'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** Decoded overview. Rows are in the order of the data, those with most lost time first. */
export class Overview {
    readonly rows: number;
    readonly id: Float64Array;
    readonly start: Float64Array;
    /** Time from the first to the last packet. */
    readonly duration: Float64Array;
    /** The transfer's time; without data, the connection's. */
    readonly time: Float64Array;
    readonly bytes: Float64Array;
    /** Bytes of the other direction. */
    readonly bytesBack: Float64Array;
    readonly rate: Float64Array;
    readonly resent: Float64Array;
    /** Seconds that a change would save. */
    readonly lost: Float64Array;
    readonly #isPredicted: Float64Array;
    readonly verdictSeconds: Float64Array;
    readonly severity: Float64Array;
    readonly detail: Float64Array;
    readonly #service: Float64Array;
    readonly #failure: Float64Array;
    readonly #problems: readonly [Float64Array, Float64Array];
    readonly exchanges: Float64Array;
    /** A bit for each bin of the histograms that counts the row. */
    readonly bins: Float64Array;
    readonly interactive: Float64Array;
    /** 1 for a connection without data that only checked whether a host answers. */
    readonly probe: Float64Array;
    readonly #capture: Float64Array;
    readonly #verdict: Float64Array;

    constructor(
        readonly columns: Columns,
        private readonly data: ViewData,
    ) {
        const column = (text: Columns['id']): Float64Array => decode(text, columns.rows);
        this.rows = columns.rows;
        this.id = column(columns.id);
        this.start = column(columns.start_s);
        this.duration = column(columns.duration_s);
        // The time that the rate refers to, as in the terminal; without data, the duration.
        this.time = column(columns.transfer_s).map((own, row) => (Number.isNaN(own) ? (this.duration[row] as number) : own));
        this.bytes = column(columns.bytes);
        this.bytesBack = column(columns.bytes_back);
        this.rate = column(columns.goodput_bits_per_s);
        this.resent = column(columns.retransmitted_bytes);
        this.lost = column(columns.lost_s);
        this.#isPredicted = column(columns.is_saving_predicted);
        this.verdictSeconds = column(columns.verdict_s);
        this.severity = column(columns.severity);
        this.detail = column(columns.detail);
        this.#verdict = column(columns.verdict);
        this.#service = column(columns.service);
        this.#failure = column(columns.failure);
        this.#problems = [column(columns.failed_problem), column(columns.slow_problem)];
        this.exchanges = column(columns.exchanges);
        this.bins = column(columns.bins);
        this.interactive = column(columns.interactive);
        this.probe = column(columns.probe);
        this.#capture = column(columns.capture);
    }

    /** Bytes of all connections in both directions, including those without a row, as in the terminal. */
    get allBytes(): number {
        const sum = (all: Float64Array): number => all.reduce((before, own) => before + (own || 0), 0);
        return sum(this.bytes) + sum(this.bytesBack) + this.columns.omitted.bytes;
    }

    /** `from → to` of `row`. */
    ends(row: number): string {
        const [from, to] = this.bothEnds(row).map(({ end }) => namedEnd(this.data, end, this.id[row] as number));
        return `${from} → ${to}`;
    }

    /** Both ends of `row` and their names. */
    bothEnds(row: number): { end: string; names: string }[] {
        const ends = [this.columns.from[row] ?? '', this.columns.to[row] ?? ''];
        return ends.map((end) => ({ end, names: namesOf(this.data, end, this.id[row] as number) }));
    }

    /** The limit of `row`; null if none is worth acting on. */
    verdict(row: number): { limit: string; detail: string | null } | null {
        const cause = this.data.causes[this.#verdict[row] as number];
        const look = cause && this.data.limits[cause.limit];
        return look ? { limit: look.id, detail: cause.detail } : null;
    }

    /** Number of the server that `row` connected to; null for one that is not listed. */
    service(row: number): number | null {
        const service = this.#service[row] as number;
        return Number.isNaN(service) ? null : service;
    }

    /** Number of the capture that contains `row`; null if captures were merged. */
    capture(row: number): number | null {
        const capture = this.#capture[row] as number;
        return Number.isNaN(capture) ? null : capture;
    }

    /** The name of that capture; empty without one. */
    captureName(row: number): string {
        return this.data.documents[this.data.language].captures[this.capture(row) ?? -1]?.path ?? '';
    }

    /** Whether the connections of several captures are listed per capture. */
    get hasCaptures(): boolean {
        return this.data.documents[this.data.language].captures.length > 1 && this.#capture.some((one) => !Number.isNaN(one));
    }

    /** Id of the failure of `row`; null if it did not fail. */
    failure(row: number): string | null {
        return this.data.failures[this.#failure[row] as number] ?? null;
    }

    /** Numbers of the problems that `row` is part of. */
    problemsOf(row: number): number[] {
        return this.#problems.map((column) => column[row] as number).filter((problem) => !Number.isNaN(problem));
    }

    /** Whether `row` is part of problem number `problem`. */
    isOf(row: number, problem: number): boolean {
        return this.#problems.some((column) => column[row] === problem);
    }

    /** Whether the saving of `row` is only an upper bound, because the effect of a change could not be
     *  predicted. */
    isUpperBound(row: number): boolean {
        return (this.lost[row] as number) > 0 && this.#isPredicted[row] !== 1;
    }

    /** Rows whose ends, number or cause contain every word of `query` (or satisfy it, such as `time>1s`),
     *  sorted. Unknown values come last. */
    select(query: string, key: SortKey, isDescending: boolean, causeName: (row: number) => string): number[] {
        const tests = wordsOf(query).map((word) => numberTest(this, word) ?? word);
        const found: number[] = [];
        for (let row = 0; row < this.rows; row++) {
            if (tests.length > 0) {
                const text = this.#text(row, causeName);
                if (!tests.every((test) => (typeof test === 'string' ? text.includes(test) : test(row)))) continue;
            }
            found.push(row);
        }
        return this.#sorted(found, key, isDescending, causeName);
    }

    /** Words of `query` that are no condition and appear in no connection at all. */
    unknownWords(query: string, causeName: (row: number) => string): string[] {
        let left = wordsOf(query).filter((word) => numberTest(this, word) === null);
        for (let row = 0; row < this.rows && left.length > 0; row++) {
            const text = this.#text(row, causeName);
            left = left.filter((word) => !text.includes(word));
        }
        return left;
    }

    /** The text in which words of a query are searched. */
    #text(row: number, causeName: (row: number) => string): string {
        return `${this.ends(row)} ${causeName(row)} ${this.verdict(row)?.limit ?? ''}`.toLowerCase();
    }

    #sorted(found: number[], key: SortKey, isDescending: boolean, causeName: (row: number) => string): number[] {
        const sign = isDescending ? -1 : 1;
        if (key === 'ends' || key === 'verdict') {
            const texts = new Map(found.map((row) => [row, key === 'ends' ? this.ends(row) : causeName(row)]));
            found.sort(
                (a, b) =>
                    sign *
                        ((texts.get(a) as string) < (texts.get(b) as string)
                            ? -1
                            : (texts.get(a) as string) > (texts.get(b) as string)
                              ? 1
                              : 0) || a - b,
            );
            return found;
        }
        const values = {
            rank: this.id.map((_, row) => row),
            id: this.id,
            capture: this.#capture,
            start: this.start,
            bytes: this.bytes,
            duration: this.time,
            rate: this.rate,
            lost: this.lost,
        }[key];
        const last = isDescending ? -Infinity : Infinity;
        const value = (row: number): number => {
            const own = values[row] as number;
            return Number.isNaN(own) ? last : own;
        };
        // Both may be infinite, and the difference of infinities is NaN.
        found.sort((a, b) => (value(a) === value(b) ? a - b : sign * (value(a) < value(b) ? -1 : 1)));
        return found;
    }
}
