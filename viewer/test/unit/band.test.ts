import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scale } from '../../src/base/scale.js';
import { Grid, gatherSamples, gatherSteps } from '../../src/canvas/grid.js';
import { Band } from '../../src/data/band.js';

/** A repeatable stream of numbers (mulberry32). */
function random(seed: number): () => number {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
}

const extreme = (values: number[], pick: (...values: number[]) => number): number => {
    const known = values.filter((value) => !Number.isNaN(value));
    return known.length === 0 ? NaN : pick(...known);
};

test('extremes of any stretch equal those found one by one', () => {
    const next = random(1);
    for (const length of [0, 1, 15, 16, 17, 300, 5000]) {
        const low = Float64Array.from({ length }, () => (next() < 0.1 ? NaN : Math.floor(next() * 1000)));
        const high = low.map((value) => value + Math.floor(next() * 5));
        const band = new Band(low, high);
        for (let i = 0; i < 200; i++) {
            const from = Math.floor(next() * (length + 1));
            const to = from + Math.floor(next() * (length + 1 - from));
            assert.equal(band.min(from, to), extreme([...low.slice(from, to)], Math.min));
            assert.equal(band.max(from, to), extreme([...high.slice(from, to)], Math.max));
        }
    }
});

test('a step function holds its value; every peak shows in its column, however narrow', () => {
    const times = Float64Array.from([1, 2, 2.0001, 8]);
    const band = new Band(Float64Array.from([10, 99, 20, 30]));
    const steps = gatherSteps(times, band, new Grid(new Scale({ start: 0, end: 10 }, 0, 10), 1));
    assert.deepEqual([...steps.high], [NaN, 10, 99, 20, 20, 20, 20, 20, 30, 30]);
    assert.deepEqual([...steps.low], [NaN, 10, 10, 20, 20, 20, 20, 20, 20, 30]);
});

test('a value is held no longer than it may be', () => {
    const steps = gatherSteps(
        Float64Array.from([1]),
        new Band(Float64Array.from([2])),
        new Grid(new Scale({ start: 0, end: 10 }, 0, 10), 1),
        9,
        (value) => value * 2,
    );
    assert.deepEqual([...steps.high], [NaN, 2, 2, 2, 2, 2, NaN, NaN, NaN, NaN]);
});

test('samples say nothing of the time between them', () => {
    const samples = gatherSamples(
        Float64Array.from([1.5, 1.6, 4]),
        new Band(Float64Array.from([3, 5, 7])),
        new Grid(new Scale({ start: 0, end: 5 }, 0, 5), 1),
    );
    assert.deepEqual([...samples.high], [NaN, 5, NaN, NaN, 7]);
    assert.deepEqual([...samples.low], [NaN, 3, NaN, NaN, 7]);
});

test('far more rows than columns: nothing is lost', () => {
    const rows = 100_000;
    const next = random(2);
    const times = Float64Array.from({ length: rows }, (_, i) => i / rows);
    const values = Float64Array.from({ length: rows }, () => next());
    values[77_777] = 1000;
    const grid = new Grid(new Scale({ start: 0, end: 1 }, 0, 100), 1);
    const gathered = gatherSteps(times, new Band(values), grid);
    assert.equal(gathered.high[grid.column(0.77777)], 1000);
    assert.equal(gathered.high.filter((value) => value === 1000).length, 1);
});
