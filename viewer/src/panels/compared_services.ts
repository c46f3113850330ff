// The servers of two captures: connections, failures and times of requests, before → after.

import { button, fill, h } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { ComparedService } from '../format.js';
import { ratioText } from './compared_numbers.js';

/** Number of servers shown at first. */
const FIRST = 8;

const UNKNOWN = '–';

/** `20 ms → 50 ms`, or `20 ms` if both are the same. */
function arrow(a: string, b: string): string {
    return a === b ? a : `${a} → ${b}`;
}

/** The table; servers keep their order, the worst change first. */
export function comparedServices(context: Context, services: readonly ComparedService[], omitted: number): HTMLElement {
    const { words, units } = context;
    const body = h('tbody', {});
    const seconds = (value: number | undefined): string => (value === undefined ? UNKNOWN : units.seconds(value));
    const cell = (id: string, text: string, change = '', isWorse = false): HTMLElement =>
        h(
            'td',
            { class: `number${isWorse ? ' is-worse' : ''}`, 'data-label': words.text(id) },
            text,
            change === '' || change === '=' ? null : h('span', { class: 'soft change' }, ` ${change}`),
        );
    const row = ({ servers, connections, failed, requests, time_s }: ComparedService): HTMLElement => {
        const share = (i: 0 | 1): number => failed[i] / Math.max(1, connections[i]);
        const time = (id: string, at: 0 | 1): HTMLElement => {
            const [a, b] = [time_s[0]?.[at], time_s[1]?.[at]];
            const isWorse = a !== undefined && b !== undefined && b - a > b * NOTEWORTHY;
            return cell(id, arrow(seconds(a), seconds(b)), ratioText(a ?? null, b ?? null), isWorse);
        };
        return h(
            'tr',
            {},
            h('th', { scope: 'row' }, arrow(servers[0], servers[1])),
            time('viewer-median', 0),
            time('viewer-p95', 1),
            cell(
                'viewer-failed',
                failed[0] + failed[1] === 0 ? UNKNOWN : arrow(count(failed[0]), count(failed[1])),
                '',
                share(1) - share(0) > share(1) * NOTEWORTHY,
            ),
            cell('viewer-column-connections', arrow(count(connections[0]), count(connections[1]))),
            cell('viewer-requests', requests[0] + requests[1] === 0 ? UNKNOWN : arrow(count(requests[0]), count(requests[1]))),
        );
    };
    const show = (most: number): void => fill(body, ...services.slice(0, most).map(row));
    show(FIRST);
    const rest = services.length - FIRST;
    const more = button(
        { class: 'link' },
        () => {
            show(services.length);
            more.remove();
        },
        words.text('viewer-services-more', { n: count(rest) }),
    );
    const columns = ['viewer-median', 'viewer-p95', 'viewer-failed', 'viewer-column-connections', 'viewer-requests'];
    return h(
        'section',
        { class: 'card compare-services', 'aria-labelledby': 'compare-services' },
        h('h2', { id: 'compare-services' }, words.text('viewer-compare-services')),
        h(
            'div',
            { class: 'service-table', tabindex: 0, role: 'group', 'aria-labelledby': 'compare-services' },
            h(
                'table',
                {},
                h(
                    'thead',
                    {},
                    h(
                        'tr',
                        {},
                        h('th', { scope: 'col' }, words.text('viewer-service')),
                        ...columns.map((id) => h('th', { scope: 'col', class: 'number' }, words.text(id))),
                    ),
                ),
                body,
            ),
        ),
        rest > 0 ? more : null,
        omitted > 0 ? h('p', { class: 'soft' }, words.text('viewer-services-omitted', { n: count(omitted) })) : null,
    );
}

/** A share or a time that grew by less than this part of itself counts as unchanged. */
const NOTEWORTHY = 0.1;
