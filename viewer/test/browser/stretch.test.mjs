// Place and time; contents of a stretch of time, and missing data; the stretch in both directions.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addressTime, close, data, open, report, settle, status, write } from './lib.mjs';

after(close);

test('where and when it was captured stands at the top, by the clock of the wall', async () => {
    const { page, done } = await open(report('send-buffer'), { timezoneId: 'Asia/Kolkata' });
    const text = await page.textContent('.taken');
    assert.match(text, /^captured at the sender · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} – \d\d:\d\d:\d\d\.\d{3} UTC\+05:30$/);
    // The same instant as in the data.
    const start = new Date(Number(data('send-buffer').charts[0].start_ns) / 1e6);
    assert.equal(await page.getAttribute('.taken time', 'datetime'), start.toISOString());
    const shown = text.match(/\d\d:\d\d:\d\d/)[0];
    assert.equal(shown, start.toLocaleTimeString('en-GB', { timeZone: 'Asia/Kolkata' }));
    const box = await page.locator('.taken').boundingBox();
    assert.ok(box.y < 100, `${box.y}`);
    // The cursor also has a time of day.
    await page.focus('#charts');
    await page.keyboard.press('Shift+ArrowRight');
    await settle(page);
    assert.match(await status(page), /at 2\.\d+ s: .* {3}\d\d:\d\d:\d\d\.\d{3}$/);
    await done();
    const west = await open(report('several'), { timezoneId: 'America/St_Johns', hash: '#lang=zh-CN' });
    assert.match(await west.page.textContent('.taken'), /^3 个连接，.* · 3 个抓包文件，抓取于 \d{4}-\d\d-\d\d .* UTC-03:30$/);
    await west.done();
});

test('a chart with nothing in the stretch says so', async () => {
    // Between two turns the client thinks, and no data moves.
    const { page, done } = await open(report('request-response'), { hash: '#t=0.1-0.101', height: 1800 });
    for (const [chart, text] of [
        ['sequence', /No data was sent/],
        ['rtt', /No round trip was measured/],
        ['throughput', /Nothing was sent or acknowledged/],
    ]) {
        assert.match(await page.textContent(`.chart-${chart} .chart-missing`), text);
        assert.equal(await page.locator(`.chart-${chart} .chart-missing`).isVisible(), true);
    }
    await page.focus('#charts');
    await page.keyboard.press('0');
    await settle(page);
    assert.equal(await page.locator('.chart-missing:visible').count(), 0);
    await done();
});

test('a stretch outside of the connection shows all of it', async () => {
    const { page, done } = await open(report('request-response'), { hash: '#t=100-101' });
    assert.match(await status(page), /^0\.0+ s to 4\.3/);
    await done();
    // A request that begins inside the stretch is cut at its end.
    const cut = await open(report('request-response'), { hash: '#t=4-101' });
    assert.match(await status(cut.page), /^4\.0+ s to 4\.3/);
    await cut.done();
});

test('the other direction is shown in the same stretch, unless it was silent then', async () => {
    const { page, done } = await open(report('request-response'), { hash: '#t=1-2&limit=think' });
    const other = await page.evaluate(
        () => [...document.querySelectorAll('#direction option')].find((option) => !option.selected).value,
    );
    await page.selectOption('#direction', other);
    assert.deepEqual(await addressTime(page), [1, 2]);
    assert.match(await status(page), /^1\.0+ s to 2\.0+ s/);
    assert.match(await page.evaluate(() => location.hash), /limit=think/);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'direction');
    // A stretch of 10 ms in which the first direction sent and was acknowledged, while the other had no data.
    await done();
    const value = data('request-response');
    for (const half of value.charts[0].halves) {
        if (half.sender === Number(other)) Object.assign(half, silent(half));
    }
    const quiet = await open(write('silent', value), { hash: '#t=1-2' });
    assert.match(await status(quiet.page), /^1\.0+ s/);
    await quiet.page.selectOption('#direction', other);
    await settle(quiet.page);
    assert.match(await status(quiet.page), /^0\.0+ s to 4\.3/);
    await quiet.done();
});

/** A direction with recorded limits only. */
function silent(half) {
    const empty = (table) =>
        Object.fromEntries(
            Object.entries(table).map(([key, value]) => [
                key,
                key === 'rows' ? 0 : typeof value === 'string' ? 'u8:' : value?.lo ? { lo: 'u8:' } : value,
            ]),
        );
    return {
        segments: empty(half.segments),
        states: empty(half.states),
        marks: empty(half.marks),
        rtt: empty(half.rtt),
        throughput: empty(half.throughput),
    };
}

test('captures that ran at the same time and were joined are announced', async () => {
    const value = data('send-buffer');
    for (const document of Object.values(value.documents)) {
        document.connections[0].capture = null;
        document.captures = [
            { ...document.captures[0], path: 'client.pcap' },
            { ...document.captures[0], path: 'server.pcap' },
        ];
    }
    const { page, done } = await open(write('joined', value));
    assert.match(await page.textContent('.vantages'), /client\.pcap, server\.pcap/);
    assert.match(await page.textContent('.taken'), /^capture point unknown/);
    await done();
    // Files of a ring buffer follow each other, so there is no notice.
    for (const document of Object.values(value.documents)) {
        const [first, second] = document.captures;
        second.start_ns = first.start_ns + first.duration_s * 1e9;
    }
    const parts = await open(write('parts', value));
    assert.equal(await parts.page.locator('.vantages').count(), 0);
    await parts.done();
});
