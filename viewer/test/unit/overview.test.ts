import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apart, arrange, type Place } from '../../src/charts/places.js';
import { axisOf } from '../../src/charts/when.js';
import { groupsOf, splitEnd } from '../../src/data/groups.js';
import { namedEnd, namedHost } from '../../src/data/names.js';
import { Overview } from '../../src/data/overview.js';
import { checkData } from '../../src/data/source.js';

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
    for (const grouping of ['port', 'cause'] as const) {
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
    const bounds = groupsOf(overview, rows, 'cause').map((group) => [group.rows, group.isUpperBound]);
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

test('a dot moves aside where another is, as little as it can', () => {
    assert.deepEqual(
        apart(5, 6, () => false),
        { x: 5, y: 6 },
    );
    const moved = apart(0, 0, (x, y) => Math.hypot(x, y) < 10);
    assert.ok(moved && Math.hypot(moved.x, moved.y) >= 10 && Math.hypot(moved.x, moved.y) < 16);
    assert.equal(
        apart(0, 0, () => true),
        null,
    );
});

test('dots can be told apart: none lies on another, on a phone with thousands too', () => {
    const causes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', ''];
    // A cloud as captures have it: most in the middle. The generator is fixed, so the test is.
    let state = 1;
    const random = (): number => {
        state = (state * 16807) % 2147483647;
        return state / 2147483647;
    };
    const middle = (low: number, high: number): number => low + ((high - low) * (random() + random() + random())) / 3;
    const overlaps = (places: readonly Place[]): number =>
        places.filter((one, i) =>
            places.some((other, j) => j > i && Math.hypot(one.x - other.x, one.y - other.y) < (one.radius + other.radius) * 0.9),
        ).length;
    for (const width of [340, 1300]) {
        const ground = { left: 76, right: width - 8, top: 20, bottom: 270 };
        for (const n of [3, 60, 399, 2_200, 20_000]) {
            const spots = Array.from({ length: n }, (_, row) => ({
                row,
                x: middle(ground.left, ground.right),
                y: middle(ground.top, ground.bottom),
                cause: causes[Math.floor(random() * random() * causes.length)] as string,
                share: random() ** 4,
            }));
            const places = arrange(spots, ground);
            assert.equal(overlaps(places), 0, `${n} in ${width}`);
            const rows = places.flatMap((place) => place.rows);
            assert.equal(new Set(rows).size, n, 'every connection is in one dot');
            assert.equal(rows.length, n);
            if (n === 3) assert.ok(places.every((place) => place.rows.length === 1));
        }
    }
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
    // Names are cut, addresses are not.
    assert.equal(namedEnd(both, '192.0.2.1:3306', 7, 8), '192.0.2.1:3306 [www.exa…]');
    assert.equal(namedHost(data, '192.0.2.1'), '192.0.2.1 [db.example]');
    assert.equal(namedHost(data, 'constructor'), 'constructor');
    assert.equal(namedHost({}, '192.0.2.1'), '192.0.2.1');
});
