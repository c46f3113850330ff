// Place and time of a capture, and whether a chart combines several places.

import { wallClock, wallClockRange } from '../base/clock.js';
import { h } from '../base/dom.js';
import { isolated } from '../base/isolate.js';
import type { Context } from '../charts/frame.js';
import type { HalfModel } from '../data/half.js';
import type { Capture, Connection, ConnectionChart } from '../format.js';

/** Capture point of a direction. */
function placeText(
    context: Context,
    connection: Connection | undefined,
    half: HalfModel | undefined,
    sender: number,
    isJoined: boolean,
): string {
    const { words } = context;
    // A combination of several places has no capture point.
    if (isJoined) return words.text('fact-vantage-unknown');
    const own = half?.chart.vantage;
    const end = connection?.vantage.endpoint;
    const place = own ?? (end === null || end === undefined ? 'unknown' : end === sender ? 'sender' : 'receiver');
    return words.text(`fact-vantage-${place}`);
}

/** One line under the ends of a connection: capture point, wall-clock time, file. */
export function takenLine(
    context: Context,
    captures: readonly Capture[],
    connection: Connection | undefined,
    chart: ConnectionChart | undefined,
    half: HalfModel | undefined,
    sender: number,
): HTMLElement {
    const { words } = context;
    const start = chart?.start_ns ?? connection?.start_ns;
    const duration = chart?.duration_s ?? connection?.duration_s ?? 0;
    const when = start === undefined ? null : wallClockRange(start, duration);
    const utc = start === undefined ? null : wallClock(start)?.utc;
    const capture = connection?.capture === null || connection?.capture === undefined ? null : captures[connection.capture];
    return h(
        'p',
        { class: 'taken' },
        h(
            'span',
            { class: 'taken-where' },
            placeText(context, connection, half, sender, connection?.capture === null && overlapping(captures).length > 1),
        ),
        when === null ? null : ' · ',
        when === null ? null : h('time', { datetime: utc, title: utc }, when),
        capture && captures.length > 1 ? ' · ' : null,
        capture && captures.length > 1 ? h('span', { class: 'taken-file' }, capture.path) : null,
        start === undefined ? h('span', {}, ` · ${words.text('unknown')}`) : null,
        remark(context, capture ? [capture] : captures),
    );
}

/** The anomalies of the captures, in one line at the top; the end of the page has all of them. Null without
 *  any. */
function remark({ words }: Context, captures: readonly Capture[]): HTMLElement | null {
    const [first, ...others] = captures.flatMap((capture) => capture.anomalies.map((anomaly) => anomaly.text));
    if (first === undefined) return null;
    const text = others.length === 0 ? first : words.text('viewer-remarks', { first, n: String(others.length) });
    return h('span', { class: 'taken-remark' }, text);
}

/** Contents of captures (`totals`) and their time, if known, in one line. */
export function capturesLine(context: Context, captures: readonly Capture[], totals: string): HTMLElement {
    const { words } = context;
    const known = captures.filter((capture) => capture.start_ns !== null);
    const start = Math.min(...known.map((capture) => capture.start_ns as number));
    const end = Math.max(...known.map((capture) => (capture.start_ns as number) + (capture.duration_s ?? 0) * 1e9));
    const when = known.length === 0 ? null : wallClockRange(start, (end - start) / 1e9);
    if (when === null) return h('p', { class: 'taken' }, totals, remark(context, captures));
    return h(
        'p',
        { class: 'taken' },
        totals,
        ' · ',
        words.text('viewer-taken', {
            when,
            captures:
                captures.length === 1 ? (captures[0]?.path ?? '') : words.text('viewer-captures', { n: String(captures.length) }),
        }),
        remark(context, captures),
    );
}

/** End of a capture, nanoseconds since the epoch. */
function endOf(capture: Capture): number {
    return (capture.start_ns as number) + (capture.duration_s ?? 0) * 1e9;
}

/** Whether two captures ran at the same time. Rotated files may share an instant: an overlap of 1 % of the
 *  shorter one does not count. */
function doOverlap(a: Capture, b: Capture): boolean {
    const both = Math.min(endOf(a), endOf(b)) - Math.max(a.start_ns as number, b.start_ns as number);
    return both > 0.01 * 1e9 * Math.min(a.duration_s ?? 0, b.duration_s ?? 0);
}

function timed(captures: readonly Capture[]): Capture[] {
    return captures.filter((capture) => capture.start_ns !== null && (capture.duration_s ?? 0) > 0);
}

/** Captures that ran at the same time as another one; parts of one recording follow each other instead. */
export function overlapping(captures: readonly Capture[]): Capture[] {
    const known = timed(captures);
    return known.filter((one) => known.some((other) => other !== one && doOverlap(one, other)));
}

/** Whether any two captures did not run at the same time. */
export function apartInTime(captures: readonly Capture[]): boolean {
    const known = timed(captures);
    return known.some((one) => known.some((other) => other !== one && !doOverlap(one, other)));
}

/** Notice that a connection was combined from captures that ran at the same time, so probably at two places;
 *  otherwise null. */
export function vantageNotice(
    context: Context,
    captures: readonly Capture[],
    connection: Connection | undefined,
): HTMLElement | null {
    // A connection of merged captures belongs to no single capture.
    if (!connection || connection.capture !== null) return null;
    const together = overlapping(captures);
    if (together.length < 2) return null;
    return h(
        'p',
        { class: 'notice vantages', role: 'note' },
        context.words.text('viewer-two-vantages', {
            names: together.map((capture) => isolated(capture.path)).join(context.words.text('list-separator')),
        }),
    );
}
