// Path of the bytes: the program writes, the send buffer stores, the path carries, the receiver takes them,
// and an ACK frees the room. Each station has its numbers of this transfer, and the seconds in which it was
// the limit.

import { h, setVars } from '../base/dom.js';
import type { Context } from '../charts/frame.js';
import type { HalfModel } from '../data/half.js';
import { swatchOf } from '../data/swatch.js';
import type { Half, LimitShare } from '../format.js';
import type { View } from '../view/view.js';
import { limitToggle } from './answer.js';
import { badge, dress } from './looks.js';

/** Share of the time from which a station is drawn as a limit: less is not visible. */
const SHOWN = 0.01;
/** Factor within which two rates count as equal for a reader. Chosen. */
const AGREES = 1.25;

/** The stations in the order of the bytes' path, and the limits that belong to each. */
const STATIONS = {
    program: ['application'],
    buffer: ['send_buffer'],
    congestion: ['slow_start', 'congestion_window', 'loss_recovery'],
    path: ['path', 'tail_rtt'],
    receiver: ['receive_window'],
    acks: ['ack_delay'],
} as const;

type Station = keyof typeof STATIONS;

/** Input of the sentences. */
interface Given {
    readonly context: Context;
    readonly half: Half;
    readonly model: HalfModel | undefined;
}

/** The strip of a direction; null if no ACK was captured, so that the send buffer's content is unknown. */
export function mechanism(context: Context, half: Half, model: HalfModel | undefined, view: View): HTMLElement | null {
    if (half.flight_bytes === null || half.rtt_us === null) return null;
    const { words } = context;
    const given = { context, half, model };
    const stations = (Object.keys(STATIONS) as Station[]).map((station) => element(given, station, view));
    const sum = arithmetic(given);
    return h(
        'section',
        { class: 'card mechanism', 'aria-labelledby': 'mechanism-title' },
        h('h2', { id: 'mechanism-title' }, words.text('viewer-mechanism')),
        h('ol', {}, ...stations),
        sum === null ? null : h('p', { class: 'mechanism-sum' }, sum),
    );
}

function element(given: Given, station: Station, view: View): HTMLElement {
    const { context, half } = given;
    const { words, units, data } = context;
    const limits = half.limits.filter(({ limit }) => (STATIONS[station] as readonly string[]).includes(limit));
    const seconds = limits.reduce((sum, entry) => sum + entry.seconds, 0);
    const share = limits.reduce((sum, entry) => sum + entry.share, 0);
    const longest = limits.reduce<LimitShare | null>((best, one) => (best && best.seconds >= one.seconds ? best : one), null);
    const name = h('span', { class: 'mechanism-name' }, words.text(`viewer-mechanism-${station}`));
    const facts = h('span', { class: 'mechanism-facts' }, numbers(given, station));
    const item = h('li', { 'data-station': station });
    if (longest === null || share < SHOWN) {
        item.append(name, facts);
        return item;
    }
    const id = swatchOf(data, longest.limit, longest.detail);
    const time = h('span', { class: 'mechanism-time' }, words.text('viewer-mechanism-time', { time: units.seconds(seconds) }));
    const fill = dress(h('span', { class: 'mechanism-fill' }), context, id);
    setVars(fill, { '--share': String(share) });
    item.append(limitToggle(view, id, { class: 'mechanism-limit' }, badge(context, id), name, facts, time, fill));
    return item;
}

/** Numbers of a station. */
function numbers({ context, half, model }: Given, station: Station): string {
    const { words, units } = context;
    const { rtt_us: rtt, receive_window_bytes: window } = half;
    const socket = model?.socket;
    const top = (values: ArrayLike<number> | undefined): number => Array.from(values ?? []).reduce((a, b) => (b > a ? b : a), 0);
    switch (station) {
        case 'program':
            return words.text('viewer-mechanism-writes', { bytes: units.bytes(half.bytes) });
        case 'buffer': {
            const limit = top(socket?.buffer.high);
            return limit > 0
                ? words.text('viewer-mechanism-keeps-of', {
                      bytes: units.bytes(top(socket?.queued.high)),
                      limit: units.bytes(limit),
                  })
                : words.text('viewer-mechanism-keeps', { bytes: units.bytes(level(half, model)) });
        }
        case 'congestion':
            return words.text('viewer-mechanism-repeats', { n: String(half.retransmitted_segments) });
        case 'path':
            return words.text('viewer-mechanism-carries', {
                time: units.seconds((rtt?.min ?? NaN) / 1e6),
                rate: half.goodput_bits_per_s === null ? words.text('unknown') : units.rate(half.goodput_bits_per_s),
            });
        case 'receiver':
            return words.text('viewer-mechanism-offers', { bytes: window ? units.bytes(window.median) : words.text('unknown') });
        case 'acks':
            return words.text('viewer-mechanism-frees', { time: units.seconds((rtt?.median ?? NaN) / 1e6) });
    }
}

/** Bytes in flight: the level that the answer names, if there is one. */
function level(half: Half, model: HalfModel | undefined): number {
    return model?.chart.lines.find((line) => line.kind === 'plateau')?.bytes ?? half.flight_bytes?.p95 ?? NaN;
}

/** The calculation of the rate from bytes per round trip, if a full buffer or window is the limit. */
function arithmetic({ context, half, model }: Given): string | null {
    const { words, units } = context;
    const { limit } = half.verdict;
    if ((limit !== 'send_buffer' && limit !== 'receive_window') || half.rtt_us === null || half.rtt_us.median <= 0) return null;
    const bytes = level(half, model);
    const seconds = half.rtt_us.median / 1e6;
    const rate = (bytes * 8) / seconds;
    // A calculation that does not match the real rate explains nothing: the reader may have stopped in
    // between.
    const was = half.goodput_bits_per_s ?? 0;
    if (!(rate < was * AGREES && was < rate * AGREES)) return null;
    return words.text('viewer-mechanism-sum', {
        bytes: units.bytes(bytes),
        time: units.seconds(seconds),
        rate: units.rate(rate),
    });
}
