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

test('the list, the folds and the filter of packets are read back', () => {
    for (const address of [
        {
            list: {
                problem: 0,
                service: '[2001:db8::1]:443',
                bins: { from: 3, to: 17 },
                group: { by: 'host', key: '10.0.0.1' },
                only: ['failed', 'open'],
                query: 'port:443 & "a=b" #12 重置',
                sort: { key: 'bytes', isDescending: true },
                by: 'cause',
            },
        },
        { list: { sort: { key: 'start', isDescending: false } } },
        { list: { group: { by: 'cause', key: 'send_buffer/' } } },
        { connection: 3, filter: 'len>1000 and → & =', folds: ['findings-2', 'charts-1'] },
        { pair: 4 },
    ]) {
        const text = formatAddress(address);
        assert.deepEqual(parseAddress(text), address, text);
        // Only characters that a fragment may contain.
        assert.match(text, /^#[\w\-.~!$&'()*+,;=:@/?%[\]]*$/);
    }
    assert.equal(formatAddress({ list: { service: '10.0.0.1:80', query: ' ' } }), '#service=10.0.0.1:80');
});

test('nonsense about the list is left out', () => {
    for (const text of [
        '#sort=--x',
        '#bins=7-3',
        '#bins=x',
        '#problem=-1',
        '#q=%zz',
        '#group=x',
        '#only=<b>',
        '#open=<b>',
        '#by=a b',
    ])
        assert.deepEqual(parseAddress(text), {}, text);
    assert.deepEqual(parseAddress(`#q=${'x'.repeat(5000)}`), {});
});
