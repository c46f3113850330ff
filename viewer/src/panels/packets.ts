// The packets around the cursor, numbered as Wireshark numbers them.

import { h } from '../base/dom.js';
import { nearest } from '../base/search.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { HalfModel } from '../data/half.js';
import { PacketTable } from '../data/packets.js';
import type { Packets } from '../format.js';
import type { View } from '../view/view.js';
import { badge } from './looks.js';
import { VirtualRows } from './virtual.js';

const ROW_HEIGHT = 24;
const COLUMNS = ['number', 'time', 'direction', 'seq', 'ack', 'len', 'window', 'flags', 'what', 'options', 'limit'] as const;

/** The list of `packets`, linked with the charts. */
export function packetList(context: Context, packets: Packets, half: HalfModel, view: View): HTMLElement {
    const { words } = context;
    const table = new PacketTable(packets, context.data);
    let current = -1;
    let isOwn = false;
    const cell = (name: string, ...children: (Node | string)[]): HTMLElement => h('span', { role: 'cell', class: `cell-${name}` }, ...children);
    const numeric = (value: number): string => (Number.isNaN(value) ? '–' : count(value));

    const makeRow = (row: number): HTMLElement => {
        const time = table.t[row] as number;
        const at = half.timeline.at(time);
        const limit = at < 0 ? null : half.timeline.limitId(at);
        const kind = table.kind(row);
        const isData = table.value(row, 'from') === half.chart.sender;
        const element = h('div', {
            role: 'row', 'aria-rowindex': row + 2, 'data-row': row,
            class: `packet ${isData ? 'is-forward' : 'is-back'}${kind === null ? '' : ` kind kind-${kind}`}${row === current ? ' is-current' : ''}`,
        },
        cell('number', numeric(table.number[row] as number)),
        cell('time', time.toFixed(6)),
        cell('direction', isData ? '→' : '←', h('span', { class: 'hidden-visually' }, words.text(isData ? 'viewer-from-sender' : 'viewer-from-receiver'))),
        cell('seq', numeric(table.value(row, 'seq'))),
        cell('ack', numeric(table.value(row, 'ack'))),
        cell('len', numeric(table.value(row, 'len'))),
        cell('window', numeric(table.value(row, 'window'))),
        cell('flags', table.flags(row)),
        cell('what', kind === null ? '' : words.text(`viewer-mark-${kind.replaceAll('_', '-')}`)),
        cell('options', table.options(row)),
        cell('limit', ...(limit === null ? [] : [badge(context, limit), words.limit(limit)])));
        return element;
    };
    const rows = new VirtualRows(ROW_HEIGHT, table.length, makeRow, { 'data-own-keys': '' });
    const head = h('div', { role: 'row', class: 'packet packet-head', 'aria-rowindex': 1 },
        ...COLUMNS.map((name) => h('span', { role: 'columnheader', class: `cell-${name}` }, words.text(`viewer-packet-${name}`))));
    const list = h('div', { class: 'packet-table', role: 'table', 'aria-label': words.text('viewer-packets'), 'aria-rowcount': table.length + 1 },
        h('div', { role: 'rowgroup' }, head), rows.element);

    const goTo = (row: number): void => {
        const time = table.t[row];
        if (time === undefined) return;
        isOwn = true;
        current = row;
        view.setCursor(time);
        view.reveal({ start: time, end: time });
        rows.reveal(row);
        rows.refresh();
    };
    rows.element.addEventListener('click', (event) => {
        const row = (event.target as Element).closest('[data-row]');
        if (row) goTo(Number(row.getAttribute('data-row')));
    });
    rows.element.addEventListener('keydown', (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
        const to = event.key === 'Home' ? 0 : event.key === 'End' ? table.length - 1 : step === undefined ? NaN : current + step;
        if (Number.isNaN(to)) return;
        event.preventDefault();
        goTo(Math.min(Math.max(to, 0), table.length - 1));
    });
    let isSeen = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
        timer = undefined;
        const row = nearest(table.t, view.cursor ?? view.time.start);
        if (row === current) return;
        current = view.cursor === null ? -1 : row;
        rows.reveal(row);
        rows.refresh();
    };
    new IntersectionObserver(([entry]) => {
        isSeen = entry?.isIntersecting ?? false;
    }).observe(rows.element);
    view.listen((change) => {
        if (!(change.cursor || change.time) || !list.isConnected) return;
        if (isOwn) isOwn = false;
        // Rows are made anew only now and then while something moves, and later where nobody sees them.
        else timer ??= setTimeout(follow, isSeen ? 60 : 400);
    });

    const input = h('input', { type: 'text', inputmode: 'numeric', class: 'go', id: 'go-to-packet', size: 9, autocomplete: 'off' });
    const status = h('span', { role: 'status', class: 'soft' });
    const form = h('form', { class: 'go-form' }, h('label', { for: 'go-to-packet' }, words.text('viewer-go-to-packet')), input, status);
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        const row = table.find(Number(input.value.replaceAll(',', '').trim()));
        status.textContent = row < 0 ? words.text('viewer-no-such-packet') : '';
        if (row >= 0) goTo(row);
    });
    return h('section', { class: 'card packets', id: 'packets', 'aria-labelledby': 'packets-title' },
        h('div', { class: 'card-head' }, h('h2', { id: 'packets-title' }, words.text('viewer-packets')), h('span', { class: 'soft' }, words.text('viewer-packets-hint')), form), list);
}
