// Durations of the exchanges of a service, on a logarithmic scale: one bar per bin, failures in their own
// colour. Dragging across bars filters the list of connections; bars are buttons, so that keys can do the
// same.

import { button, fill, h, setVars } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { Bins } from '../data/bins.js';
import type { ServiceLine } from '../format.js';

/** Fewer values are easier to read in the list. */
const WORTH_BARS = 5;

/** Least height of a bar that counts something, so that it is visible. */
const LEAST_HEIGHT = 0.02;
/** Least height in a small histogram. */
const MINI_LEAST = 0.08;

/** Selection in a histogram. */
export interface Chosen {
    readonly service: number;
    readonly bins: { readonly from: number; readonly to: number } | null;
}

export class HistogramCard {
    readonly element: HTMLElement;
    readonly #bins: Bins;
    readonly #body = h('div', { class: 'histogram' });
    readonly #select: HTMLSelectElement;
    readonly #title = h('h2', { id: 'histogram-title' });
    #service: number;
    #chosen: { from: number; to: number } | null = null;
    /** Bin at which a drag began. */
    #dragFrom: number | null = null;
    #dragTo = 0;
    readonly #columns = new Map<number, HTMLElement>();

    constructor(
        private readonly context: Context,
        private readonly services: readonly ServiceLine[],
        /** The server named in the answer. */
        spokenOf: number | null,
        private readonly choose: (chosen: Chosen) => void,
    ) {
        const { words, data } = context;
        this.#bins = new Bins(data.bins);
        const own = spokenOf === null ? undefined : services[spokenOf];
        this.#service = spokenOf !== null && own && counted(own) >= WORTH_BARS ? spokenOf : fullest(services);
        this.#select = h(
            'select',
            { id: 'histogram-service', 'aria-label': words.text('viewer-histogram-service') },
            ...services.map((service, i) => h('option', { value: i, selected: i === this.#service }, service.server)),
        );
        this.#select.addEventListener('change', () => {
            this.#service = Number(this.#select.value);
            this.#chosen = null;
            this.#draw();
            this.choose({ service: this.#service, bins: null });
        });
        this.element = h(
            'section',
            { class: 'card', id: 'histogram', 'aria-labelledby': 'histogram-title' },
            h('div', { class: 'card-head' }, this.#title, this.#select),
            this.#body,
        );
        this.#body.addEventListener('pointerup', () => this.#finishDrag());
        this.#body.addEventListener('pointercancel', () => {
            this.#dragFrom = null;
            this.#mark();
        });
        this.#draw();
    }

    /** Shows the histogram of `service` and marks no bars. */
    select(service: number): void {
        this.#service = service;
        this.#select.value = String(service);
        this.#chosen = null;
        this.#draw();
    }

    /** Shows the filters of the list. */
    show(service: number | null, bins: { from: number; to: number } | null): void {
        if (service !== null && service !== this.#service) {
            this.#service = service;
            this.#select.value = String(service);
            this.#chosen = bins;
            this.#draw();
            return;
        }
        this.#chosen = bins;
        this.#mark();
    }

    #draw(): void {
        const { words, units } = this.context;
        const service = this.services[this.#service];
        const title = words.text(service && service.exchanges === 0 ? 'viewer-histogram-lasted' : 'viewer-histogram');
        this.#title.textContent = title;
        this.#columns.clear();
        if (!service) {
            fill(this.#body, h('p', { class: 'soft' }, words.text('viewer-histogram-none')));
            return;
        }
        const { first, done, failed } = service.histogram;
        const bins = done.length;
        // At least a decade, so that one bar does not look like many.
        const from = Math.max(0, first - 2);
        const to = first + bins + 1;
        const most = Math.max(1, ...done.map((n, i) => n + (failed[i] ?? 0)));
        const bars = h('div', {
            class: 'histogram-bars',
            role: 'group',
            'aria-label': title,
        });
        const axis = h('div', { class: 'histogram-axis', 'aria-hidden': 'true' });
        for (let bin = from; bin <= to; bin++) {
            const ok = done[bin - first] ?? 0;
            const bad = failed[bin - first] ?? 0;
            bars.append(this.#bar(bin, ok, bad, most));
            const isNamed = this.#bins.isDecade(bin);
            axis.append(h('span', { class: 'histogram-tick' }, isNamed ? units.seconds(this.#bins.start(bin)) : ''));
        }
        setVars(bars, { '--bars': String(to - from + 1) });
        setVars(axis, { '--bars': String(to - from + 1) });
        const failures = service.failures.map(({ kind, connections }) =>
            words.text('viewer-failed-count', { n: count(connections), kind: failureName(this.context, kind) }),
        );
        const hasExchanges = service.exchanges > 0;
        const all = done.reduce((sum, n) => sum + n, 0);
        const [median, p95] = service.time_s ?? [NaN, NaN];
        fill(
            this.#body,
            h(
                'p',
                { class: 'histogram-legend' },
                h('span', { class: 'histogram-done', 'aria-hidden': 'true' }),
                words.text(hasExchanges ? 'viewer-histogram-requests' : 'viewer-histogram-connections', { n: count(all) }),
                ...(failures.length > 0
                    ? [
                          ' ',
                          h('span', { class: 'histogram-failed', 'aria-hidden': 'true' }),
                          h('span', { class: 'failed' }, failures.join(words.text('list-separator'))),
                      ]
                    : []),
                service.time_s
                    ? h(
                          'span',
                          { class: 'histogram-spread' },
                          words.text('viewer-histogram-spread', { median: units.seconds(median), p95: units.seconds(p95) }),
                      )
                    : null,
            ),
            bars,
            axis,
            h('p', { class: 'soft' }, words.text('viewer-histogram-hint')),
        );
        this.#mark();
    }

    #bar(bin: number, ok: number, bad: number, most: number): HTMLElement {
        const { words, units } = this.context;
        const height = (n: number): string => (n === 0 ? '0' : String(Math.max(LEAST_HEIGHT, n / most)));
        const parts = [h('span', { class: 'bin-failed' }), h('span', { class: 'bin-done' })] as const;
        setVars(parts[0], { '--height': height(bad) });
        setVars(parts[1], { '--height': height(ok) });
        const label = words.text('viewer-bin', {
            from: units.seconds(this.#bins.start(bin)),
            to: units.seconds(this.#bins.end(bin)),
            n: count(ok),
            failed: count(bad),
        });
        const bar = button(
            { class: 'bin', title: label, 'aria-label': label, disabled: ok + bad === 0, 'aria-pressed': 'false' },
            (event) => {
                // A drag has handled pointer events already; detail 0 means a key.
                if (event.detail === 0) this.#choose(bin, bin);
            },
            ...parts,
        );
        // Empty bins are part of a drag, too.
        const cell = h('span', { class: 'bin-cell' }, bar);
        cell.addEventListener('pointerdown', (event) => {
            if (event.button !== 0) return;
            this.#dragFrom = bin;
            this.#dragTo = bin;
            // Touch events would otherwise all go to the first target.
            if (cell.hasPointerCapture(event.pointerId)) cell.releasePointerCapture(event.pointerId);
            this.#mark();
        });
        cell.addEventListener('pointerenter', () => {
            if (this.#dragFrom === null) return;
            this.#dragTo = bin;
            this.#mark();
        });
        this.#columns.set(bin, cell);
        return cell;
    }

    #finishDrag(): void {
        if (this.#dragFrom === null) return;
        const [from, to] = [Math.min(this.#dragFrom, this.#dragTo), Math.max(this.#dragFrom, this.#dragTo)];
        this.#dragFrom = null;
        this.#choose(from, to);
    }

    #choose(from: number, to: number): void {
        const isSame = this.#chosen?.from === from && this.#chosen.to === to;
        this.#chosen = isSame ? null : { from, to };
        this.#mark();
        this.choose({ service: this.#service, bins: this.#chosen });
    }

    /** Shows the selection, or the bins being dragged over. */
    #mark(): void {
        const range =
            this.#dragFrom === null
                ? this.#chosen
                : { from: Math.min(this.#dragFrom, this.#dragTo), to: Math.max(this.#dragFrom, this.#dragTo) };
        for (const [bin, cell] of this.#columns) {
            const isIn = range !== null && bin >= range.from && bin <= range.to;
            cell.classList.toggle('is-out', range !== null && !isIn);
            cell.querySelector('button')?.setAttribute('aria-pressed', String(isIn));
        }
    }
}

/** Number of values in the histogram of a service. */
function counted({ histogram }: ServiceLine): number {
    return [...histogram.done, ...histogram.failed].reduce((sum, n) => sum + n, 0);
}

/** The service with the most values; the first one if several have as many. */
function fullest(services: readonly ServiceLine[]): number {
    const all = services.map(counted);
    return Math.max(0, all.indexOf(Math.max(...all)));
}

/** Whether any service has enough values for a histogram to be more useful than the list. */
export function isWorthBars(services: readonly ServiceLine[]): boolean {
    return services.some((service) => counted(service) >= WORTH_BARS);
}

/** How a connection failed, in words. */
export function failureName(context: Context, kind: string): string {
    return context.words.text(`viewer-failure-${kind.replaceAll('_', '-')}`);
}

/** The bins that small histograms show, both included. */
export interface MiniRange {
    readonly from: number;
    readonly to: number;
}

/** The bins in which any of `services` has values. */
export function miniRange(services: readonly ServiceLine[]): MiniRange {
    const filled = services.flatMap(({ histogram: { first, done, failed } }) =>
        done.flatMap((n, i) => (n + (failed[i] ?? 0) > 0 ? [first + i] : [])),
    );
    return filled.length === 0 ? { from: 0, to: 0 } : { from: Math.min(...filled), to: Math.max(...filled) };
}

/** Durations of the requests of `service` as a small histogram without an axis, with a text alternative; null
 *  without values. */
export function miniHistogram(
    context: Context,
    service: ServiceLine,
    range: MiniRange,
): { readonly element: HTMLElement; readonly text: string } | null {
    const { words, units } = context;
    const { first, done, failed } = service.histogram;
    const most = Math.max(0, ...done.map((n, i) => n + (failed[i] ?? 0)));
    if (most === 0) return null;
    const bars = h('span', { class: 'mini-bars', 'aria-hidden': 'true' });
    setVars(bars, { '--bars': String(range.to - range.from + 1) });
    for (let bin = range.from; bin <= range.to; bin++) {
        const bar = h('span', { class: 'mini-bin' });
        for (const [kind, n] of [
            ['failed', failed[bin - first] ?? 0],
            ['done', done[bin - first] ?? 0],
        ] as const) {
            if (n === 0) continue;
            const part = h('span', { class: `bin-${kind}` });
            setVars(part, { '--height': String(Math.max(MINI_LEAST, n / most)) });
            bar.append(part);
        }
        bars.append(bar);
    }
    const [median, p95] = service.time_s ?? [NaN, NaN];
    const text = service.time_s
        ? words.text('viewer-histogram-spread', { median: units.seconds(median), p95: units.seconds(p95) })
        : words.text('viewer-problem-all-failed');
    return { element: bars, text };
}
