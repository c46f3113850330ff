// Two captures on one page: before and after, both ends of one connection, on one axis.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addressTime, close, columnsWith, open, reports, settle } from './lib.mjs';

after(close);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const tcpwhy = process.env.TCPWHY ?? `${root}target/debug/tcpwhy`;

function compared(name, ...samples) {
    const path = `${reports}${name}.html`;
    const captures = samples.map((sample) => `${root}samples/${sample}.pcap.gz`);
    execFileSync(tcpwhy, ['compare', ...captures, '--html', path, '--quiet', '--overwrite']);
    return path;
}

test('before and after: both answers, their numbers, and charts that zoom together', async () => {
    const { page, done } = await open(compared('before-after', 'send-buffer', 'path-queue'), { height: 2600 });
    assert.equal(
        await page.textContent('h1'),
        'B is 2.0 times as fast (9.44 Mbit/s → 18.5 Mbit/s): the send buffer no longer limits it; the path is the next limit.',
    );
    const sides = await page.locator('.compare-side').allTextContents();
    assert.match(sides[0], /^A .*6\.00 MB in 5\.09 s.*socket buffer was too small for 4\.99\ss/);
    assert.match(sides[1], /^B .*10\.0 MB in 4\.32 s.*bottleneck and its queue were full/);
    assert.match(await page.textContent('.compare-changes'), /gone.*send buffer/);
    const row = (name) => page.locator('.compare-numbers tr', { hasText: name }).locator('td').allTextContents();
    assert.deepEqual(await row('payload'), ['6.00 MB', '10.0 MB', '+67%']);
    assert.deepEqual(await row('send buffer'), ['4.99 s · 98%', '–', '−4.99 s']);
    const states = () => page.locator('.strip-head .where').allTextContents();
    assert.equal((await states()).length, 1, 'the charts of each are not made yet');
    // Both transfers are in one chart, and an instant has a value of each.
    const joint = await page.locator('.chart-joint-bytes .stage').boundingBox();
    await page.mouse.move(joint.x + joint.width / 2, joint.y + 60);
    await settle(page);
    const values = await page.locator('.chart-joint-bytes output').allTextContents();
    assert.equal(values.length, 2);
    for (const value of values) assert.match(value, /^\d.* [kM]B$/);
    assert.match((await states())[0], /A: .*send buffer.*B: path/);
    await page.mouse.move(4, 4);
    await page.click('.compare-fold > summary');
    await settle(page);
    const before = await states();
    assert.equal(before.length, 3);
    assert.equal(before[1], before[2]);
    // A drag in one chart zooms all.
    await page.locator('.chart-sequence .stage').first().scrollIntoViewIfNeeded();
    const box = await page.locator('.chart-sequence .stage').first().boundingBox();
    await page.mouse.move(box.x + 300, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    const zoomed = await states();
    assert.notEqual(zoomed[0], before[0]);
    assert.equal(zoomed[0].split('   ')[0], zoomed[1].split('   ')[0]);
    // A key moves the view once, not once per chart.
    await page.keyboard.press('Escape');
    await page.keyboard.press('0');
    await page.keyboard.press('w');
    await settle(page);
    const width = Number(/\(([\d.]+) s\)/.exec((await states())[0])[1]);
    assert.ok(Math.abs(width - 5.09 / 2) < 0.05, `${width}`);
    await page.click('.compare-side button >> nth=0');
    await page.waitForSelector('#answer');
    assert.match(await page.textContent('.back'), /Comparison/);
    await page.click('.back');
    await page.waitForSelector('#compare');
    // The comparison is in the state that was left.
    const time = await addressTime(page, (one) => one !== null);
    assert.ok(Math.abs(time[1] - time[0] - width) < 0.01, `${time}`);
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /⟨|undefined|NaN/);
    await done();
});

test('the sentence, both strips and the chart of both are on the first screen', async () => {
    const { page, done } = await open(compared('first-screen', 'send-buffer', 'path-queue'), { width: 1440, height: 900 });
    const bottom = (selector) => page.$eval(selector, (element) => element.getBoundingClientRect().bottom);
    assert.equal(await page.locator('.beside .chart-strip').count(), 2);
    assert.ok((await bottom('.chart-joint-bytes')) <= 900, `${await bottom('.chart-joint-bytes')}`);
    // The strip of the shorter transfer is empty after its end.
    const drawn = await page.evaluate(() =>
        [...document.querySelectorAll('.beside .chart-strip canvas.base')].map((canvas) => {
            const { width } = canvas;
            const { data } = canvas.getContext('2d').getImageData(0, 20, width, 1);
            for (let x = width - 1; x > 0; x--) if (data[x * 4] < 235 || data[x * 4 + 1] < 235) return x / width;
            return 0;
        }),
    );
    assert.ok(drawn[0] > 0.97 && drawn[1] > 0.8 && drawn[1] < 0.9, `${drawn}`);
    await done();
});

test('both ends: what they say together, and what left at one arrives at the other on the same axis', async () => {
    const path = compared('ends', 'receive-window', 'receive-window-receiver-side');
    const { page, done } = await open(path, { height: 2600, hash: '#lang=zh-CN' });
    assert.match(await page.textContent('#together-title'), /综合两份抓包/);
    await page.selectOption('#language', 'en');
    assert.match(
        await page.textContent('h1'),
        /^One connection: A saw it at the sender, B at the receiver\. Both name one limit/,
    );
    assert.match(await page.textContent('.compare-body'), /none of 3\.00\sMB was lost.*B's clock is 65\.3\sµs ahead/);
    // The receiver sees the SYN half a round trip (20 ms of 3.04 s) after the sender.
    const first = async (index) => {
        // Drawn anew after the choice of language.
        await page.waitForFunction((i) => {
            const canvas = document.querySelectorAll('.chart-strip canvas.base')[i];
            const middle = Math.floor((canvas?.width ?? 0) / 2);
            return middle > 0 && canvas.getContext('2d').getImageData(middle, 16, 1, 1).data[3] > 0;
        }, index);
        const columns = await page.evaluate((i) => {
            const canvas = document.querySelectorAll('.chart-strip canvas.base')[i];
            const { width } = canvas;
            const { data } = canvas.getContext('2d').getImageData(0, 16, width, 1);
            for (let x = 84; x < width; x++) if (data[x * 4] < 240) return x - 84;
            return -1;
        }, index);
        return columns;
    };
    const [a, b] = [await first(0), await first(1)];
    const plot = (await page.$eval('.chart-strip .stage', (stage) => stage.clientWidth)) - 98;
    assert.ok(Math.abs(((b - a) / plot) * 3.04 - 0.02) < 0.006, `${a} ${b} of ${plot}`);
    await page.click('.compare-fold > summary');
    await settle(page);
    assert.ok((await columnsWith(page, 'sequence', 'base', 'cursor')).length > 50);
    await done();
});

test('on a phone nothing is wider than the screen', async () => {
    const { page, done } = await open(compared('phone-compare', 'send-buffer', 'path-queue'), { width: 390, height: 844 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await done();
});
