import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clampRange, Scale, tickStep, ticks, zoomRange } from '../../src/base/scale.js';

test('a scale maps there and back', () => {
    const scale = new Scale({ start: 10, end: 20 }, 100, 300);
    assert.equal(scale.at(10), 100);
    assert.equal(scale.at(15), 200);
    assert.equal(scale.invert(300), 20);
    assert.equal(new Scale({ start: 5, end: 5 }, 0, 10).invert(7), 5);
});

test('ticks are round, inside, and not too many', () => {
    assert.deepEqual(ticks({ start: 0, end: 1 }, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    for (const [start, end] of [
        [0, 5.09],
        [1.3, 1.35],
        [0, 193_024],
        [1e-6, 2e-6],
        [1e9, 1e9 + 3],
    ] as const) {
        const step = tickStep(end - start, 6);
        assert.match((step / 10 ** Math.floor(Math.log10(step) + 1e-9)).toFixed(6), /^(1|2|5|10)\.000000$/);
        const values = ticks({ start, end }, 6);
        assert.ok(values.length >= 2 && values.length <= 8, `${values}`);
        for (const value of values) assert.ok(value >= start - step * 1e-6 && value <= end + step * 1e-6);
    }
});

test('a range stays within its bounds and keeps its width where it can', () => {
    const bounds = { start: 0, end: 10 };
    assert.deepEqual(clampRange({ start: -2, end: 3 }, bounds, 0.1), { start: 0, end: 5 });
    assert.deepEqual(clampRange({ start: 8, end: 12 }, bounds, 0.1), { start: 6, end: 10 });
    assert.deepEqual(clampRange({ start: -5, end: 50 }, bounds, 0.1), bounds);
    const narrow = clampRange({ start: 5, end: 5 }, bounds, 0.5);
    assert.deepEqual(narrow, { start: 4.75, end: 5.25 });
});

test('zooming keeps the anchor in place', () => {
    const zoomed = zoomRange({ start: 0, end: 10 }, 2, 0.5);
    assert.deepEqual(zoomed, { start: 1, end: 6 });
    const scale = (range: { start: number; end: number }): number => new Scale(range, 0, 100).at(2);
    assert.equal(scale({ start: 0, end: 10 }), scale(zoomed));
});
