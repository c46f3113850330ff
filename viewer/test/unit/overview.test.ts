import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Words } from '../../src/base/words.js';
import { axisOf } from '../../src/charts/when.js';
import { Bins } from '../../src/data/bins.js';
import { groupsOf, splitEnd } from '../../src/data/groups.js';
import { namedEnd, namedHost } from '../../src/data/names.js';
import { EVERYTHING, isAsked, numberTest, wordsOf } from '../../src/data/narrow.js';
import { Overview } from '../../src/data/overview.js';
import { isPrivate } from '../../src/data/private.js';
import { checkData } from '../../src/data/source.js';
import { spentParts } from '../../src/panels/spent.js';

const data = checkData(JSON.parse(readFileSync(new URL('../fixtures/three.json', import.meta.url), 'utf8')));
const overview = new Overview(data.overview, data);
const rows = [...overview.id.keys()];

test('the sum of bytes is that of both directions', () => {
    const halves = (data.documents['en']?.connections ?? []).flatMap((connection) => connection.halves);
    assert.ok(overview.bytesBack.some((bytes) => bytes > 0));
    assert.equal(
        overview.allBytes,
        halves.reduce((sum, half) => sum + half.bytes, 0),
    );
});

test('ends are taken apart, also those of IPv6', () => {
    assert.deepEqual(splitEnd('192.0.2.1:443'), { host: '192.0.2.1', port: '443' });
    assert.deepEqual(splitEnd('[2001:db8::1]:8080'), { host: '2001:db8::1', port: '8080' });
});

test('groups hold every connection, and add no savings up', () => {
    for (const grouping of ['cause'] as const) {
        const groups = groupsOf(overview, rows, grouping);
        assert.deepEqual(groups.flatMap((group) => group.rows).sort(), rows);
        for (const group of groups)
            assert.equal(group.mostLost, Math.max(...group.rows.map((row) => overview.lost[row] as number)));
    }
    const hosts = groupsOf(overview, rows, 'host');
    assert.equal(
        hosts.reduce((sum, group) => sum + group.rows.length, 0),
        2 * rows.length,
        'each connection counts at both of its hosts',
    );
});

test('a group says whether its largest saving is an upper bound', () => {
    const columns = { ...data.overview, is_saving_predicted: `u8:${btoa('\0\x01\x01')}` as const };
    const bounds = groupsOf(new Overview(columns, data), rows, 'cause').map((group) => [group.rows, group.isUpperBound]);
    assert.deepEqual(bounds.sort(), [
        [[0], true],
        [[1], false],
        [[2], false],
    ]);
});

test('a time axis is as it was, unless nearly all of it is empty', () => {
    const near = axisOf(
        [
            { start: 0, end: 4 },
            { start: 6, end: 10 },
        ],
        10,
    );
    assert.deepEqual([near.hasGaps, near.at(0), near.at(5), near.at(10)], [false, 0, 0.5, 1]);
    const far = axisOf(
        [
            { start: 0, end: 4 },
            { start: 1e6, end: 1e6 + 4 },
        ],
        1e6 + 4,
    );
    assert.equal(far.hasGaps, true);
    assert.equal(far.at(0), 0);
    assert.ok(Math.abs(far.at(4) - 4 / 8.24) < 1e-9 && Math.abs(far.at(1e6 + 4) - 1) < 1e-9);
    assert.ok(far.at(5e5) >= far.at(4) && far.at(5e5) <= far.at(1e6), 'order is kept');
});

test('the list is narrowed by a stretch of a histogram, beyond 32 bins too', () => {
    const bins = new Bins({ count: 50, per_decade: 5, least_s: 1e-5 });
    assert.equal(bins.start(0), 0);
    assert.ok(Math.abs(bins.start(26) - 1) < 1e-9 && Math.abs(bins.end(26) - 10 ** 0.2) < 1e-9);
    assert.ok(bins.isDecade(26) && !bins.isDecade(27) && !bins.isDecade(0));
    const bits = 2 ** 3 + 2 ** 40;
    assert.deepEqual(
        [bins.hasAny(bits, 3, 3), bins.hasAny(bits, 4, 39), bins.hasAny(bits, 4, 40), bins.hasAny(bits, 41, 49)],
        [true, false, true, false],
    );
    const all = rows.filter((row) => isAsked(overview, bins, EVERYTHING, () => true, row));
    assert.deepEqual(all, rows);
    // Every connection is counted in a bin, so all bins together exclude none.
    const counted = (from: number, to: number): number[] =>
        rows.filter((row) => isAsked(overview, bins, { ...EVERYTHING, bins: { from, to } }, () => true, row));
    assert.deepEqual(counted(0, 49), rows);
    const parts = Array.from({ length: 50 }, (_, bin) => counted(bin, bin));
    assert.ok(parts.every((part) => part.length < rows.length));
    assert.deepEqual([...new Set(parts.flat())].sort(), rows);
    assert.deepEqual(
        rows.filter((row) => isAsked(overview, bins, { ...EVERYTHING, isOpenable: true }, (one) => one === 1, row)),
        [1],
    );
});

