import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Scale } from '../../src/base/scale.js';
import { Grid } from '../../src/canvas/grid.js';
import { LimitColumns } from '../../src/charts/limits.js';
import { Flow } from '../../src/charts/throughput.js';
import { afterOf } from '../../src/data/after.js';
import type { HalfModel, MarkSet } from '../../src/data/half.js';
import { Overview } from '../../src/data/overview.js';
import { flagNames, optionNames, PacketTable } from '../../src/data/packets.js';
import { checkData, Source } from '../../src/data/source.js';
import { homeOf } from '../../src/panels/after.js';
import { eventsOf } from '../../src/panels/events.js';

const data = checkData(JSON.parse(readFileSync(new URL('../fixtures/three.json', import.meta.url), 'utf8')));
const source = new Source(data);
const chart = source.known(0, 'en').chart;
assert.ok(chart);
const half = [...source.models(chart)].sort((a, b) => b.timeline.length - a.timeline.length)[0];
assert.ok(half);

test('the seconds of all limits add up to the time, in any stretch', () => {
    const { timeline } = half;
    for (const [from, to] of [
        [half.chart.span.from_s, half.chart.span.to_s],
        [0.5, 0.7],
        [0.1, 0.11],
    ] as const) {
        const sum = timeline.shares(from, to).reduce((total, seconds) => total + seconds, 0);
        assert.ok(Math.abs(sum - (to - from)) < 1e-9, `${sum} in ${from} to ${to}`);
    }
});

test('each column takes the limit that held longest', () => {
    const grid = new Grid(new Scale({ start: 0, end: half.chart.span.to_s }, 0, 40), 1);
    const columns = new LimitColumns(half.timeline, grid);
    for (let i = 0; i < grid.count; i++) {
        const shares = columns.shares(i);
        assert.equal(shares[columns.main[i] as number], Math.max(...shares));
        assert.equal(columns.isMixed[i] === 1, shares.filter((seconds) => seconds > 0).length > 1, `column ${i}: ${shares}`);
    }
    const runs = columns.runs();
    assert.equal(runs[0]?.from, 0);
    assert.equal(runs.at(-1)?.to, grid.count);
    for (const [i, run] of runs.entries()) if (i > 0) assert.equal(run.from, runs[i - 1]?.to);
});

test('jumps visit the spans of a limit in order, forth and back', () => {
    const { timeline } = half;
    const limit = timeline.limitId(Math.floor(timeline.length / 2));
    const spans: number[] = [];
    for (let at = -Infinity, span; (span = timeline.span(limit, at, 1)) !== null; at = span.start) spans.push(span.start);
    assert.ok(spans.length > 2);
    const back: number[] = [];
    for (let at = Infinity, span; (span = timeline.span(limit, at, -1)) !== null; at = span.start) back.unshift(span.start);
    assert.deepEqual(back, spans);
    assert.equal(timeline.span('no_such_limit', 0, 1), null);
});

test('throughput in bins of any width keeps the bytes', () => {
    const flow = new Flow(half);
    const all = flow.sum(0, 1e6);
    for (const perPixel of [0, 1e-5, 1e-3, 0.1]) {
        const bin = flow.bin(perPixel);
        let acked = 0;
        for (let k = 0; k * bin <= half.chart.span.to_s + bin; k++) acked += flow.sum(k * bin, bin).acked;
        assert.equal(acked, all.acked);
        assert.ok(bin >= perPixel * 4 && bin >= (half.chart.rtt_min_s ?? 0));
    }
});

test('packets read like Wireshark writes them', () => {
    assert.ok(chart.packets);
    const table = new PacketTable(chart.packets, data);
    assert.equal(table.length, chart.packet_count);
    assert.equal(table.flags(0), 'SYN');
    assert.equal(table.find(table.number[5] as number), 5);
    assert.equal(table.find(999_999_999), -1);
    assert.equal(flagNames(2 | 16), 'SYN ACK');
    assert.equal(flagNames(NaN), '');
    assert.equal(optionNames(1 | 16, 5, NaN), 'MSS TSval=5 TSecr=?');
});

