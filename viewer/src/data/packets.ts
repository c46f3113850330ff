// The packets of a connection, and the text of their flags and options.

import type { Packets, ViewData } from '../format.js';
import { decode } from './columns.js';

const FLAGS: readonly [number, string][] = [
    [2, 'SYN'],
    [1, 'FIN'],
    [4, 'RST'],
    [16, 'ACK'],
    [8, 'PSH'],
    [32, 'URG'],
    [64, 'ECE'],
    [128, 'CWR'],
    [256, 'AE'],
];
const OPTIONS: readonly [number, string][] = [
    [1, 'MSS'],
    [2, 'WS'],
    [4, 'SACK_PERM'],
    [8, 'SACK'],
    [32, 'MPTCP'],
    [64, 'TFO'],
    [128, 'AccECN'],
];

function names(bits: number, table: readonly [number, string][]): string[] {
    return Number.isNaN(bits) ? [] : table.filter(([bit]) => (bits & bit) !== 0).map(([, name]) => name);
}

/** `SYN ACK`. */
export function flagNames(bits: number): string {
    return names(bits, FLAGS).join(' ');
}

/** `MSS WS TSval=7 TSecr=3`. */
export function optionNames(bits: number, tsval: number, tsecr: number): string {
    const out = names(bits, OPTIONS);
    if ((bits & 16) !== 0) out.push(Number.isNaN(tsval) ? 'TS' : `TSval=${tsval} TSecr=${Number.isNaN(tsecr) ? '?' : tsecr}`);
    return out.join(' ');
}

/** Decoded packets of both directions in the order of the capture. */
export class PacketTable {
    readonly t: Float64Array;
    readonly number: Float64Array;
    readonly #columns: Record<
        'from' | 'seq' | 'len' | 'ack' | 'window' | 'flags' | 'kind' | 'options' | 'tsval' | 'tsecr',
        Float64Array
    >;

    constructor(
        packets: Packets,
        private readonly data: ViewData,
    ) {
        const column = (name: Exclude<keyof Packets, 'rows'>): Float64Array => decode(packets[name], packets.rows);
        this.t = column('t');
        this.number = column('number');
        this.#columns = {
            from: column('from'),
            seq: column('seq'),
            len: column('len'),
            ack: column('ack'),
            window: column('window'),
            flags: column('flags'),
            kind: column('kind'),
            options: column('options'),
            tsval: column('tsval'),
            tsecr: column('tsecr'),
        };
    }

    get length(): number {
        return this.t.length;
    }

    /** A value of packet `row`; NaN if unknown. */
    value(row: number, name: 'from' | 'seq' | 'len' | 'ack' | 'window'): number {
        return this.#columns[name][row] as number;
    }

    flags(row: number): string {
        return flagNames(this.#columns.flags[row] as number);
    }

    options(row: number): string {
        return optionNames(
            this.#columns.options[row] as number,
            this.#columns.tsval[row] as number,
            this.#columns.tsecr[row] as number,
        );
    }

    /** Id of the event of packet `row`; null for an ordinary one. */
    kind(row: number): string | null {
        const kind = this.#columns.kind[row] as number;
        return kind > 0 ? (this.data.mark_kinds[kind - 1] ?? null) : null;
    }

    /** Row of packet `number`; -1 if it is not here. */
    find(number: number): number {
        return this.number.indexOf(number);
    }
}
