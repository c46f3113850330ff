import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wallClock, wallClockRange } from '../../src/base/clock.js';

/** Runs `run` in time zone `zone`; Node rereads the variable when it is set. */
function inZone<T>(zone: string, run: () => T): T {
    const before = process.env['TZ'];
    process.env['TZ'] = zone;
    try {
        return run();
    } finally {
        if (before === undefined) delete process.env['TZ'];
        else process.env['TZ'] = before;
    }
}

// 2026-03-29T00:59:59.123456789Z: less than 1 s before daylight saving time begins in Berlin.
const NS = '1774745999123456789';

test('an instant is told in the reader’s zone, with its offset on that day', () => {
    assert.deepEqual(
        inZone('Europe/Berlin', () => wallClock(NS)),
        { date: '2026-03-29', time: '01:59:59.123', offset: 'UTC+01:00', utc: '2026-03-29T00:59:59.123Z' },
    );
    assert.equal(inZone('Europe/Berlin', () => wallClock(NS, 1))?.offset, 'UTC+02:00');
    assert.equal(inZone('America/St_Johns', () => wallClock(NS))?.offset, 'UTC-02:30');
    assert.equal(inZone('UTC', () => wallClock(NS, 0.877))?.time, '01:00:00.000');
});

test('a range says what differs', () => {
    assert.equal(
        inZone('UTC', () => wallClockRange(NS, 0.5)),
        '2026-03-29 00:59:59.123 – 00:59:59.623 UTC',
    );
    assert.equal(
        inZone('UTC', () => wallClockRange(NS, 86_400)),
        '2026-03-29 00:59:59.123 – 2026-03-30 00:59:59.123 UTC',
    );
    assert.equal(
        inZone('Europe/Berlin', () => wallClockRange(NS, 2)),
        '2026-03-29 01:59:59.123 UTC+01:00 – 03:00:01.123 UTC+02:00',
    );
});

test('what is no date is no text', () => {
    assert.equal(wallClock('x'), null);
    assert.equal(wallClockRange('x', 1), null);
    assert.equal(wallClock(0, 1e300), null);
});
