// The first page of a report with many connections.

import { button, fill, h } from '../base/dom.js';
import { tickStep } from '../base/scale.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { Scatter } from '../charts/scatter.js';
import { WhenBars } from '../charts/when.js';
import { GROUPINGS, type Grouping, groupsOf, keysOf } from '../data/groups.js';
import { Overview, type SortKey } from '../data/overview.js';
import type { Source } from '../data/source.js';
import type { Finding, Language } from '../format.js';
import { formatAddress } from '../view/address.js';
import { evidence, fixes } from './answer.js';
import { groupName, groupTable, saving } from './groups.js';
import { badge } from './looks.js';
import { capturesLine } from './taken.js';
import { VirtualRows } from './virtual.js';

const ROW_HEIGHT = 30;
/** On a phone a connection takes three lines. */
const NARROW_ROW_HEIGHT = 86;
const NARROW = '(max-width: 700px)';
const COLUMNS: readonly SortKey[] = ['id', 'ends', 'start', 'bytes', 'duration', 'rate', 'lost', 'verdict'];

/** The overview; `open` shows the connection with that id. */
export function overviewPage(context: Context, source: Source, open: (id: number) => void): HTMLElement {
    const { words, units, data } = context;
    const overview = new Overview(data.overview, data);
    const held = new Set(source.ids());
    const canOpen = (id: number): boolean => source.hasServer || held.has(id);
    const bars = new WhenBars(overview, source, context);
    let key: SortKey = 'lost';
    let isDescending = true;
    let shown: number[] = [];
    let grouping: Grouping | null = null;
    /** The group, or the dots, that the list is narrowed to. */
    let chosen: { name: string; rows: ReadonlySet<number> } | null = null;

    const limitName = (row: number): string => {
        const verdict = overview.verdict(row);
        return verdict ? words.limit(verdict.limit, verdict.detail) : words.text('viewer-nothing');
    };
    const seconds = (value: number): string => (Number.isNaN(value) ? '–' : units.seconds(value));
    const savingOf = (row: number): string => saving(context, overview.lost[row] as number, overview.isUpperBound(row));
    const describe = (row: number): string => {
        const id = overview.id[row] as number;
        const text = words.text('viewer-scatter-tip', {
            id: String(id),
            ends: overview.ends(row),
            bytes: units.bytes(overview.bytes[row] as number),
            time: seconds(overview.duration[row] as number),
            limit: limitName(row),
            lost: savingOf(row),
        });
        return canOpen(id)
            ? text
            : `${text}${words.text('sentence-separator')}${words.text('viewer-not-included', { id: String(id) })}`;
    };
    const reason = h('p', { class: 'notice', role: 'status', hidden: true });
    const tryOpen = (row: number): void => {
        const id = overview.id[row] as number;
        if (canOpen(id)) open(id);
        else {
            reason.textContent = words.text('viewer-not-included', { id: String(id) });
            reason.hidden = false;
        }
    };
    const scatter = new Scatter(overview, context, {
        describe,
        open: tryOpen,
        canOpen: (row) => canOpen(overview.id[row] as number),
        list: (rows) => {
            chosen = { name: words.text('viewer-dots', { n: count(rows.length) }), rows: new Set(rows) };
            update();
        },
    });

    const makeRow = (index: number): HTMLElement => {
        const row = shown[index] as number;
        const id = overview.id[row] as number;
        const verdict = overview.verdict(row);
        const cell = (name: string, ...children: (Node | string)[]): HTMLElement =>
            h('span', { role: 'cell', class: `cell-${name}` }, ...children);
        const rate = overview.rate[row] as number;
        const isOpen = canOpen(id);
        const title = overview.ends(row);
        // Where room is short names are cut, not addresses.
        const parts = overview
            .bothEnds(row)
            .flatMap(({ end, names }, index) => [
                h('span', { class: 'end-address' }, index === 0 ? end : `→ ${end}`),
                ' ',
                ...(names === '' ? [] : [h('span', { class: 'end-names' }, `[${names}]`), ' ']),
            ]);
        const ends = isOpen
            ? h('a', { class: 'both-ends', href: formatAddress({ connection: id }), title }, ...parts)
            : h('span', { class: 'line-ends both-ends', title }, ...parts);
        const whyNot = isOpen
            ? []
            : [
                  button(
                      { class: 'link why-not', 'aria-label': words.text('viewer-why-not', { id: String(id) }) },
                      () => tryOpen(row),
                      words.text('viewer-line-only'),
                  ),
              ];
        return h(
            'div',
            { role: 'row', class: `connection${isOpen ? ' is-open' : ' is-line'}`, 'aria-rowindex': index + 2, 'data-row': row },
            cell('id', String(id)),
            cell('ends', ends, ...whyNot),
            cell('start', bars.bar(row)),
            cell('bytes', units.bytes(overview.bytes[row] as number)),
            cell('duration', seconds(overview.duration[row] as number)),
            cell('rate', Number.isNaN(rate) ? '–' : units.rate(rate)),
            cell('lost', savingOf(row)),
            cell(
                'verdict',
                ...(verdict
                    ? [badge(context, verdict.limit), h('span', { title: limitName(row) }, limitName(row))]
                    : [h('span', { class: 'soft' }, limitName(row))]),
            ),
        );
    };
    const narrow = window.matchMedia(NARROW);
    const rows = new VirtualRows(narrow.matches ? NARROW_ROW_HEIGHT : ROW_HEIGHT, 0, makeRow, { 'data-own-keys': '' });
    narrow.addEventListener('change', () => rows.setRowHeight(narrow.matches ? NARROW_ROW_HEIGHT : ROW_HEIGHT));
    rows.element.addEventListener('click', (event) => {
        const target = event.target as Element;
        const row = target.closest('.connection.is-open');
        // A link opens by itself, perhaps in another window; text may be selected.
        if (row && !target.closest('a, button') && String(getSelection()) === '') tryOpen(Number(row.getAttribute('data-row')));
    });
    const heads = new Map<SortKey, HTMLElement>();
    const head = h('div', { role: 'row', class: 'connection connection-head', 'aria-rowindex': 1 });
    for (const name of COLUMNS) {
        const cell = h(
            'span',
            { role: 'columnheader', class: `cell-${name}` },
            button(
                { class: 'sort' },
                () => {
                    isDescending = key === name ? !isDescending : !['id', 'ends', 'verdict', 'start'].includes(name);
                    key = name;
                    update();
                },
                words.text(`viewer-column-${name}`),
            ),
            name === 'start' ? axis() : null,
        );
        heads.set(name, cell);
        head.append(cell);
    }
    const status = h('span', { role: 'status', class: 'soft' });
    const search = h('input', {
        type: 'search',
        id: 'search',
        autocomplete: 'off',
        placeholder: words.text('viewer-search-hint'),
    });
    const only = h('input', { type: 'checkbox', id: 'only-open' });
    const chip = h('span', { class: 'chip' });
    const groups = h('div', { class: 'groups' });
    const choices = h(
        'span',
        { class: 'choices', role: 'group', 'aria-label': words.text('viewer-group-by') },
        words.text('viewer-group-by'),
        ...GROUPINGS.map((one) =>
            button(
                { 'data-group': one, 'aria-pressed': 'false' },
                () => {
                    grouping = grouping === one ? null : one;
                    chosen = null;
                    update();
                },
                words.text(`viewer-group-${one}`),
            ),
        ),
    );
    const table = h(
        'div',
        { class: 'connection-table', role: 'table', 'aria-label': words.text('viewer-connections') },
        h('div', { role: 'rowgroup' }, head),
        rows.element,
    );

    /** The ends of the time axis. */
    function axis(): HTMLElement {
        const step = tickStep(bars.end, 2);
        return h(
            'span',
            { class: 'when-axis', 'aria-hidden': 'true' },
            bars.hasGaps ? words.text('viewer-when-gaps') : h('span', {}, units.seconds(0)),
            bars.hasGaps ? null : h('span', {}, units.secondsTick(bars.end, step / 100)),
        );
    }

    const update = (): void => {
        const found = overview
            .select(search.value, key, isDescending, limitName)
            .filter((row) => !only.checked || canOpen(overview.id[row] as number));
        shown = found.filter((row) => chosen === null || chosen.rows.has(row));
        reason.hidden = true;
        rows.setCount(shown.length);
        table.setAttribute('aria-rowcount', String(shown.length + 1));
        status.textContent = words.text('viewer-found', { n: count(shown.length), all: count(overview.rows) });
        scatter.show(shown.length === overview.rows ? null : shown);
        for (const [name, cell] of heads) {
            if (name === key) cell.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
            else cell.removeAttribute('aria-sort');
        }
        for (const one of choices.querySelectorAll('button'))
            one.setAttribute('aria-pressed', String(one.dataset['group'] === grouping));
        fill(
            chip,
            ...(chosen
                ? [
                      chosen.name,
                      ' ',
                      button(
                          { class: 'link', 'aria-label': words.text('viewer-all-again') },
                          () => {
                              chosen = null;
                              update();
                          },
                          '✕',
                      ),
                  ]
                : []),
        );
        chip.hidden = chosen === null;
        const by = grouping;
        fill(
            groups,
            by === null || chosen
                ? null
                : groupTable(context, by, groupsOf(overview, found, by), (choice) => {
                      chosen = {
                          name: groupName(context, by, choice),
                          rows: new Set(found.filter((row) => keysOf(overview, row, by).includes(choice))),
                      };
                      update();
                      search.focus();
                  }),
        );
    };
    search.addEventListener('input', update);
    only.addEventListener('change', update);
    update();

    const { omitted } = data.overview;
    const bytes = overview.allBytes;
    const most = overview.lost.reduce(
        (best, lost, row) => ((lost || 0) > ((overview.lost[best] as number) || 0) ? row : best),
        0,
    );
    const lost = (overview.lost[most] as number) || 0;
    const title =
        lost > 0
            ? words.text('viewer-overview-title-most', {
                  n: count(data.overview.connections),
                  bytes: units.bytes(bytes),
                  lost: savingOf(most),
                  id: String(overview.id[most]),
              })
            : words.text('viewer-overview-title', { n: count(data.overview.connections), bytes: units.bytes(bytes) });
    const hasUpperBounds = [...overview.id.keys()].some((row) => overview.isUpperBound(row));
    const opened = [...overview.id].filter((id) => canOpen(id)).length;
    const isPartial = opened < overview.rows;
    const document = data.documents[words.language as Language];
    return h(
        'section',
        { class: 'overview', id: 'overview', tabindex: -1, 'aria-labelledby': 'overview-title' },
        h('h1', { id: 'overview-title' }, title),
        capturesLine(context, document.captures),
        ...across(context, document.across_connections ?? []),
        h('div', { class: 'card' }, h('h2', {}, words.text('viewer-scatter')), scatter.element, legend(context, overview)),
        h(
            'div',
            { class: 'card' },
            h(
                'div',
                { class: 'card-head' },
                h('h2', {}, words.text('viewer-connections')),
                h('label', { for: 'search', class: 'hidden-visually' }, words.text('viewer-search')),
                search,
                isPartial
                    ? h('span', { class: 'choices' }, only, h('label', { for: 'only-open' }, words.text('viewer-only-open')))
                    : null,
                choices,
                chip,
                status,
            ),
            isPartial
                ? h('p', { class: 'soft partial' }, words.text('viewer-partial', { n: count(opened), all: count(overview.rows) }))
                : null,
            reason,
            groups,
            table,
            hasUpperBounds ? h('p', { class: 'soft' }, words.text('saving-upper-bound')) : null,
            omitted.connections > 0
                ? h(
                      'p',
                      { class: 'soft' },
                      words.text('viewer-omitted', { n: count(omitted.connections), bytes: units.bytes(omitted.bytes) }),
                  )
                : null,
        ),
    );
}

/** What no single connection shows, folded up but for its sentence. */
function across(context: Context, findings: readonly Finding[]): HTMLElement[] {
    if (findings.length === 0) return [];
    const { words } = context;
    const details = findings.map((finding) =>
        h(
            'details',
            { class: 'across' },
            h('summary', {}, h('strong', {}, finding.title ?? finding.rule), ' ', finding.sentence),
            evidence(context, finding),
            ...fixes(context, finding),
        ),
    );
    return [h('div', { class: 'card', id: 'across' }, h('h2', {}, words.text('viewer-across')), ...details)];
}

/** The limits that occur as verdicts, with how many connections each held back. */
function legend(context: Context, overview: Overview): HTMLElement {
    const counts = new Map<string, number>();
    for (let row = 0; row < overview.rows; row++) {
        const id = overview.verdict(row)?.limit;
        if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return h(
        'ul',
        { class: 'legend' },
        ...[...counts]
            .sort((a, b) => b[1] - a[1])
            .map(([id, n]) =>
                h(
                    'li',
                    { class: 'legend-key' },
                    badge(context, id),
                    h('span', {}, context.words.limit(id)),
                    h('span', { class: 'legend-numbers' }, count(n)),
                ),
            ),
    );
}
