// The packets around the cursor, with Wireshark's numbers.

import { h } from '../base/dom.js';
import { lowerBound, nearest } from '../base/search.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { type Field, filterOf } from '../data/filter.js';
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
    /** Rows of the table that pass the filter; null: all. */
    let shown: Int32Array | null = null;
    const rowOf = (index: number): number => (shown === null ? index : (shown[index] as number));
    /** Index of `row` among those shown, or of the next one. */
    const indexOf = (row: number): number => (shown === null ? row : lowerBound(shown, row));
    let current = -1;
    let isOwn = false;
    const cell = (name: string, ...children: (Node | string)[]): HTMLElement =>
        h('span', { role: 'cell', class: `cell-${name}` }, ...children);
    const numeric = (value: number): string => (Number.isNaN(value) ? '–' : count(value));
    const nameOf = (kind: string): string => words.text(`viewer-mark-${kind.replaceAll('_', '-')}`);
    const makeRow = (index: number): HTMLElement => {
        const row = rowOf(index);
        const time = table.t[row] as number;
        const at = half.timeline.at(time);
        const limit = at < 0 ? null : half.timeline.limitId(at);
        const kind = table.kind(row);
        const isData = table.value(row, 'from') === half.chart.sender;
        const element = h(
            'div',
            {
                role: 'row',
                'aria-rowindex': index + 2,
                'data-row': row,
                class: `packet ${isData ? 'is-forward' : 'is-back'}${kind === null ? '' : ` kind kind-${kind}`}${row === current ? ' is-current' : ''}`,
            },
            cell('number', numeric(table.number[row] as number)),
            cell('time', time.toFixed(6)),
            cell(
                'direction',
                isData ? '→' : '←',
                h('span', { class: 'hidden-visually' }, words.text(isData ? 'viewer-from-sender' : 'viewer-from-receiver')),
            ),
            cell('seq', numeric(table.value(row, 'seq'))),
            cell('ack', numeric(table.value(row, 'ack'))),
            cell('len', numeric(table.value(row, 'len'))),
            cell('window', numeric(table.value(row, 'window'))),
            cell('flags', table.flags(row)),
            cell('what', kind === null ? '' : nameOf(kind)),
            cell('options', table.options(row)),
            cell('limit', ...(limit === null ? [] : [badge(context, limit), words.limit(limit)])),
        );
        return element;
    };
    const rows = new VirtualRows(ROW_HEIGHT, table.length, makeRow, { 'data-own-keys': '' });
    const head = h(
        'div',
        { role: 'row', class: 'packet packet-head', 'aria-rowindex': 1 },
        ...COLUMNS.map((name) => h('span', { role: 'columnheader', class: `cell-${name}` }, words.text(`viewer-packet-${name}`))),
    );
    const list = h(
        'div',
        { class: 'packet-table', role: 'table', 'aria-label': words.text('viewer-packets'), 'aria-rowcount': table.length + 1 },
        h('div', { role: 'rowgroup' }, head),
        rows.element,
    );

    const goTo = (row: number): void => {
        const time = table.t[row];
        if (time === undefined) return;
        isOwn = true;
        current = row;
        view.setCursor(time);
        view.reveal({ start: time, end: time });
        rows.reveal(indexOf(row));
        rows.refresh();
    };
    rows.element.addEventListener('click', (event) => {
        const row = (event.target as Element).closest('[data-row]');
        if (row) goTo(Number(row.getAttribute('data-row')));
    });
    rows.element.addEventListener('keydown', (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
        const last = (shown?.length ?? table.length) - 1;
        const to =
            event.key === 'Home'
                ? 0
                : event.key === 'End'
                  ? last
                  : step === undefined
                    ? NaN
                    : (current < 0 ? -1 : indexOf(current)) + step;
        if (Number.isNaN(to) || last < 0) return;
        event.preventDefault();
        goTo(rowOf(Math.min(Math.max(to, 0), last)));
    });
    let isSeen = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
        timer = undefined;
        const row = nearest(table.t, view.cursor ?? view.time.start);
        if (row === current) return;
        current = view.cursor === null ? -1 : row;
        rows.reveal(indexOf(row));
        rows.refresh();
    };
    new IntersectionObserver(([entry]) => {
        isSeen = entry?.isIntersecting ?? false;
    }).observe(rows.element);
    view.listen((change) => {
        if (!(change.cursor || change.time) || !list.isConnected) return;
        if (isOwn) isOwn = false;
        // While the view moves, rows are rebuilt only at intervals, and less often if not visible.
        else timer ??= setTimeout(follow, isSeen ? 60 : 400);
    });

    const input = h('input', {
        type: 'text',
        inputmode: 'numeric',
        class: 'go',
        id: 'go-to-packet',
        size: 9,
        autocomplete: 'off',
    });
    const status = h('span', { role: 'status', class: 'soft' });
    const form = h(
        'form',
        { class: 'go-form' },
        h('label', { for: 'go-to-packet' }, words.text('viewer-go-to-packet')),
        input,
        status,
    );
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        const row = table.find(Number(input.value.replaceAll(',', '').trim()));
        status.textContent = row < 0 ? words.text('viewer-no-such-packet') : '';
        if (row >= 0) goTo(row);
    });
    const filter = h('input', {
        type: 'search',
        class: 'packet-filter',
        id: 'packet-filter',
        autocomplete: 'off',
        placeholder: words.text('viewer-packet-filter-hint'),
        title: words.text('viewer-packet-filter-help'),
    });
    const found = h('span', { role: 'status', class: 'soft' });
    const none = h('p', { class: 'soft', hidden: true }, words.text('viewer-packet-none'));
    const events = new Set(context.data.mark_kinds.map((kind) => nameOf(kind).toLowerCase()));
    const noteOf = (row: number): string => {
        const kind = table.kind(row);
        if (kind === null) return '';
        // Searching for the common name finds every kind of retransmission.
        return `${kind} ${nameOf(kind)} ${kind.startsWith('retransmission') ? nameOf('retransmission_other') : ''}`;
    };
    const textOf = (row: number): string => `${table.flags(row)} ${noteOf(row)} ${table.options(row)}`.toLowerCase();
    const limitOf = (row: number): string => {
        const at = half.timeline.at(table.t[row] as number);
        return at < 0 ? '' : `${half.timeline.limitId(at)} ${words.limit(half.timeline.limitId(at))}`.toLowerCase();
    };
    const valueAt = (row: number, field: Field): number =>
        field === 'number'
            ? (table.number[row] as number)
            : field === 'time'
              ? (table.t[row] as number)
              : table.value(row, field);
    filter.addEventListener('input', () => {
        const fits = filterOf(filter.value, events);
        if (fits === null) shown = null;
        else {
            const fitting: number[] = [];
            for (let row = 0; row < table.length; row++) {
                const isForward = table.value(row, 'from') === half.chart.sender;
                const packet = {
                    isForward,
                    value: (field: Field) => valueAt(row, field),
                    text: () => textOf(row),
                    limit: () => limitOf(row),
                };
                if (fits(packet)) fitting.push(row);
            }
            shown = Int32Array.from(fitting);
        }
        const n = shown?.length ?? table.length;
        rows.element.scrollTop = 0;
        rows.setCount(n);
        if (current >= 0 && n > 0) rows.reveal(Math.min(indexOf(current), n - 1));
        list.setAttribute('aria-rowcount', String(n + 1));
        found.textContent = shown === null ? '' : words.text('viewer-found', { n: count(n), all: count(table.length) });
        none.hidden = n > 0;
    });
    const search = h(
        'div',
        { class: 'go-form' },
        h('label', { for: 'packet-filter' }, words.text('viewer-packet-filter')),
        filter,
        found,
    );
    return h(
        'section',
        { class: 'card packets', id: 'packets', 'aria-labelledby': 'packets-title' },
        h(
            'div',
            { class: 'card-head' },
            h('h2', { id: 'packets-title' }, words.text('viewer-packets')),
            h('span', { class: 'soft' }, words.text('viewer-packets-hint')),
            search,
            form,
        ),
        list,
        none,
    );
}
