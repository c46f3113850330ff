import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseColour, Raster } from '../../src/canvas/raster.js';

function setUp(ratio = 1): { raster: Raster; at: (x: number, y: number) => number[] } {
    const image = { data: new Uint8ClampedArray(20 * 10 * 4), width: 20, height: 10, colorSpace: 'srgb' } as ImageData;
    const raster = new Raster(20, 10, ratio, image);
    raster.clear('#ffffff');
    return { raster, at: (x, y) => [...image.data.slice((y * 20 + x) * 4, (y * 20 + x) * 4 + 4)] };
}

test('colours are read, and nothing else', () => {
    const { red, green, blue, alpha } = parseColour('rgba(1, 2, 3, 0.5)');
    assert.deepEqual([red, green, blue, alpha], [1, 2, 3, 0.5]);
    assert.throws(() => parseColour('red'));
});

test('a rectangle covers its pixels and no others, narrow or wide', () => {
    for (const width of [1, 3, 15]) {
        const { raster, at } = setUp();
        raster.rect(2, 3, width, 2, '#102030');
        for (let y = 0; y < 10; y++) {
            for (let x = 0; x < 20; x++) {
                const isInside = x >= 2 && x < 2 + width && y >= 3 && y < 5;
                assert.deepEqual(at(x, y), isInside ? [16, 32, 48, 255] : [255, 255, 255, 255], `${x} ${y}`);
            }
        }
    }
});

test('nothing is too small to be seen; what is no number is not drawn', () => {
    const { raster, at } = setUp();
    raster.rect(4.2, 4.2, 0.01, 0.01, '#000000');
    assert.deepEqual(at(4, 4), [0, 0, 0, 255]);
    const other = setUp();
    for (const bad of [NaN, Infinity, -Infinity]) {
        other.raster.rect(bad, 0, 5, 5, '#000000');
        other.raster.rect(0, bad, 5, 5, '#000000');
    }
    assert.deepEqual(other.at(0, 0), [255, 255, 255, 255]);
});

test('opacity blends, the clip confines, the ratio scales', () => {
    const { raster, at } = setUp();
    raster.rect(0, 0, 2, 2, '#000000', 0.5);
    assert.deepEqual(at(1, 1), [128, 128, 128, 255]);
    raster.clip(10, 0, 12, 10);
    raster.rect(0, 0, 20, 10, '#000000');
    assert.deepEqual([at(9, 5)[0], at(10, 5)[0], at(11, 5)[0], at(12, 5)[0]], [255, 0, 0, 255]);
    const fine = setUp(2);
    fine.raster.rect(1, 1, 1, 1, '#000000');
    assert.deepEqual([fine.at(1, 2)[0], fine.at(2, 2)[0], fine.at(3, 3)[0], fine.at(4, 4)[0]], [255, 0, 0, 255]);
});
