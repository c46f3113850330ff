// Text about the events after the last data, and the initially shown part of them.

import type { Range } from '../base/scale.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { After } from '../data/after.js';
import type { Connection, ConnectionChart } from '../format.js';
import { ends } from './bar.js';

/** A silence with more than this share of the time is not shown initially. */
const SHOWN = 0.8;
/** In that case this share of the transfer's time is shown after it, so that the events are visible. */
const SEEN = 0.06;

/** The initial stretch: the transfer, and a little of a long silence after it. */
export function homeOf(after: After | null, duration: number): Range {
    if (!after || after.to - after.from <= SHOWN * duration || after.from <= 0) return { start: 0, end: duration };
    return { start: 0, end: Math.min(duration, after.from * (1 + SEEN)) };
}

/** `93 s without data, 3 keep-alives, then reset by 10.0.0.1:80` */
export function afterText(
    context: Context,
    after: After,
    connection: Connection | undefined,
    chart: ConnectionChart | undefined,
): string {
    const { words, units } = context;
    const told = after.later
        .filter(({ kind }) => kind !== 'rst' && kind !== 'fin')
        .map(({ kind, count: n }) =>
            words.text('viewer-after-count', { n: count(n), kind: words.text(`viewer-mark-${kind.replaceAll('_', '-')}`) }),
        );
    const end = connection?.ending ?? '';
    const reset = /^reset_by_([01])$/.exec(end)?.[1];
    const ending =
        reset !== undefined
            ? words.text('viewer-after-reset', { end: ends(connection, chart)[Number(reset) as 0 | 1] })
            : end === 'closed'
              ? words.text('viewer-after-closed')
              : end === 'open'
                ? words.text('viewer-after-open')
                : null;
    return [
        words.text('viewer-after-silence', { time: units.seconds(after.to - after.from) }),
        ...told,
        ...(ending === null ? [] : [ending]),
    ].join(words.text('list-separator'));
}
