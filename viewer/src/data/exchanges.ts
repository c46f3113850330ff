// Requests with their answers, decoded for the lanes.

import { upperBound } from '../base/search.js';
import type { ExchangeColumns } from '../format.js';
import { decode } from './columns.js';

/** Start and end of each part of an exchange, seconds from the start of the connection. */
export interface Parts {
    readonly sent: number;
    readonly atServer: number;
    readonly answered: number;
    /** Arrival of the answer's data without the server's pauses within it, which follow. */
    readonly carried: number;
    readonly done: number;
}

export class ExchangeModel {
    readonly rows: number;
    /** Number of all exchanges; the rows here are the slowest of them. */
    readonly count: number;
    readonly t: Float64Array;
    readonly #request: Float64Array;
    readonly #gap: Float64Array;
    readonly #answer: Float64Array;
    readonly #server: Float64Array;
    readonly #pauses: Float64Array;
    readonly answerBytes: Float64Array;
    readonly #firstPacket: Float64Array;

    constructor(columns: ExchangeColumns) {
        const column = (text: ExchangeColumns['t']): Float64Array => decode(text, columns.rows);
        this.rows = columns.rows;
        this.count = columns.count;
        this.t = column(columns.t);
        this.#request = column(columns.request_s);
        this.#gap = column(columns.gap_s);
        this.#answer = column(columns.answer_s);
        this.#server = column(columns.server_s);
        this.#pauses = column(columns.pauses_s);
        this.answerBytes = column(columns.answer_bytes);
        this.#firstPacket = column(columns.first_packet);
    }

    /** Computes the parts. The server's time is in the middle of the gap between request and answer, because
     *  both directions are assumed to take the same time. */
    parts(row: number): Parts {
        const sent = this.t[row] as number;
        const asked = sent + (this.#request[row] as number);
        const gap = this.#gap[row] as number;
        const server = Math.min(gap, this.#server[row] as number);
        const way = (gap - server) / 2;
        const done = asked + gap + (this.#answer[row] as number);
        const carried = done - (this.#pauses[row] as number);
        return { sent, atServer: asked + way, answered: asked + way + server, carried, done };
    }

    /** Start of the request whose first data is in packet `packet`; null if it is not here. */
    startOf(packet: number): number | null {
        const row = this.#firstPacket.indexOf(packet);
        return row < 0 ? null : (this.t[row] as number);
    }

    /** Time at which the client had the answer before `row`; NaN for the first. */
    before(row: number): number {
        return row === 0 ? NaN : this.parts(row - 1).done;
    }

    /** The exchange at `time`, or the last before it; -1 before the first. */
    at(time: number): number {
        return upperBound(this.t, time) - 1;
    }
}
