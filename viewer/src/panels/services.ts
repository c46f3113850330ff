// Connections by their servers: how many, how many failed, how fast; each connection a dot over time.

import { button, fill, h } from '../base/dom.js';
import { count } from '../base/units.js';
import { limitColour } from '../canvas/theme.js';
import type { Context } from '../charts/frame.js';
import type { WhenBars } from '../charts/when.js';
import type { Overview } from '../data/overview.js';
import type { ServiceLine } from '../format.js';
import { failureName } from './histogram.js';
import { badge, lookOf } from './looks.js';

/** Services that are shown at once. */
const FIRST = 8;
const DOTS = { width: 300, height: 26, radius: 3 };

/** The table; `choose` is called with the number of a service. */
export class ServiceTable {
    readonly element: HTMLElement;
    readonly #rows: ReadonlyMap<number, readonly number[]>;
    #chosen: number | null = null;
    #most = FIRST;

    constructor(
        private readonly context: Context,
        private readonly services: readonly ServiceLine[],
        private readonly overview: Overview,
        private readonly axis: WhenBars,
        private readonly choose: (service: number) => void,
    ) {
        const rows = new Map<number, number[]>();
        for (let row = 0; row < overview.rows; row++) {
            const service = overview.service(row);
            if (service === null) continue;
            const own = rows.get(service);
            if (own) own.push(row);
            else rows.set(service, [row]);
        }
        this.#rows = rows;
        this.element = h('div', {
            class: 'service-table',
            tabindex: 0,
            role: 'group',
            'aria-label': context.words.text('viewer-services'),
        });
        this.#draw();
    }

    /** Marks what the list is narrowed to. */
    show(chosen: number | null): void {
        this.#chosen = chosen;
        if (chosen !== null && chosen >= this.#most) {
            this.#most = this.services.length;
            this.#draw();
            return;
        }
        for (const row of this.element.querySelectorAll<HTMLElement>('tr[data-service]'))
            row.classList.toggle('is-chosen', row.dataset['service'] === String(chosen));
    }

    #draw(): void {
        const { words, data } = this.context;
        const head = (id: string, isNumber = false): HTMLElement =>
            h('th', { scope: 'col', class: isNumber ? 'number' : null }, words.text(id));
        const rest = this.services.length - this.#most;
        fill(
            this.element,
            h(
                'table',
                {},
                h(
                    'thead',
                    {},
                    h(
                        'tr',
                        {},
                        head('viewer-service'),
                        head('viewer-column-connections', true),
                        head('viewer-failed', true),
                        head('viewer-column-bytes', true),
                        head('viewer-requests', true),
                        head('viewer-median', true),
                        head('viewer-p95', true),
                        head('viewer-dots'),
                        head('viewer-most-time'),
                    ),
                ),
                h('tbody', {}, ...this.services.slice(0, this.#most).map((service, i) => this.#row(service, i))),
            ),
            rest > 0
                ? button(
                      { class: 'link' },
                      () => {
                          this.#most = this.services.length;
                          this.#draw();
                      },
                      words.text('viewer-services-more', { n: count(rest) }),
                  )
                : null,
            data.services_omitted > 0
                ? h('p', { class: 'soft' }, words.text('viewer-services-omitted', { n: count(data.services_omitted) }))
                : null,
        );
    }

    #row(service: ServiceLine, index: number): HTMLElement {
        const { context } = this;
        const { units, words, data } = context;
        const number = (label: string, text: string, className = ''): HTMLElement =>
            h('td', { class: `number ${className}`, 'data-label': words.text(label) }, text);
        const failed = service.failures.map(({ kind, connections }) => `${count(connections)} ${failureName(context, kind)}`);
        // Requests alone: how long connections lasted is in the histogram.
        const [median, p95] = service.exchanges > 0 && service.time_s ? service.time_s : [null, null];
        const seconds = (value: number | null | undefined): string => (value == null ? '–' : units.seconds(value));
        const limit = service.limit === null ? null : data.limits[service.limit];
        return h(
            'tr',
            { 'data-service': index, class: this.#chosen === index ? 'is-chosen' : null },
            h(
                'th',
                { scope: 'row' },
                button({ class: 'link' }, () => this.choose(index), service.server),
                service.interactive > 0
                    ? h(
                          'span',
                          { class: 'soft' },
                          ` ${words.text('viewer-service-interactive', { n: count(service.interactive) })}`,
                      )
                    : null,
            ),
            number('viewer-column-connections', count(service.connections)),
            number(
                'viewer-failed',
                failed.length > 0 ? failed.join(words.text('list-separator')) : '–',
                failed.length > 0 ? 'failed' : '',
            ),
            number('viewer-column-bytes', units.bytes(service.bytes)),
            number('viewer-requests', service.exchanges > 0 ? count(service.exchanges) : '–'),
            number('viewer-median', seconds(median)),
            number('viewer-p95', seconds(p95)),
            h('td', { class: 'dots' }, this.#dots(index)),
            h(
                'td',
                {},
                limit
                    ? h('span', { class: 'group-limits' }, h('span', {}, badge(context, limit.id), ` ${words.limit(limit.id)}`))
                    : '–',
            ),
        );
    }

    /** A dot for each connection when it began, failures above. */
    #dots(service: number): HTMLElement {
        const { context, overview } = this;
        const { theme, words } = context;
        const { width, height, radius } = DOTS;
        const ratio = Math.max(1, window.devicePixelRatio || 1);
        const rows = this.#rows.get(service) ?? [];
        const failed = rows.filter((row) => overview.failure(row) !== null).length;
        const canvas = h('canvas', {
            width: width * ratio,
            height: height * ratio,
            role: 'img',
            'aria-label': words.text('viewer-dots-label', { n: count(rows.length), failed: count(failed) }),
        });
        const on = canvas.getContext('2d');
        if (!on) return canvas;
        on.scale(ratio, ratio);
        on.fillStyle = theme.grid;
        on.fillRect(0, height / 2, width, 1);
        for (const row of rows) {
            const hasFailed = overview.failure(row) !== null;
            const x = radius + this.axis.place(row) * (width - 2 * radius);
            const verdict = overview.verdict(row);
            on.fillStyle = hasFailed
                ? theme.resent
                : verdict
                  ? limitColour(lookOf(context, verdict.limit), theme)
                  : theme.inkSoft;
            on.beginPath();
            on.arc(x, hasFailed ? height * 0.26 : height * 0.74, radius, 0, 2 * Math.PI);
            on.fill();
        }
        return canvas;
    }
}
