import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HalfModel } from '../../src/data/half.js';
import { ackedUntil, measure, sentUntil } from '../../src/data/measure.js';
import { PacketTable } from '../../src/data/packets.js';
import { checkData, Source } from '../../src/data/source.js';
import type { HalfChart } from '../../src/format.js';

const data = checkData(JSON.parse(readFileSync(new URL('../fixtures/three.json', import.meta.url), 'utf8')));
const source = new Source(data);

test('what a stretch holds is what its packets hold', () => {
    for (const id of [0, 1, 2]) {
        const { chart } = source.known(id, 'en');
        assert.ok(chart?.packets);
        const packets = new PacketTable(chart.packets, data);
        for (const half of source.models(chart)) {
            const end: number = chart.duration_s;
            for (const [from, to] of [
                [0, end],
                [0, end / 2],
                [end / 3, end / 2],
                [end * 0.41, end * 0.43],
                [end / 2, end],
            ] as const) {
                const found = measure(half, { start: from, end: to });
                let sent = 0;
                let segments = 0;
                for (let row = 0; row < packets.length; row++) {
                    const t = packets.t[row] as number;
                    if (
                        packets.value(row, 'from') !== half.chart.sender ||
                        t < from ||
                        (t >= to && to < end) ||
                        packets.value(row, 'len') === 0
                    )
                        continue;
                    sent += packets.value(row, 'len');
                    segments++;
                }
                assert.equal(found.sent + found.resent, sent, `connection ${id}, ${from} to ${to}`);
                assert.equal(found.segments + found.resentSegments, segments);
                assert.equal(found.bin, 0);
            }
        }
    }
});

test('neighbouring stretches add up', () => {
    const { chart } = source.known(0, 'en');
    assert.ok(chart);
    for (const half of source.models(chart)) {
        const end: number = chart.duration_s;
        const all = measure(half, { start: 0, end });
        const cuts = [0, 0.1, 0.25, 0.5, 0.77, 1].map((share) => share * end);
        const parts = cuts.slice(1).map((to, i) => measure(half, { start: cuts[i] as number, end: to }));
        const sum = (of: (part: typeof all) => number): number => parts.reduce((total, part) => total + of(part), 0);
        assert.equal(
            sum((part) => part.sent),
            all.sent,
        );
        assert.equal(
            sum((part) => part.acked),
            all.acked,
        );
        assert.equal(
            sum((part) => part.segments),
            all.segments,
        );
        for (const limit of all.limits.keys())
            assert.ok(Math.abs(sum((part) => part.limits[limit] as number) - (all.limits[limit] as number)) < 1e-9);
        assert.equal(sentUntil(half, end), half.chart.extent.seq);
        assert.ok(ackedUntil(half, end) <= half.chart.extent.seq + 1);
    }
});

test('round trips of a stretch are those measured in it', () => {
    const { chart } = source.known(2, 'en');
    assert.ok(chart);
    const half = source.models(chart).find((one) => one.rtt.t.length > 4);
    assert.ok(half);
    const [first, second] = [half.rtt.t[0] as number, half.rtt.t[1] as number];
    const found = measure(half, { start: first, end: second });
    assert.deepEqual(found.rtt, { min: half.rtt.value.low[0], median: half.rtt.value.high[0], max: half.rtt.value.high[0] });
    assert.equal(measure(half, { start: first + (second - first) / 3, end: second }).rtt, null);
});

test('where rows are bins, bytes come from the bins that leave nothing out, and say how far they may be off', () => {
    const { chart } = source.known(0, 'en');
    assert.ok(chart);
    const exact = [...source.models(chart)].sort((a, b) => b.chart.extent.seq - a.chart.extent.seq)[0];
    assert.ok(exact);
    const own: HalfChart = exact.chart;
    const half = new HalfModel(
        { ...own, bin_s: 0.01, segments: { ...own.segments, bin_s: 0.01 }, states: { ...own.states, bin_s: 0.01 } },
        data,
    );
    const [all, about] = [
        measure(exact, { start: 0, end: chart.duration_s }),
        measure(half, { start: 0, end: chart.duration_s }),
    ];
    assert.equal(about.sent, all.sent);
    assert.equal(about.acked, all.acked);
    assert.equal(about.bin, exact.throughput.bin);
    assert.ok(Number.isNaN(about.segments));
});
