// The events as a table, for connections with too many packets to list.

import { button, h } from '../base/dom.js';
import { lowerBound } from '../base/search.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { HalfModel } from '../data/half.js';
import type { View } from '../view/view.js';
import { VirtualRows } from './virtual.js';

const ROW_HEIGHT = 24;

interface Event {
    readonly time: number;
    readonly kind: string;
    readonly packet: number;
    readonly count: number;
    readonly low: number;
    readonly high: number;
}

/** All events of a direction by time. */
export function eventsOf(half: HalfModel): Event[] {
    const out: Event[] = [];
    for (const set of half.marks.values()) {
        for (let i = 0; i < set.t.length; i++) {
            out.push({
                time: set.t[i] as number,
                kind: set.kind,
                packet: set.packet[i] as number,
                count: set.count[i] as number,
                low: set.low[i] as number,
                high: set.high[i] as number,
            });
        }
    }
    return out.sort((a, b) => a.time - b.time);
}

/** The list of events, linked with the charts. `why` explains why it is not the list of packets. */
export function eventList(context: Context, half: HalfModel, view: View, why: string): HTMLElement {
    const { words } = context;
    const events = eventsOf(half);
    const times = Float64Array.from(events, (event) => event.time);
    const number = (value: number): string => (Number.isNaN(value) ? '–' : count(value));
    const rows = new VirtualRows(
        ROW_HEIGHT,
        events.length,
        (row) => {
            const event = events[row] as Event;
            return h(
                'div',
                { role: 'row', class: 'event', 'aria-rowindex': row + 2 },
                h(
                    'span',
                    { role: 'cell' },
                    button(
                        { class: 'link' },
                        () => {
                            view.reveal({ start: event.time, end: event.time });
                            view.setCursor(event.time);
                        },
                        number(event.packet),
                    ),
                ),
                h('span', { role: 'cell' }, event.time.toFixed(6)),
                h('span', { role: 'cell' }, words.text(`viewer-mark-${event.kind.replaceAll('_', '-')}`)),
                h('span', { role: 'cell' }, event.count > 1 ? `× ${count(event.count)}` : ''),
                h('span', { role: 'cell' }, `${number(event.low)} – ${number(event.high)}`),
            );
        },
        { 'data-own-keys': '' },
    );
    view.listen((change) => {
        if (change.cursor || change.time) rows.reveal(lowerBound(times, view.cursor ?? view.time.start));
    });
    const head = h(
        'div',
        { role: 'row', class: 'event event-head', 'aria-rowindex': 1 },
        ...['number', 'time', 'what', 'count', 'bytes'].map((name) =>
            h('span', { role: 'columnheader' }, words.text(`viewer-packet-${name}`)),
        ),
    );
    return h(
        'section',
        { class: 'card packets', id: 'packets', 'aria-labelledby': 'packets-title' },
        h(
            'div',
            { class: 'card-head' },
            h('h2', { id: 'packets-title' }, words.text('viewer-events')),
            h('span', { class: 'soft' }, why),
        ),
        events.length === 0
            ? h('p', {}, words.text('viewer-no-events'))
            : h(
                  'div',
                  {
                      class: 'event-table',
                      role: 'table',
                      'aria-label': words.text('viewer-events'),
                      'aria-rowcount': events.length + 1,
                  },
                  h('div', { role: 'rowgroup' }, head),
                  rows.element,
              ),
    );
}
