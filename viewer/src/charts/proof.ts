// Which chart shows the cause at a glance, and the sentence that is written on it.

import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import type { HalfModel } from '../data/half.js';
import type { Connection, Half } from '../format.js';

/** The chart that comes first, and its sentence. */
export interface Proof {
    readonly chart: 'window' | 'sequence' | 'rtt' | 'lanes' | 'throughput';
    readonly text: string | null;
}

/** From this ratio of the median round trip to the smallest on, the queue is what the picture shows. */
const QUEUED = 1.5;

/** Less time than this is not worth a sentence, seconds. Chosen: a tenth of what people notice. */
const LEAST_PROOF = 0.01;

/** What a sentence is made of. */
interface Given {
    readonly half: Half;
    readonly model: HalfModel;
    readonly connection: Connection | undefined;
    readonly words: Words;
    readonly units: Units;
}

/** The proof of what limited a direction, without a sentence where that took next to no time. */
export function proofOf(given: Given, hasLanes: boolean): Proof {
    const proof = ofLimit(given, hasLanes);
    return given.half.verdict.seconds < LEAST_PROOF ? { ...proof, text: null } : proof;
}

function ofLimit(given: Given, hasLanes: boolean): Proof {
    const { half } = given;
    const { limit, detail } = half.verdict;
    switch (limit) {
        case 'send_buffer':
            return { chart: 'window', text: unused(given, 'viewer-proof-send-buffer') };
        case 'receive_window':
            return {
                chart: 'window',
                text: given.words.text(
                    detail === 'zero_window' || detail === 'slow_reader'
                        ? 'viewer-proof-slow-reader'
                        : 'viewer-proof-receive-window',
                    { window: bytes(given, half.receive_window_bytes?.median), time: seconds(given, half.verdict.seconds) },
                ),
            };
        case 'application':
            return ofApplication(given, detail, hasLanes);
        case 'loss_recovery':
            return {
                chart: 'sequence',
                text: given.words.text('viewer-proof-loss', {
                    n: String(half.retransmitted_segments),
                    time: seconds(given, half.verdict.seconds),
                }),
            };
        case 'congestion_window':
            if (detail === 'post_loss') {
                const n = String(half.retransmitted_segments);
                return { chart: 'sequence', text: given.words.text('viewer-proof-post-loss', { n }) };
            }
            return {
                chart: 'window',
                text: given.words.text('viewer-proof-congestion-window', {
                    window: bytes(given, half.receive_window_bytes?.median),
                }),
            };
        case 'slow_start':
            return { chart: 'window', text: given.words.text('viewer-proof-slow-start') };
        case 'path':
            return ofPath(given, detail);
        case 'ack_delay':
            return { chart: 'sequence', text: given.words.text('viewer-proof-ack-delay') };
        default:
            return { chart: 'sequence', text: null };
    }
}

function ofApplication(given: Given, detail: string | null, hasLanes: boolean): Proof {
    if (detail === 'peer_window') return { chart: 'window', text: unused(given, 'viewer-proof-peer-window') };
    if (detail === 'paced_writes') return { chart: 'window', text: unused(given, 'viewer-proof-own-pace') };
    const exchanges = given.connection?.exchanges;
    if (hasLanes && exchanges?.parts) {
        const { client_s, server_s, server_pauses_s, round_trips_s, requests_s, answers_s } = exchanges.parts;
        return {
            chart: 'lanes',
            text: given.words.text('viewer-proof-exchanges', {
                client: seconds(given, client_s),
                server: seconds(given, server_s + server_pauses_s),
                network: seconds(given, round_trips_s + requests_s + answers_s),
            }),
        };
    }
    return {
        chart: 'sequence',
        text: given.words.text('viewer-proof-nothing-to-send', { time: seconds(given, given.half.verdict.seconds) }),
    };
}

function ofPath(given: Given, detail: string | null): Proof {
    const rtt = given.half.rtt_us;
    if (detail === 'policer') return { chart: 'sequence', text: given.words.text('viewer-proof-policer') };
    if (rtt !== null && given.model.rtt.t.length > 0 && rtt.median > rtt.min * QUEUED) {
        const text = given.words.text('viewer-proof-queue', {
            low: seconds(given, rtt.min / 1e6),
            median: seconds(given, rtt.median / 1e6),
        });
        return { chart: 'rtt', text };
    }
    const rate = given.half.goodput_bits_per_s;
    const text = rate === null ? null : given.words.text('viewer-proof-path', { rate: given.units.rate(rate) });
    return { chart: 'throughput', text };
}

/** A sentence about the room under the window that stayed empty; null where the window is not known. */
function unused({ half, model, words, units }: Given, id: string): string | null {
    // The level that the answer names, where there is one.
    const flight = model.chart.lines.find((line) => line.kind === 'plateau')?.bytes ?? half.flight_bytes?.p95;
    const window = half.receive_window_bytes?.median;
    if (flight === undefined || window === undefined || window <= flight) return null;
    return words.text(id, { unused: units.bytes(window - flight), flight: units.bytes(flight), window: units.bytes(window) });
}

function bytes({ units, words }: Given, value: number | undefined): string {
    return value === undefined ? words.text('unknown') : units.bytes(value);
}

function seconds({ units }: Given, value: number): string {
    return units.seconds(value);
}
