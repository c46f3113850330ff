import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowerBound, nearest, upperBound } from '../../src/base/search.js';

test('bounds agree with counting', () => {
    const sorted = [1, 3, 3, 3, 7, 9];
    for (let value = 0; value <= 10; value++) {
        assert.equal(lowerBound(sorted, value), sorted.filter((x) => x < value).length);
        assert.equal(upperBound(sorted, value), sorted.filter((x) => x <= value).length);
    }
    assert.equal(lowerBound([], 1), 0);
});

test('the nearest of two is found, and the ends', () => {
    const sorted = [0, 10, 20];
    assert.equal(nearest(sorted, -5), 0);
    assert.equal(nearest(sorted, 4), 0);
    assert.equal(nearest(sorted, 6), 1);
    assert.equal(nearest(sorted, 99), 2);
    assert.equal(nearest([], 1), -1);
});