test('events are in the order of time', () => {
    const times = eventsOf(half).map((event) => event.time);
    assert.deepEqual(
        times,
        [...times].sort((a, b) => a - b),
    );
});

test('connections are sorted and searched', () => {
    const overview = new Overview(data.overview, data);
    const name = (row: number): string => overview.verdict(row)?.limit ?? '';
    const all = overview.select('', 'lost', true, name);
    assert.equal(all.length, overview.rows);
    for (let i = 1; i < all.length; i++)
        assert.ok((overview.lost[all[i - 1] as number] as number) >= (overview.lost[all[i] as number] as number));
    assert.deepEqual(overview.select('', 'bytes', false, name), [...overview.select('', 'bytes', true, name)].reverse());
    assert.equal(overview.rows, 3);
    const own = overview.ends(1).split(' ')[0]?.toUpperCase() ?? '';
    assert.ok(overview.select(`#${overview.id[1]} ${own}`, 'id', false, name).includes(1));
    assert.deepEqual(
        overview.select('HANDSHAKE', 'id', false, name),
        [...Array(3).keys()].filter((row) => name(row) === 'handshake'),
    );
    assert.deepEqual(overview.select('nowhere', 'id', false, name), []);
});

test('a server is asked for what the page does not hold, once', async () => {
    const asked: string[] = [];
    const server = new Source({ ...data, charts: [], server: { chart: 'api/chart' } }, async (url) => {
        asked.push(url);
        return { ok: true, json: async () => ({ format: data.format, documents: data.documents, chart }) } as Response;
    });
    assert.equal(server.known(0, 'en').chart, undefined);
    await server.ask(0);
    await server.ask(0, 1.5, 2);
    assert.deepEqual(asked, ['api/chart?connection=0', 'api/chart?connection=0&from=1.5&to=2']);
    assert.equal(server.known(0, 'zh-CN').chart, chart);
});

test('other data is refused', () => {
    for (const value of [null, 3, {}, { format: 'tcpwhy-view/9' }]) assert.throws(() => checkData(value));
});

test('what came after the last data is found, in the order in which it is told', () => {
    const end = Math.max(...source.models(chart).map((one) => one.chart.span.to_s));
    assert.equal(afterOf(source.models(chart), end), null);
    const marks = (kind: string, ...t: number[]): [string, MarkSet] => {
        const of = (value: number): Float64Array => Float64Array.from(t, () => value);
        const times = Float64Array.from(t);
        return [kind, { kind, t: times, tEnd: times, low: of(0), high: of(0), packet: of(1), count: of(1) }];
    };
    const model = {
        chart: { span: { from_s: 0, to_s: 10 } },
        marks: new Map([marks('rst', 99), marks('keep_alive', 5, 40, 70), marks('probe', 3)]),
    } as unknown as HalfModel;
    const after = afterOf([model], 99);
    assert.deepEqual(after, {
        from: 10,
        to: 99,
        later: [
            { kind: 'keep_alive', count: 2, last: 70 },
            { kind: 'rst', count: 1, last: 99 },
        ],
    });
    // A long silence is not shown initially; a short one is.
    assert.equal(homeOf(after, 99).end.toFixed(3), '10.600');
    assert.deepEqual(homeOf({ from: 10, to: 11, later: [] }, 11), { start: 0, end: 11 });
    assert.deepEqual(homeOf({ from: 10, to: 49, later: [] }, 49), { start: 0, end: 49 });
    assert.equal(homeOf({ from: 10, to: 51, later: [] }, 51).end.toFixed(3), '10.600');
});

test('an interval says what decided it', () => {
    const { timeline } = half;
    for (let row = 0; row < timeline.length; row++) {
        const why = timeline.why(row);
        assert.ok(why, `row ${row}`);
        assert.ok(data.messages.en[`why-${why.reason.replaceAll('_', '-')}`]);
        for (const { measure, value } of why.values) {
            assert.ok(Number.isFinite(value), measure);
            assert.ok(data.messages['zh-CN'][`evidence-${measure.replaceAll('_', '-')}`], measure);
        }
    }
    assert.ok([...timeline.start.keys()].some((row) => timeline.why(row)?.values.length));
});
