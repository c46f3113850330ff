import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolated, isRightToLeft } from '../../src/base/isolate.js';
import { Words } from '../../src/base/words.js';

test('letters from right to left stay among themselves', () => {
    assert.equal(isolated('תעבורה.pcap'), '\u2068תעבורה.pcap\u2069');
    assert.equal(isolated('capture 捕获 é.pcap'), 'capture 捕获 é.pcap');
    for (const letter of ['א', 'ب', 'ߊ', '\u{10900}', '\u{1e900}', 'ﻼ']) assert.ok(isRightToLeft(letter), letter);
});

test('a sentence isolates what is put into it', () => {
    const words = new Words('en', { a: '{path}: {n} packets' });
    assert.equal(words.text('a', { path: 'א] ב', n: '7' }), '\u2068א] ב\u2069: 7 packets');
});
