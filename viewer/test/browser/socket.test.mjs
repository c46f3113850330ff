// The sending socket over time, as the kernel of a recording reports it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close, columnsWith, open, report, settle, stage } from './lib.mjs';
import { column, known, ROWS, withSocket } from './socket.mjs';

after(close);

test('a capture without samples has no chart of the socket', async () => {
    const { page, done } = await open(report('send-buffer'));
    assert.equal(await page.locator('.chart-socket').count(), 0);
    await done();
});

test('the socket is one chart on the time of the packets, with values at the cursor', async () => {
    const { page, done } = await open(withSocket('socket'), { height: 2600 });
    const box = await stage(page, 'socket');
    assert.match(await page.textContent('.chart-socket h2'), /The sending socket/);
    assert.match(
        await page.getAttribute('.chart-socket canvas.base', 'aria-label'),
        /held 4\.10.kB at most; 157.kB was queued at most\. A write had to wait at 100 of 200 samples/,
    );
    const at = async (share) => {
        await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
        await settle(page);
        const value = (key) => page.textContent(`.chart-socket [data-key="${key}"]`);
        return Promise.all(['buffer', 'queued', 'unsent', 'full'].map(value));
    };
    assert.deepEqual(
        (await at(0.3)).map((text) => text.replace('\u00a0', ' ')),
        ['4.10 kB', '2.30 kB', '0 B', 'no'],
    );
    assert.deepEqual(
        (await at(0.8)).map((text) => text.replace('\u00a0', ' ')),
        ['4.10 kB', '157 kB', '60.0 kB', 'yes'],
    );
    // The same instant in all charts.
    assert.ok((await columnsWith(page, 'sequence', 'over', 'cursor')).length > 0);
    await done();
});

test('what the kernel did not say has no line, and a stretch without samples says so', async () => {
    const path = withSocket('socket-part', (socket) => {
        socket.window = known(() => NaN);
        socket.unsent = known(() => NaN);
        socket.full = column(() => 0);
        // Samples of the first second only.
        socket.t = column((i) => i / ROWS);
    });
    const { page, done } = await open(path, { height: 2600, hash: '#t=3-4' });
    await stage(page, 'socket');
    const keys = await page.$$eval('.chart-socket [data-key]', (all) => all.map((one) => one.dataset.key));
    assert.deepEqual(keys, ['queued', 'buffer', 'flight', 'cwnd']);
    assert.match(await page.textContent('.chart-socket'), /The kernel was not asked in this stretch/);
    await done();
});

for (const [lang, hash] of [
    ['en', ''],
    ['zh-CN', '#lang=zh-CN'],
])
    test(`on a phone the socket fits: ${lang}`, async () => {
        const { page, done } = await open(withSocket(`socket-${lang}`), { width: 390, height: 844, hash });
        await page.click('.more-charts');
        await stage(page, 'socket');
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
        await done();
    });
