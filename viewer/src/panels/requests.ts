// Time of requests by party: one bar for all of them, and one for each of the slowest.

import { h, setVars } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Theme } from '../canvas/theme.js';
import type { Context } from '../charts/frame.js';
import type { ExchangeModel } from '../data/exchanges.js';
import { pieces, type RequestPart, requestParts } from '../data/requests.js';
import type { Connection, Exchange } from '../format.js';
import { formatAddress } from '../view/address.js';
import type { View } from '../view/view.js';
import { badge, dress, lookOf } from './looks.js';

/** Number of requests shown one by one. */
const MOST = 5;
/** Least share of a part with room for its name, and for its letter. */
const NAMED = 0.12;
const LETTERED = 0.02;
/** Share of the request's time that the charts show before and after it. */
const MARGIN = 0.05;

/** Colours of parts that are no limit, as in the lanes. */
const COLOURS: Readonly<Record<'client' | 'network' | 'server', (theme: Theme) => string>> = {
    client: (theme) => theme.dataFill,
    network: (theme) => theme.control,
    server: (theme) => theme.ack,
};

/** Gives `element` the look of `part`. */
function paint(element: HTMLElement, context: Context, { party, limit }: Pick<RequestPart, 'party' | 'limit'>): HTMLElement {
    if (limit !== null) return dress(element, context, limit);
    element.classList.add(`is-${party}`);
    setVars(element, { '--limit': COLOURS[party](context.theme) });
    return element;
}

function nameOf({ words }: Context, part: Pick<RequestPart, 'party' | 'limit' | 'kind'>): string {
    if (part.limit !== null) return words.limit(part.limit);
    return words.text(part.kind === null ? `viewer-lane-${part.party}` : `viewer-requests-${part.kind}`);
}

/**
 * The card of a connection with requests; null if they cannot be timed one by one. A single request is a
 * transfer.
 */
export function requestsCard(context: Context, connection: Connection): HTMLElement | null {
    const { words, data } = context;
    const { exchanges } = connection;
    const parts = exchanges ? requestParts(data, exchanges) : [];
    const total = parts.reduce((sum, { seconds }) => sum + seconds, 0);
    if (!exchanges || exchanges.count < 2 || !(total > 0)) return null;
    const title = words.text('viewer-requests-title', { n: count(exchanges.count) });
    return h(
        'section',
        { class: 'card requests', id: 'requests', 'aria-labelledby': 'requests-title' },
        h('h2', { id: 'requests-title' }, title),
        bar(context, parts, total),
        legend(context, parts),
    );
}

function bar(context: Context, parts: readonly RequestPart[], total: number): HTMLElement {
    const { units } = context;
    const element = h('div', { class: 'spent', 'aria-hidden': 'true' });
    for (const part of parts) {
        const share = part.seconds / total;
        const name = nameOf(context, part);
        const letter = part.limit === null ? '' : (lookOf(context, part.limit)?.letter ?? '');
        const long = `${letter} ${name} ${units.seconds(part.seconds)}`.trim();
        const text = share >= NAMED ? long : share >= LETTERED ? letter : '';
        const span = paint(h('span', { class: 'spent-part', title: long }, h('span', {}, text)), context, part);
        setVars(span, { '--share': String(share) });
        element.append(span);
    }
    return element;
}

/** The legend in words: the sums of client, network and server are those of the sentence above. */
function legend(context: Context, parts: readonly RequestPart[]): HTMLElement {
    const { words, units } = context;
    const list = h('ul', { class: 'legend' });
    for (const party of ['client', 'network', 'server'] as const) {
        const own = parts.filter((part) => part.party === party);
        const sum = own.reduce((seconds, part) => seconds + part.seconds, 0);
        if (own.length === 0) continue;
        list.append(
            h(
                'li',
                { class: 'legend-key' },
                paint(h('span', { class: 'requests-swatch', 'aria-hidden': 'true' }), context, { party, limit: null }),
                h('span', {}, words.text(`viewer-lane-${party}`)),
                h('span', { class: 'legend-numbers' }, units.seconds(sum)),
                party !== 'network' || (own.length === 1 && own[0]?.limit === null)
                    ? null
                    : h('ul', { class: 'requests-network' }, ...own.map((part) => networkPart(context, part))),
            ),
        );
    }
    return list;
}

function networkPart(context: Context, part: RequestPart): HTMLElement {
    return h(
        'li',
        {},
        part.limit === null ? null : badge(context, part.limit),
        ` ${nameOf(context, part)} `,
        h('span', { class: 'legend-numbers' }, context.units.seconds(part.seconds)),
    );
}

/** The slowest requests, the longest first, on one scale; a click zooms the charts to a request. */
export function slowestCard(
    context: Context,
    connection: Connection,
    model: ExchangeModel | null,
    view: View,
): HTMLElement | null {
    const { words } = context;
    const slowest = (connection.exchanges?.slowest ?? []).slice(0, MOST);
    // A single request equals the bar; overlapping requests are not timed one by one.
    if ((connection.exchanges?.count ?? 0) < 2 || connection.exchanges?.pattern !== 'request_response') return null;
    const longest = Math.max(1e-9, ...slowest.map((exchange) => exchange.time_s));
    return h(
        'section',
        { class: 'card waterfall', id: 'slowest', 'aria-labelledby': 'slowest-title' },
        h('h2', { id: 'slowest-title' }, words.text('viewer-requests-slowest')),
        h('ol', {}, ...slowest.map((exchange) => row(context, connection, model, view, exchange, longest))),
    );
}

function row(
    context: Context,
    connection: Connection,
    model: ExchangeModel | null,
    view: View,
    exchange: Exchange,
    longest: number,
): HTMLElement {
    const { words, units, data } = context;
    const start = model?.startOf(exchange.request_packet) ?? (exchange.start_ns - connection.start_ns) / 1e9;
    const margin = exchange.time_s * MARGIN;
    const range = { start: Math.max(0, start - margin), end: start + exchange.time_s + margin };
    const all = pieces(data, exchange);
    const track = h('span', { class: 'waterfall-track', 'aria-hidden': 'true' });
    for (const piece of all) {
        const part = paint(h('span', { class: 'waterfall-part' }), context, piece);
        setVars(part, { '--share': String(piece.seconds / longest) });
        track.append(part);
    }
    const text = all
        .filter((piece) => piece.seconds > 0)
        .map((piece) => `${nameOf(context, piece)} ${units.seconds(piece.seconds)}`)
        .join(words.text('list-separator'));
    const link = h(
        'a',
        { class: 'waterfall-row', href: formatAddress({ connection: connection.id, time: range }), title: text },
        h('span', { class: 'waterfall-when' }, words.text('viewer-requests-at', { time: units.seconds(start) })),
        track,
        h('span', { class: 'waterfall-time' }, units.seconds(exchange.time_s)),
        h('span', { class: 'waterfall-parts' }, text),
    );
    link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        view.fit(range);
        document.getElementById('charts')?.scrollIntoView({ block: 'start' });
    });
    return h('li', {}, link);
}
