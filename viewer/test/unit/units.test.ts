import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { count, Units, unbroken } from '../../src/base/units.js';
import { Words } from '../../src/base/words.js';

const words = new Words('en', {
    'unit-bytes': '{n} B',
    'unit-nanoseconds': '{n} ns',
    'unit-microseconds': '{n} µs',
    'unit-milliseconds': '{n} ms',
    'unit-seconds': '{n} s',
    'unit-minutes-seconds': '{large} min {small} s',
    'unit-hours-minutes': '{large} h {small} min',
    'unit-days-hours': '{large} d {small} h',
    unknown: 'unknown',
    'limit-send-buffer': 'send buffer',
    'detail-idle': 'idle',
    'limit-application': 'application',
    'limit-with-detail': '{limit}: {detail}',
});
const units = new Units(words);

test('quantities read as in the terminal', () => {
    // Uses the test cases of crates/tcpwhy-report/src/units.rs, so that both stay equal.
    const source = readFileSync(new URL('../../../crates/tcpwhy-report/src/units.rs', import.meta.url), 'utf8');
    // Up to the cases of other units and another language, which the page lacks.
    const others = source.indexOf('fn sizes_in_binary_steps');
    const names = {
        bytes: 'bytes',
        bits_per_second: 'rate',
        seconds: 'seconds',
        rough_seconds: 'roughSeconds',
        share: 'share',
    } as const;
    let seen = 0;
    for (const match of source.slice(0, others).matchAll(/assert_eq!\(u\.(\w+)\(([\d._]+)\), "([^"]*)"\)/g)) {
        const name = names[match[1] as keyof typeof names];
        if (!name) continue;
        seen++;
        assert.equal(units[name](Number((match[2] as string).replaceAll('_', ''))), match[3], match[0]);
    }
    assert.ok(seen > 20, `${seen} cases found`);
});

test('no space stays between Chinese of a message and of an argument', () => {
    // The cases of the terminal.
    const path = '../../../crates/tcpwhy-report/src/catalogue/seams.rs';
    const source = readFileSync(new URL(path, import.meta.url), 'utf8');
    let seen = 0;
    for (const [, message, x, text] of source.matchAll(/^ +\("([^"]+)", "([^"]+)", "([^"]+)"\),$/gm)) {
        seen++;
        assert.equal(new Words('zh-CN', { m: message as string }).text('m', { x: x as string }), text, message);
    }
    assert.ok(seen > 10, `${seen} cases found`);
});

test('unknown is said, not counted', () => {
    assert.equal(units.seconds(NaN), 'unknown');
});

test('labels of ticks tell neighbours apart', () => {
    assert.equal(units.bytesTick(1_584_000, 2000), '1.584 MB');
    assert.equal(units.bytesTick(6_000_000, 1_000_000), '6 MB');
    assert.equal(units.bytesTick(500, 100), '500 B');
    assert.equal(units.rateTick(2_500_000, 500_000), '2.5 Mbit/s');
    assert.equal(units.secondsTick(0.02, 0.01), '20 ms');
    assert.equal(units.instant(1.3, 0.005), '1.300 s');
    assert.equal(units.instant(125.5, 0.5), '2:05.5');
    assert.equal(units.instant(5, 1), '5 s');
});

test('numbers stay with their units', () => {
    assert.equal(unbroken('2.88 s of 3 sent, 42.0 kB, 8 min 2 s'), '2.88\u00a0s of 3 sent, 42.0\u00a0kB, 8\u00a0min 2\u00a0s');
});

test('whole numbers are grouped', () => {
    assert.equal(count(1_234_567), '1,234,567');
    assert.equal(count(12), '12');
});

test('limits have names; what is missing shows', () => {
    assert.equal(words.limit('send_buffer'), 'send buffer');
    assert.equal(words.limit('application', 'idle'), 'application: idle');
    assert.equal(words.limit('new_limit'), 'new_limit');
    assert.equal(words.text('no-such'), '⟨no-such⟩');
    assert.equal(words.text('unit-bytes'), '{n} B');
    // Argument values are inserted as text, without further substitution.
    assert.equal(words.text('limit-with-detail', { limit: '{detail}', detail: '$1' }), '{detail}: $1');
});

test('a part in a column has the units of its whole where these are two', () => {
    const cases: [number, number, string][] = [
        [119, 121, '1 min 59 s'],
        [0.87, 121, '870 ms'],
        [0.822, 1.74, '822 ms'],
        [7_000, 104_700, '1 h 57 min'],
        [2_705, 104_700, '45 min 5 s'],
        [90_000, 200_000, '1 d 1 h'],
    ];
    for (const [part, whole, expected] of cases) assert.equal(units.secondsInColumn(part, whole), expected);
});
