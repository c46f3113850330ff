// The groups of an overview as a table; choosing one filters the list of connections.

import { button, h } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { Group, Grouping } from '../data/groups.js';
import { namedHost } from '../data/names.js';
import { badge } from './looks.js';

/** Groups beyond this number are only counted. */
const MOST = 200;

/** Displayed name of a group. */
export function groupName(context: Context, grouping: Grouping, key: string): string {
    const { words } = context;
    if (grouping === 'cause') {
        const [limit = '', detail = ''] = key.split('/');
        return limit === '' ? words.text('viewer-nothing') : words.limit(limit, detail === '' ? null : detail);
    }
    return grouping === 'capture' ? key || words.text('unknown') : namedHost(context.data, key);
}

/** Possible saving of a change, possibly an upper bound. */
export function saving(context: Context, seconds: number, isUpperBound: boolean): string {
    if (Number.isNaN(seconds)) return '–';
    return `${isUpperBound ? '≤' : ''}${context.units.seconds(seconds)}`;
}

/** The table of `groups`; `choose` is called with the key of the chosen one. */
export function groupTable(
    context: Context,
    grouping: Grouping,
    groups: readonly Group[],
    choose: (key: string) => void,
): HTMLElement {
    const { words, units } = context;
    const head = (id: string, isNumber: boolean): HTMLElement =>
        h('th', { scope: 'col', class: isNumber ? 'number' : null }, words.text(id));
    const body = groups.slice(0, MOST).map((group) =>
        h(
            'tr',
            {},
            h(
                'th',
                { scope: 'row' },
                button({ class: 'link' }, () => choose(group.key), groupName(context, grouping, group.key)),
            ),
            h('td', { class: 'number' }, count(group.rows.length)),
            h('td', { class: 'number' }, units.bytes(group.bytes)),
            h('td', { class: 'number' }, saving(context, group.mostLost, group.isUpperBound)),
            h(
                'td',
                {},
                h(
                    'span',
                    { class: 'group-limits' },
                    ...group.limits
                        .slice(0, 4)
                        .map(([limit, n]) =>
                            h(
                                'span',
                                { title: limit === '' ? words.text('viewer-nothing') : words.limit(limit) },
                                limit === '' ? h('span', { class: 'soft' }, words.text('viewer-nothing')) : badge(context, limit),
                                limit === '' ? null : h('span', { class: 'hidden-visually' }, words.limit(limit)),
                                ` ${count(n)}`,
                            ),
                        ),
                ),
            ),
        ),
    );
    return h(
        'div',
        { class: 'group-table', tabindex: 0, role: 'group', 'aria-label': words.text('viewer-groups') },
        h(
            'table',
            {},
            h(
                'thead',
                {},
                h(
                    'tr',
                    {},
                    head(`viewer-group-${grouping}`, false),
                    head('viewer-connections', true),
                    head('viewer-column-bytes', true),
                    head('viewer-column-most-lost', true),
                    head('viewer-column-verdict', false),
                ),
            ),
            h('tbody', {}, ...body),
        ),
        groups.length > MOST
            ? h('p', { class: 'soft' }, words.text('viewer-groups-cut', { n: String(MOST), all: count(groups.length) }))
            : null,
    );
}
