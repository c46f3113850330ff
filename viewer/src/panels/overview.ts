// The first page of a report with many connections.

import { button, h } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { Scatter } from '../charts/scatter.js';
import { Overview, type SortKey } from '../data/overview.js';
import type { Language } from '../format.js';
import { formatAddress } from '../view/address.js';
import { badge } from './looks.js';
import { capturesLine } from './taken.js';
import { VirtualRows } from './virtual.js';

const ROW_HEIGHT = 30;
const COLUMNS: readonly SortKey[] = ['id', 'ends', 'bytes', 'duration', 'rate', 'lost', 'verdict'];

/** The overview; `open` shows the connection with that id. */
export function overviewPage(context: Context, canOpen: (id: number) => boolean, open: (id: number) => void): HTMLElement {
    const { words, units, data } = context;
    const overview = new Overview(data.overview, data);
    let key: SortKey = 'lost';
    let isDescending = true;
    let shown: number[] = [];

    const limitName = (row: number): string => {
        const verdict = overview.verdict(row);
        return verdict ? words.limit(verdict.limit, verdict.detail) : words.text('viewer-nothing');
    };
    const seconds = (value: number): string => (Number.isNaN(value) ? '–' : units.seconds(value));
    const describe = (row: number): string => words.text('viewer-scatter-tip', {
        id: String(overview.id[row]), ends: overview.ends(row), bytes: units.bytes(overview.bytes[row] as number),
        time: seconds(overview.duration[row] as number), limit: limitName(row), lost: seconds(overview.lost[row] as number),
    });
    const tryOpen = (row: number): void => {
        const id = overview.id[row] as number;
        if (canOpen(id)) open(id);
    };
    const scatter = new Scatter(overview, context, describe, tryOpen);

    const makeRow = (index: number): HTMLElement => {
        const row = shown[index] as number;
        const id = overview.id[row] as number;
        const verdict = overview.verdict(row);
        const cell = (name: string, ...children: (Node | string)[]): HTMLElement => h('span', { role: 'cell', class: `cell-${name}` }, ...children);
        const rate = overview.rate[row] as number;
        const ends = canOpen(id)
            ? h('a', { href: formatAddress({ connection: id }) }, overview.ends(row))
            : h('span', { title: words.text('viewer-not-included', { id: String(id) }) }, overview.ends(row));
        return h('div', { role: 'row', class: 'connection', 'aria-rowindex': index + 2 },
            cell('id', String(id)), cell('ends', ends), cell('bytes', units.bytes(overview.bytes[row] as number)),
            cell('duration', seconds(overview.duration[row] as number)), cell('rate', Number.isNaN(rate) ? '–' : units.rate(rate)),
            cell('lost', seconds(overview.lost[row] as number)),
            cell('verdict', ...(verdict ? [badge(context, verdict.limit), limitName(row)] : [h('span', { class: 'soft' }, limitName(row))])));
    };
    const rows = new VirtualRows(ROW_HEIGHT, 0, makeRow, { 'data-own-keys': '' });
    const heads = new Map<SortKey, HTMLElement>();
    const head = h('div', { role: 'row', class: 'connection connection-head', 'aria-rowindex': 1 });
    for (const name of COLUMNS) {
        const cell = h('span', { role: 'columnheader', class: `cell-${name}` }, button({ class: 'sort' }, () => {
            isDescending = key === name ? !isDescending : name !== 'id' && name !== 'ends' && name !== 'verdict';
            key = name;
            update();
        }, words.text(`viewer-column-${name}`)));
        heads.set(name, cell);
        head.append(cell);
    }
    const status = h('span', { role: 'status', class: 'soft' });
    const search = h('input', { type: 'search', id: 'search', autocomplete: 'off', placeholder: words.text('viewer-search-hint') });
    const table = h('div', { class: 'connection-table', role: 'table', 'aria-label': words.text('viewer-connections') }, h('div', { role: 'rowgroup' }, head), rows.element);
    const update = (): void => {
        shown = overview.select(search.value, key, isDescending, limitName);
        rows.setCount(shown.length);
        table.setAttribute('aria-rowcount', String(shown.length + 1));
        status.textContent = words.text('viewer-found', { n: count(shown.length), all: count(overview.rows) });
        scatter.show(search.value.trim() === '' ? null : shown);
        for (const [name, cell] of heads) {
            if (name === key) cell.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
            else cell.removeAttribute('aria-sort');
        }
    };
    search.addEventListener('input', update);
    update();

    const { omitted } = data.overview;
    const total = overview.lost.reduce((sum, lost) => sum + (lost || 0), 0) + omitted.lost_s;
    const bytes = overview.bytes.reduce((sum, own) => sum + (own || 0), 0) + omitted.bytes;
    return h('section', { class: 'overview', id: 'overview', tabindex: -1, 'aria-labelledby': 'overview-title' },
        h('h1', { id: 'overview-title' }, words.text('viewer-overview-title', { n: count(data.overview.connections), bytes: units.bytes(bytes), lost: units.seconds(total) })),
        capturesLine(context, data.documents[words.language as Language].captures),
        h('div', { class: 'card' }, h('h2', {}, words.text('viewer-scatter')), scatter.element, legend(context, overview)),
        h('div', { class: 'card' },
            h('div', { class: 'card-head' }, h('h2', {}, words.text('viewer-connections')),
                h('label', { for: 'search', class: 'hidden-visually' }, words.text('viewer-search')), search, status),
            table,
            omitted.connections > 0 ? h('p', { class: 'soft' }, words.text('viewer-omitted', {
                n: count(omitted.connections), bytes: units.bytes(omitted.bytes), lost: units.seconds(omitted.lost_s),
            })) : null));
}

/** The limits that occur as verdicts, with how many connections each held back. */
function legend(context: Context, overview: Overview): HTMLElement {
    const counts = new Map<string, number>();
    for (let row = 0; row < overview.rows; row++) {
        const id = overview.verdict(row)?.limit;
        if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return h('ul', { class: 'legend' }, ...[...counts].sort((a, b) => b[1] - a[1]).map(([id, n]) =>
        h('li', { class: 'legend-key' }, badge(context, id), h('span', {}, context.words.limit(id)), h('span', { class: 'legend-numbers' }, count(n)))));
}
