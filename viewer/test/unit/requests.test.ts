import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieces, requestParts } from '../../src/data/requests.js';
import type { Exchange, Exchanges, ViewData } from '../../src/format.js';

const look = (id: string, limit: string): unknown => ({ id, limit, letter: '?', light: '', dark: '', pattern: 'solid' });
const data = {
    limits: [look('receive_window', 'receive_window'), look('idle', 'application'), look('slow_start', 'slow_start')],
    causes: [
        { limit: 0, detail: 'small_buffer' },
        { limit: 0, detail: 'slow_reader' },
        { limit: 1, detail: 'idle' },
        { limit: 2, detail: null },
    ],
} as unknown as ViewData;

const exchanges = {
    pattern: 'request_response',
    count: 40,
    parts: {
        client_s: 2,
        client_least_s: 2,
        server_s: 0.75,
        server_least_s: 0.75,
        server_pauses_s: 0.25,
        round_trips_s: 0.5,
        requests_s: 0.25,
        answers_s: 1.25,
        retransmission_s: 0,
    },
    limits: [
        { limit: 'receive_window', detail: 'small_buffer', seconds: 0.5 },
        { limit: 'receive_window', detail: 'slow_reader', seconds: 0.25 },
        { limit: 'application', detail: 'idle', seconds: 0.25 },
        { limit: 'slow_start', detail: null, seconds: 0.25 },
    ],
} as unknown as Exchanges;

test('the bar of requests adds up to what the sentence says', () => {
    const parts = requestParts(data, exchanges);
    const sum = (party: string): number =>
        parts.filter((part) => part.party === party).reduce((all, { seconds }) => all + seconds, 0);
    assert.deepEqual(['client', 'network', 'server'].map(sum), [2, 2, 1]);
    // One part per colour; pauses of the server are no limit of the network; the remaining time is not split.
    assert.deepEqual(
        parts.map(({ limit, kind, seconds }) => [limit ?? kind, seconds]),
        [
            [null, 2],
            ['round-trips', 0.5],
            ['receive_window', 0.75],
            ['slow_start', 0.25],
            ['transfer', 0.5],
            [null, 1],
        ],
    );
});

test('limits of transfers never exceed the transfers', () => {
    const more = { ...exchanges, limits: [{ limit: 'slow_start', detail: null, seconds: 9 }] } as unknown as Exchanges;
    const network = requestParts(data, more).filter((part) => part.party === 'network');
    assert.equal(
        network.reduce((all, { seconds }) => all + seconds, 0),
        2,
    );
});

test('other traffic has no bar', () => {
    assert.deepEqual(requestParts(data, { ...exchanges, pattern: 'overlapping' }), []);
    assert.deepEqual(requestParts(data, { ...exchanges, parts: undefined } as unknown as Exchanges), []);
});

test('a request is drawn from left to right, its longer transfer by limit', () => {
    const exchange = {
        request_s: 0.1,
        answer_s: 1,
        server_s: 0.4,
        round_trip_s: 0.2,
        limits: [
            { limit: 'receive_window', detail: 'small_buffer', seconds: 0.6 },
            { limit: 'application', detail: 'idle', seconds: 0.2 },
        ],
    } as unknown as Exchange;
    const shown = pieces(data, exchange).map(({ party, limit, kind, seconds }) => [limit ?? kind ?? party, seconds]);
    assert.deepEqual(shown, [
        ['request', 0.1],
        ['round-trips', 0.1],
        ['server', 0.4],
        ['round-trips', 0.1],
        ['receive_window', 0.7499999999999999],
        ['server', 0.25],
    ]);
    const upload = pieces(data, { ...exchange, request_s: 1, answer_s: 0.1 });
    assert.equal(upload[0]?.limit, 'receive_window');
    assert.equal(upload.at(-1)?.kind, 'answer');
});
