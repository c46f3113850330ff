// A connection without data: its outcome and its packets.

import { h } from '../base/dom.js';
import { count, unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { PacketTable } from '../data/packets.js';
import type { Connection, ConnectionChart } from '../format.js';
import { allFindings } from './numbers.js';

/** More packets without data do not help. */
const MOST = 200;

/** Its answer, findings and packets. */
export function dataless(
    context: Context,
    head: { from: string; to: string },
    taken: HTMLElement,
    connection: Connection | undefined,
    chart: ConnectionChart | undefined,
): (HTMLElement | null)[] {
    const { words } = context;
    const lines = connection?.answer;
    return [
        h(
            'section',
            { class: 'answer card', id: 'answer', tabindex: -1, 'aria-labelledby': 'verdict' },
            h(
                'div',
                { class: 'answer-text' },
                h('p', { class: 'transfer' }, h('span', { class: 'ends' }, words.text('viewer-direction', head))),
                taken,
                h('h1', { id: 'verdict' }, unbroken(lines?.why || words.text('viewer-no-data'))),
                lines?.fix === undefined ? null : h('p', { class: 'answer-fix' }, unbroken(lines.fix)),
                lines?.but === undefined ? null : h('p', { class: 'notice' }, unbroken(lines.but)),
            ),
        ),
        connection ? allFindings(context, undefined, connection, true) : null,
        chart?.packets ? packets(context, chart) : null,
    ];
}

function packets(context: Context, chart: ConnectionChart): HTMLElement | null {
    if (!chart.packets) return null;
    const { words } = context;
    const table = new PacketTable(chart.packets, context.data);
    const heads = ['number', 'time', 'from', 'flags', 'options'].map((name) =>
        h('th', { scope: 'col' }, words.text(name === 'from' ? 'viewer-packet-sender' : `viewer-packet-${name}`)),
    );
    const rows = Array.from({ length: Math.min(table.length, MOST) }, (_, row) =>
        h(
            'tr',
            {},
            h('td', { class: 'number' }, count(table.number[row] as number)),
            h('td', { class: 'number' }, (table.t[row] as number).toFixed(6)),
            h('td', {}, chart.endpoints[table.value(row, 'from') as 0 | 1] ?? ''),
            h('td', {}, table.flags(row)),
            h('td', {}, table.options(row)),
        ),
    );
    return h(
        'section',
        { class: 'card few-packets', 'aria-labelledby': 'packets-title' },
        h('h2', { id: 'packets-title' }, words.text('viewer-packets')),
        h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows)),
    );
}