test('histograms hold what services count', () => {
    for (const service of data.services) {
        const done = service.histogram.done.reduce((sum, n) => sum + n, 0);
        const failed = service.histogram.failed.reduce((sum, n) => sum + n, 0);
        if (service.exchanges > 0) assert.equal(done, service.exchanges, service.server);
        else assert.ok(done + failed <= service.connections, service.server);
        assert.equal(
            failed,
            service.failures.reduce((sum, { connections }) => sum + connections, 0),
        );
    }
    assert.deepEqual(
        rows.map((row) => overview.service(row)).every((service) => service !== null && service < data.services.length),
        true,
    );
});

test('words of the search may be numbers to compare', () => {
    const found = (query: string): number[] => overview.select(query, 'id', false, () => '');
    const longest = Math.max(...overview.time);
    assert.equal(found(`time>${longest * 1000 - 1}ms`).length, 1);
    assert.equal(found(`time<${longest + 1}s`).length, rows.length);
    assert.equal(found('time>1h').length, 0, 'no such unit: a word that nothing has');
    const port = splitEnd(overview.columns.from[0] as string).port;
    assert.ok(found(`port:${port}`).includes(overview.id[0] as number));
    assert.equal(found('port:1').length, 0);
    assert.equal(numberTest(overview, 'bytes'), null);
});

test('a number finds one connection, and a capture its own', () => {
    const found = (query: string): number[] =>
        overview.select(query, 'id', false, () => '').map((row) => overview.id[row] as number);
    const many = { ...data.overview, id: `u8:${btoa('\x02\x16\xdd')}` as const };
    assert.deepEqual(
        new Overview(many, data).select('#22', 'id', false, () => ''),
        [1],
        'not 221 and not 2',
    );
    const path = overview.captureName(0);
    assert.ok(path.length > 0);
    assert.ok(found(`capture:${path}`).includes(overview.id[0] as number));
    assert.ok(found(`capture:"${path}"`).includes(overview.id[0] as number));
    assert.deepEqual(found('capture:no-such-file'), []);
    assert.deepEqual(wordsOf('capture:"my file" Reset'), ['capture:my file', 'reset']);
});

test('a word that nothing has is named, and no other', () => {
    const unknown = (query: string): string[] => overview.unknownWords(query, () => 'Reset by the client');
    const host = splitEnd(overview.columns.from[0] as string).host;
    assert.deepEqual(unknown(`reset ${host} #99 time>1h time>1s port:1`), ['time>1h']);
    assert.deepEqual(unknown('foo:bar Foo reset'), ['foo:bar', 'foo']);
    assert.deepEqual(unknown(''), []);
});

test('addresses of private use are known', () => {
    for (const address of [
        '10.1.2.3',
        '172.16.0.1',
        '172.31.9.9',
        '192.168.1.1',
        '127.0.0.1',
        '169.254.3.4',
        'fd00::1',
        'fe80::1',
        '::1',
    ])
        assert.ok(isPrivate(address), address);
    for (const address of ['192.0.2.10', '172.32.0.1', '11.0.0.1', '2001:db8::1', 'fc::1', '192.169.0.1'])
        assert.ok(!isPrivate(address), address);
});

test('waiting is a part of the bar, behind what could be faster', () => {
    const words = new Words('en', data.messages.en);
    const value = {
        ...data,
        spent: data.limits.map((_, limit) => ({ limit, seconds: limit + 1 })),
        waiting: { connections: 3, seconds: 100, person_s: 60 },
    };
    const parts = spentParts({ words, data: value });
    const sum = parts.reduce((all, { seconds }) => all + seconds, 0);
    assert.equal(sum, 100 + value.spent.reduce((all, { seconds }) => all + seconds, 0));
    const pale = parts.filter((part) => part.isPale);
    assert.deepEqual(
        pale.map(({ limit }) => limit),
        [null, null, 'idle'],
    );
    assert.deepEqual(parts.slice(-3), pale);
    assert.deepEqual(
        pale.slice(0, 2).map(({ seconds }) => seconds),
        [60, 40],
    );
});

test('names stand beside the addresses that have one', () => {
    const data = { names: { '192.0.2.1': 'db.example', '2001:db8::1': 'six.example' } };
    assert.equal(namedEnd(data, '192.0.2.1:3306', 7), '192.0.2.1:3306 [db.example]');
    assert.equal(namedEnd(data, '[2001:db8::1]:80', 7), '[2001:db8::1]:80 [six.example]');
    assert.equal(namedEnd(data, '192.0.2.2:3306', 7), '192.0.2.2:3306');
    const server_names = { 7: { end: '192.0.2.1:3306', name: 'www.example' }, 8: { end: '192.0.2.1:3306', name: 'DB.example' } };
    const both = { ...data, server_names };
    assert.equal(namedEnd(both, '192.0.2.1:3306', 7), '192.0.2.1:3306 [www.example, db.example]');
    assert.equal(namedEnd(both, '192.0.2.1:3306', 8), '192.0.2.1:3306 [DB.example]');
    assert.equal(namedEnd(both, '192.0.2.1:3306', 9), '192.0.2.1:3306 [db.example]');
    assert.equal(namedEnd({ server_names }, '192.0.2.1:99', 7), '192.0.2.1:99');
    // Names are cut, addresses never.
    assert.equal(namedEnd(both, '192.0.2.1:3306', 7, 8), '192.0.2.1:3306 [www.exa…]');
    assert.equal(namedHost(data, '192.0.2.1'), '192.0.2.1 [db.example]');
    assert.equal(namedHost(data, 'constructor'), 'constructor');
    assert.equal(namedHost({}, '192.0.2.1'), '192.0.2.1');
});
