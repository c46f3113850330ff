// The list of connections, sorted, searched and filtered; only the visible rows exist as elements.

import { button, fill, h } from '../base/dom.js';
import { tickStep } from '../base/scale.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { WhenBars } from '../charts/when.js';
import type { Overview, SortKey } from '../data/overview.js';
import { formatAddress } from '../view/address.js';
import { saving } from './groups.js';
import { failureName } from './histogram.js';
import { badge } from './looks.js';
import { VirtualRows } from './virtual.js';

const ROW_HEIGHT = 30;
/** On a phone, a connection needs three lines. */
const NARROW_ROW_HEIGHT = 86;
const NARROW = '(max-width: 700px)';
const COLUMNS: readonly Exclude<SortKey, 'rank'>[] = [
    'id',
    'ends',
    'capture',
    'start',
    'bytes',
    'duration',
    'rate',
    'lost',
    'verdict',
];

/** Failure or limit of `row`, in words; a failure comes first. */
export function causeName(context: Context, overview: Overview, row: number): string {
    const { words } = context;
    const failure = overview.failure(row);
    if (failure !== null) return failureName(context, failure);
    const verdict = overview.verdict(row);
    return verdict ? words.limit(verdict.limit, verdict.detail) : words.text('viewer-nothing');
}

export class ConnectionList {
    readonly element: HTMLElement;
    readonly #rows: VirtualRows;
    readonly #heads = new Map<SortKey, HTMLElement>();
    readonly #reason = h('p', { class: 'notice', role: 'status', hidden: true });
    #shown: readonly number[] = [];
    /** Initially the order of the data: failures and the largest savings first. */
    #key: SortKey = 'rank';
    #isDescending = false;
    readonly #columns: readonly Exclude<SortKey, 'rank'>[];

