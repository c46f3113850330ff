import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAddress, parseAddress } from '../../src/view/address.js';

test('the address of the manual reads as it says', () => {
    assert.deepEqual(parseAddress('#c3&t=1.2-1.4'), { connection: 3, time: { start: 1.2, end: 1.4 } });
});

test('what is written is read back', () => {
    for (const address of [
        {},
        { connection: 0 },
        {
            connection: 12,
            sender: 1,
            time: { start: 0, end: 0.05 },
            limit: 'send_buffer',
            language: 'zh-CN',
            theme: 'dark' as const,
        },
        { connection: 3, time: { start: 25.000001, end: 25.000004 } },
        { connection: 3, marked: { start: 1.25, end: 1.5 } },
    ]) {
        const read = parseAddress(formatAddress(address));
        const { time, ...rest } = address as { time?: { start: number; end: number } };
        assert.deepEqual({ ...read, time: undefined }, { ...rest, time: undefined });
        if (time) {
            assert.ok(Math.abs((read.time?.start ?? NaN) - time.start) <= (time.end - time.start) / 1000);
            assert.ok(Math.abs((read.time?.end ?? NaN) - time.end) <= (time.end - time.start) / 1000);
        }
    }
});

test('nonsense is left out', () => {
    for (const text of [
        '#',
        '#c',
        '#cx',
        '#c-1',
        '#t=2-1',
        '#t=1',
        '#t=NaN-3',
        '#theme=pink',
        '#limit=<b>',
        '#c99999999999',
        '#from=7',
    ]) {
        const { time, ...rest } = parseAddress(text);
        assert.equal(time, undefined, text);
        assert.deepEqual(rest, {}, text);
    }
});
