// Connections by their servers: number, failures, speed; each connection is a dot over time.

import { button, fill, h } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { WhenBars } from '../charts/when.js';
import { splitEnd } from '../data/groups.js';
import type { Overview } from '../data/overview.js';
import { isPrivate } from '../data/private.js';
import type { ServiceLine } from '../format.js';
import { dots } from './dots.js';
import { failureName } from './histogram.js';
import { badge } from './looks.js';
import { apartInTime } from './taken.js';

/** Number of services shown at first. */
const FIRST = 8;

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

    /** Marks the service that the list is filtered by. */
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
                      { class: 'link', 'aria-expanded': 'false' },
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
        // Only for requests: durations of connections are in the histogram.
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
                this.#hosts(service, index),
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
            h('td', { class: 'dots' }, dots(context, this.overview, this.axis, this.#rows.get(index) ?? [])),
            h(
                'td',
                {},
                limit
                    ? h('span', { class: 'group-limits' }, h('span', {}, badge(context, limit.id), ` ${words.limit(limit.id)}`))
                    : '–',
            ),
        );
    }

    /** Notice that a private address was seen in captures of different times, so that it may be several
     *  hosts. */
    #hosts(service: ServiceLine, index: number): HTMLElement | null {
        const { data, words } = this.context;
        if (!isPrivate(splitEnd(service.server).host)) return null;
        const numbers = new Set((this.#rows.get(index) ?? []).map((row) => this.overview.capture(row)));
        const captures = data.documents[data.language].captures.filter((_, i) => numbers.has(i));
        if (!apartInTime(captures)) return null;
        return h('span', { class: 'soft' }, ` ${words.text('viewer-service-captures', { n: count(captures.length) })}`);
    }
}