    constructor(
        private readonly context: Context,
        private readonly overview: Overview,
        private readonly bars: WhenBars,
        private readonly canOpen: (id: number) => boolean,
        private readonly open: (id: number) => void,
        /** Called when the order has changed. */
        private readonly onSort: () => void,
    ) {
        const { words } = context;
        this.#columns = COLUMNS.filter((name) => name !== 'capture' || overview.hasCaptures);
        const narrow = window.matchMedia(NARROW);
        this.#rows = new VirtualRows(narrow.matches ? NARROW_ROW_HEIGHT : ROW_HEIGHT, 0, (index) => this.#row(index), {
            'data-own-keys': '',
        });
        narrow.addEventListener('change', () => this.#rows.setRowHeight(narrow.matches ? NARROW_ROW_HEIGHT : ROW_HEIGHT));
        this.#rows.element.addEventListener('click', (event) => {
            const target = event.target as Element;
            const row = target.closest('.connection.is-open');
            // A click on a link or a text selection must not open the row.
            if (row && !target.closest('a, button') && String(getSelection()) === '')
                this.tryOpen(Number(row.getAttribute('data-row')));
        });
        this.element = h(
            'div',
            {},
            this.#reason,
            h(
                'div',
                {
                    class: `connection-table${overview.hasCaptures ? ' has-captures' : ''}`,
                    role: 'table',
                    'aria-label': words.text('viewer-connections'),
                },
                h('div', { role: 'rowgroup' }, this.#head()),
                this.#rows.element,
            ),
        );
    }

    get sort(): { readonly key: SortKey; readonly isDescending: boolean } {
        return { key: this.#key, isDescending: this.#isDescending };
    }

    /** Sets the order for the next `show`. */
    sortBy(key: SortKey, isDescending: boolean): void {
        this.#key = key;
        this.#isDescending = isDescending;
    }

    /** Shows `rows` in their order. */
    show(rows: readonly number[]): void {
        this.#shown = rows;
        this.#reason.hidden = true;
        this.#rows.setCount(rows.length);
        this.element.querySelector('.connection-table')?.setAttribute('aria-rowcount', String(rows.length + 1));
        for (const [name, cell] of this.#heads) {
            if (name === this.#key) cell.setAttribute('aria-sort', this.#isDescending ? 'descending' : 'ascending');
            else cell.removeAttribute('aria-sort');
        }
    }

    /** Opens the connection of `row`, or explains why and how it cannot be opened. */
    tryOpen(row: number): void {
        this.openId(this.overview.id[row] as number);
    }

    /** The same for a connection id. */
    openId(id: number): void {
        if (this.canOpen(id)) {
            this.open(id);
            return;
        }
        fill(this.#reason, this.context.words.text('viewer-not-included', { id: String(id) }));
        this.#reason.hidden = false;
        this.#reason.scrollIntoView({ block: 'nearest' });
    }

    #head(): HTMLElement {
        const { words } = this.context;
        const head = h('div', { role: 'row', class: 'connection connection-head', 'aria-rowindex': 1 });
        for (const name of this.#columns) {
            const cell = h(
                'span',
                { role: 'columnheader', class: `cell-${name}` },
                button(
                    { class: 'sort' },
                    () => {
                        this.#isDescending =
                            this.#key === name
                                ? !this.#isDescending
                                : !['id', 'ends', 'capture', 'verdict', 'start'].includes(name);
                        this.#key = name;
                        this.onSort();
                    },
                    words.text(`viewer-column-${name}`),
                ),
                name === 'start' ? this.#axis() : null,
            );
            this.#heads.set(name, cell);
            head.append(cell);
        }
        return head;
    }

    /** The file's name, with its folder as tooltip. */
    #capture(row: number): HTMLElement {
        const name = this.overview.captureName(row);
        const short = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
        return h('span', { role: 'cell', class: 'cell-capture', title: name }, short || '–');
    }

    /** The ends of the time axis. */
    #axis(): HTMLElement {
        const { bars } = this;
        const { words, units } = this.context;
        const step = tickStep(bars.end, 2);
        return h(
            'span',
            { class: 'when-axis', 'aria-hidden': 'true' },
            bars.hasGaps ? words.text('viewer-when-gaps') : h('span', {}, units.seconds(0)),
            bars.hasGaps ? null : h('span', {}, units.secondsTick(bars.end, step / 100)),
        );
    }

    #row(index: number): HTMLElement {
        const { overview, context, bars } = this;
        const { words, units } = context;
        const row = this.#shown[index] as number;
        const id = overview.id[row] as number;
        const cell = (name: string, ...children: (Node | string)[]): HTMLElement =>
            h('span', { role: 'cell', class: `cell-${name}` }, ...children);
        const seconds = (value: number): string => (Number.isNaN(value) ? '–' : units.seconds(value));
        const rate = overview.rate[row] as number;
        const isOpen = this.canOpen(id);
        const title = overview.ends(row);
        // If there is little room, names are cut, not addresses.
        const parts = overview
            .bothEnds(row)
            .flatMap(({ end, names }, i) => [
                h('span', { class: 'end-address' }, i === 0 ? end : `→ ${end}`),
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
                      () => this.tryOpen(row),
                      words.text('viewer-line-only'),
                  ),
              ];
        const name = causeName(context, overview, row);
        const verdict = overview.verdict(row);
        const hasFailed = overview.failure(row) !== null;
        return h(
            'div',
            { role: 'row', class: `connection${isOpen ? ' is-open' : ' is-line'}`, 'aria-rowindex': index + 2, 'data-row': row },
            cell('id', String(id)),
            cell('ends', ends, ...whyNot),
            ...(overview.hasCaptures ? [this.#capture(row)] : []),
            cell('start', bars.bar(row)),
            cell('bytes', units.bytes(overview.bytes[row] as number)),
            cell('duration', seconds(overview.time[row] as number)),
            cell('rate', Number.isNaN(rate) ? '–' : units.rate(rate)),
            cell('lost', hasFailed ? '–' : saving(context, overview.lost[row] as number, overview.isUpperBound(row))),
            cell(
                'verdict',
                ...(verdict && !hasFailed ? [badge(context, verdict.limit)] : []),
                h('span', { class: hasFailed ? 'failed' : verdict ? null : 'soft', title: name }, name),
            ),
        );
    }
}

/** Text with the number of shown connections and of all. */
export function found(context: Context, shown: number, all: number): string {
    return context.words.text('viewer-found', { n: count(shown), all: count(all) });
}
