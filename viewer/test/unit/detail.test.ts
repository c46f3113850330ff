import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finest, isCoarse, toAsk } from '../../src/data/detail.js';

test('bins show when they are wider than a few pixels', () => {
    const second = { start: 0, end: 1 };
    assert.ok(!isCoarse(0, second, 1000));
    assert.ok(!isCoarse(0.001, second, 1000));
    assert.ok(isCoarse(0.01, second, 1000));
});

test('the finest level that covers all of the stretch is drawn', () => {
    const levels = [
        { from: -Infinity, to: Infinity, bin: 0.1, name: 'page' },
        { from: 2, to: 4, bin: 0.001, name: 'fetched' },
        { from: 2.5, to: 3, bin: 0, name: 'exact' },
    ];
    assert.equal(finest(levels, { start: 2.6, end: 2.9 })?.name, 'exact');
    assert.equal(finest(levels, { start: 2.4, end: 2.9 })?.name, 'fetched');
    assert.equal(finest(levels, { start: 1, end: 3 })?.name, 'page');
    assert.equal(finest([], { start: 1, end: 3 }), undefined);
});

test('more than what is shown is asked for, within the connection', () => {
    assert.deepEqual(toAsk({ start: 4, end: 5 }, { start: 0, end: 10 }), { start: 3, end: 6 });
    assert.deepEqual(toAsk({ start: 0, end: 5 }, { start: 0, end: 6 }), { start: 0, end: 6 });
});
