// The time of requests by the party that took it.

import type { Exchange, Exchanges, ViewData } from '../format.js';
import { swatchOf } from './swatch.js';

type Looks = Pick<ViewData, 'causes' | 'limits'>;

/** A part of the time. */
export interface RequestPart {
    readonly party: 'client' | 'network' | 'server';
    /** Id of the limit of a transfer; otherwise null. */
    readonly limit: string | null;
    /** Activity of the network, if there is no limit. */
    readonly kind: 'request' | 'round-trips' | 'answer' | 'transfer' | null;
    readonly seconds: number;
}

/** The time of all requests: client, network by limit, server. The sums are those of the answer's sentence.
 *  Only the slowest requests are split by limit: the remaining transfer time has none. */
export function requestParts(data: Looks, { pattern, parts, limits = [] }: Exchanges): RequestPart[] {
    if (pattern !== 'request_response' || !parts) return [];
    const network: RequestPart[] = [{ party: 'network', limit: null, kind: 'round-trips', seconds: parts.round_trips_s }];
    let left = parts.requests_s + parts.answers_s;
    for (const { limit, detail, seconds } of limits) {
        // The application's pauses within answers count for the server.
        if (limit === 'application') continue;
        const id = swatchOf(data, limit, detail);
        const own = Math.min(left, seconds);
        left -= own;
        const same = network.findIndex((part) => part.limit === id);
        const before = network[same]?.seconds ?? 0;
        network.splice(same < 0 ? network.length : same, 1, { party: 'network', limit: id, kind: null, seconds: before + own });
    }
    return [
        { party: 'client', limit: null, kind: null, seconds: parts.client_s } as const,
        ...network,
        { party: 'network', limit: null, kind: 'transfer', seconds: left } as const,
        { party: 'server', limit: null, kind: null, seconds: parts.server_s + parts.server_pauses_s } as const,
    ].filter((part) => part.seconds > 1e-9);
}

/** One request from left to right: request, path to the server, server, path back, answer. The longer of the
 *  two transfers is split by the limits of both. */
export function pieces(data: Looks, exchange: Exchange): RequestPart[] {
    const way = { party: 'network', limit: null, kind: 'round-trips', seconds: exchange.round_trip_s / 2 } as const;
    const isUpload = exchange.request_s > exchange.answer_s;
    return [
        ...transfer(data, exchange, 'request', isUpload),
        way,
        { party: 'server', limit: null, kind: null, seconds: exchange.server_s } as const,
        way,
        ...transfer(data, exchange, 'answer', !isUpload),
    ].filter((part) => part.seconds > 0);
}

function transfer(data: Looks, exchange: Exchange, kind: 'request' | 'answer', isSplit: boolean): RequestPart[] {
    const seconds = kind === 'request' ? exchange.request_s : exchange.answer_s;
    const all = exchange.limits.reduce((sum, limit) => sum + limit.seconds, 0);
    if (!isSplit || !(all > 0)) return [{ party: 'network', limit: null, kind, seconds }];
    return exchange.limits.map(({ limit, detail, seconds: own }): RequestPart => {
        const share = (own / all) * seconds;
        if (limit === 'application') return { party: 'server', limit: null, kind: null, seconds: share };
        return { party: 'network', limit: swatchOf(data, limit, detail), kind: null, seconds: share };
    });
}
