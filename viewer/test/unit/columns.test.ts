import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, decodeOr } from '../../src/data/columns.js';
import type { Column } from '../../src/format.js';

const column = (type: string, bytes: ArrayBufferView): Column =>
    `${type}:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}` as Column;

test('every type decodes; the largest unsigned value and NaN are unknown', () => {
    assert.deepEqual([...decode(column('u8', Uint8Array.of(0, 7, 255)), 3)], [0, 7, NaN]);
    assert.deepEqual([...decode(column('u16', Uint16Array.of(1, 65_534, 65_535)), 3)], [1, 65_534, NaN]);
    assert.deepEqual([...decode(column('u32', Uint32Array.of(1, 4_294_967_294, 4_294_967_295)), 3)], [1, 4_294_967_294, NaN]);
    assert.deepEqual([...decode(column('f32', Float32Array.of(0.5, NaN)), 2)], [0.5, NaN]);
    assert.deepEqual([...decode(column('f64', Float64Array.of(2 ** 40 + 0.25, -1)), 2)], [2 ** 40 + 0.25, -1]);
});

test('what is not a column of that many rows is refused', () => {
    assert.throws(() => decode(column('u16', Uint8Array.of(1, 2, 3)), 1));
    assert.throws(() => decode(column('u8', Uint8Array.of(1)), 2));
    assert.throws(() => decode('u64:AAAA' as Column, 0));
    assert.throws(() => decode('constructor:AAAA' as Column, 0));
    assert.throws(() => decode('' as Column, 0));
});

test('an absent column has its value in every row', () => {
    assert.deepEqual([...decodeOr(undefined, 3, 1)], [1, 1, 1]);
});
