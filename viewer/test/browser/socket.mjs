// The page of a sample with invented samples of its sending socket.
import { data, write } from './lib.mjs';

export const ROWS = 200;
export const column = (of) =>
    `f64:${Buffer.from(new Float64Array(Array.from({ length: ROWS }, (_, i) => of(i))).buffer).toString('base64')}`;
export const known = (of) => ({ lo: column(of) });

/** The page of a sample with a socket whose buffer of 4096 bytes is full in its second half. */
export function withSocket(name, change = () => undefined) {
    const value = data('send-buffer');
    const half = value.charts[0].halves.reduce((a, b) => (a.extent.seq > b.extent.seq ? a : b));
    half.socket = {
        rows: ROWS,
        t: column((i) => (i * 5) / ROWS),
        buffer: known(() => 4096),
        queued: known((i) => (i < ROWS / 2 ? 2304 : 157_000)),
        unsent: known((i) => (i < ROWS / 2 ? 0 : 60_000)),
        flight: known(() => 2896),
        cwnd: known(() => 14_480),
        window: known(() => 3_000_000),
        full: column((i) => (i < ROWS / 2 ? 0 : 1)),
    };
    change(half.socket);
    return write(name, value);
}
