// Numbers of a range: while it is dragged, between two cursors, in both directions; pictures of charts; the
// filter of packets.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { addressTime, close, data, open, report, settle, stage, status, write } from './lib.mjs';

after(close);

const measured = (page) => page.textContent('.measure');

/** Expensive numbers are computed after the frames: waits for them. */
const counted = (page) => page.waitForTimeout(300);

/** Presses the mouse button at share `from` of the sequence chart's width and moves to `to`; the caller
 *  releases it. */
async function drag(page, from, to) {
    const box = await stage(page, 'sequence');
    const y = box.y + 120;
    const x = (share) => box.x + 84 + share * (box.width - 98);
    await page.mouse.move(x(from), y);
    await page.mouse.down();
    await page.mouse.move(x((from + to) / 2), y);
    await page.mouse.move(x(to), y, { steps: 3 });
    await counted(page);
    return { x, y };
}

test('a dragged range tells its numbers before the button is let go, and after', async () => {
    const { page, done } = await open(report('loss'), { height: 1300 });
    assert.match(
        await measured(page),
        /This stretch.*4\.00\sMB sent in 1,587 segments, .*retransmitted 44\.9\skB \(31 segments, 1\.1%\); RTT 40\.2\sms · /,
    );
    await drag(page, 0.4, 0.5);
    const during = await measured(page);
    assert.match(during, /^Dragged/);
    const amounts = (text) => /([\d.]+\s[kM]B) sent in ([\d,]+) segments/.exec(text).slice(1);
    await page.mouse.up();
    await counted(page);
    await page.waitForFunction(() => /^This stretch/.test(document.querySelector('.measure').textContent));
    const after = await measured(page);
    assert.match(after, /^This stretch/);
    assert.deepEqual(amounts(after), amounts(during));
    assert.ok((await page.locator('.measure-limits li').count()) > 0);
    // The shares refer to the stretch.
    const shares = (await page.locator('.measure-limits li').allTextContents()).map((text) =>
        Number(/([\d.]+)%$/.exec(text)?.[1]),
    );
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 1.5, `${shares}`);
    await done();
});

test('measuring: two cursors with Δt, Δ bytes and slope, moved, zoomed to, removed, in the address', async () => {
    const { page, done } = await open(report('send-buffer'), { height: 1300 });
    await page.click('.measuring');
    await settle(page);
    assert.equal(await page.getAttribute('.measuring', 'aria-pressed'), 'true');
    const whole = await status(page);
    const { x, y } = await drag(page, 0.4, 0.6);
    await page.mouse.up();
    await settle(page);
    assert.equal((await status(page)).split('   ')[0], whole.split('   ')[0], 'a drag zoomed');
    await counted(page);
    const text = await page.textContent('.measure-cursors');
    const [, time, bytes, slope] = /Δt ([\d.]+)\ss; Δ data ([\d.]+)\sMB, slope ([\d.]+)\sMbit\/s; Δ acknowledged/.exec(text);
    assert.ok(Math.abs((Number(bytes) * 8) / Number(time) - Number(slope)) < 0.02 * Number(slope), text);
    const address = await page.evaluate(() => location.hash);
    // The second cursor is dragged by its handle; the first stays.
    await page.mouse.move(x(0.6), y);
    await page.mouse.down();
    await page.mouse.move(x(0.55), y, { steps: 3 });
    await page.mouse.up();
    await settle(page);
    await counted(page);
    const [, milliseconds] = /Δt ([\d.]+)\sms/.exec(await page.textContent('.measure-cursors'));
    const shorter = Number(milliseconds) / 1000;
    assert.ok(Number(shorter) < Number(time) * 0.8 && Number(shorter) > Number(time) * 0.7, `${shorter} of ${time}`);
    await page.waitForTimeout(400);
    const marked = await page.evaluate(() => location.hash);
    assert.match(marked, /ab=2\.\d+-2\.\d+/, address);
    // Keys do the same.
    await page.focus('#charts');
    await page.keyboard.press('z');
    const zoomed = await addressTime(page, (one) => one !== null);
    assert.ok(Math.abs(zoomed[1] - zoomed[0] - Number(shorter)) < 0.02, `${zoomed}`);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.measure-cursors', { state: 'detached' });
    await page.keyboard.press('0');
    await page.keyboard.press('m');
    await settle(page);
    assert.equal(await page.getAttribute('.measuring', 'aria-pressed'), 'false');
    for (const key of ['Shift+ArrowRight', '[', 'Shift+ArrowRight', 'Shift+ArrowRight', ']']) await page.keyboard.press(key);
    await counted(page);
    assert.match(await page.textContent('.measure-cursors'), /^Δt 10\d\sms; Δ data/);
    await done();
    // A link restores both cursors, in the other language too.
    const linked = await open(report('send-buffer'), { hash: `${marked}&lang=zh-CN` });
    assert.match(await linked.page.textContent('.measure'), /A 到 B.*斜率/);
    assert.doesNotMatch(await linked.page.textContent('.measure'), /⟨|undefined|NaN/);
    await linked.done();
});

test('on a phone the numbers of a range take the place of the moment, and fit', async () => {
    const { page, done } = await open(report('send-buffer'), {
        width: 390,
        height: 844,
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: 2,
    });
    assert.equal(await page.locator('.measure').isVisible(), false);
    await page.locator('.measuring').tap();
    await settle(page);
    assert.equal(await page.locator('.measure').isVisible(), true);
    assert.equal(await page.locator('.why-here').isVisible(), false);
    const box = await stage(page, 'window');
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await touch('touchStart', [150, box.y + 80]);
    for (let x = 160; x <= 250; x += 10) await touch('touchMove', [x, box.y + 80]);
    await touch('touchEnd');
    await counted(page);
    assert.match(await page.textContent('.measure-cursors'), /^Δt 1\.\d+\ss/);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await done();
});

test('both directions in one sequence chart, on request', async () => {
    const { page, done } = await open(report('request-response'), { hash: '#t=0-0.5', height: 1300, colorScheme: 'light' });
    const brown = () =>
        page.evaluate(() => {
            const canvas = document.querySelector('.chart-sequence .base');
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let n = 0;
            for (let at = 0; at < data.length; at += 4)
                if (data[at] === 0x7d && data[at + 1] === 0x5a && data[at + 2] === 0x2e) n++;
            return n;
        });
    assert.equal(await brown(), 0);
    await page.click('.both');
    await settle(page);
    assert.ok((await brown()) > 100);
    assert.equal(await page.getAttribute('.both', 'aria-pressed'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'both');
    assert.match(await page.textContent('.chart-sequence figcaption'), /other direction/);
    await page.click('.both');
    await settle(page);
    assert.equal(await brown(), 0);
    await done();
});

test('every chart is saved as SVG and PNG', async () => {
    const { page, done } = await open(report('loss'), { hash: '#t=3.2-4.2', height: 2400 });
    const save = async (chart, format) => {
        const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.click(`.chart-${chart} .export[data-format="${format}"]`),
        ]);
        return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    for (const chart of ['sequence', 'window', 'rtt', 'throughput', 'resent']) {
        const { name, bytes } = await save(chart, 'svg');
        assert.match(name, new RegExp(`^tcpwhy-c0-[01]-${chart}\\.svg$`));
        const text = bytes.toString('utf8');
        const problem = await page.evaluate(
            (svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')?.textContent ?? null,
            text,
        );
        assert.equal(problem, null);
        assert.match(text, /192\.0\.2\.10:5001 → 198\.51\.100\.20/);
        assert.match(text, /3\.2000? s to 4\.2000? s/);
        const drawn = [...text.matchAll(/ d="([^"]*)"/g)].reduce((sum, [, path]) => sum + path.length, 0);
        assert.ok(drawn > (chart === 'resent' ? 100 : 2000), `${chart} has next to nothing in it`);
        assert.doesNotMatch(text, /NaN|undefined|⟨/);
    }
    const { name, bytes } = await save('sequence', 'png');
    assert.match(name, /sequence\.png$/);
    assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const width = await page.$eval('.chart-sequence .stage', (stage) => stage.clientWidth);
    assert.equal(bytes.readUInt32BE(16), 2 * width, 'twice as wide as the chart');
    await done();
});

test('packets are searched and filtered, and the list stays linked with the charts', async () => {
    const { page, done } = await open(report('loss'), { height: 1600 });
    const found = async () => page.textContent('#packets .go-form [role="status"] >> nth=0');
    await page.fill('#packet-filter', 'retransmission_fast');
    assert.match(await found(), /^31 of [\d,]+$/);
    const whats = await page.locator('.packet:not(.packet-head) .cell-what').allTextContents();
    assert.ok(whats.length > 5 && whats.every((text) => text === 'fast retransmit'), `${whats}`);
    // What is seen is found too, and comparisons go with words.
    await page.fill('#packet-filter', 'fast retransmit time<2 len>0');
    const times = (await page.locator('.packet:not(.packet-head) .cell-time').allTextContents()).map(Number);
    assert.ok(times.length > 0 && times.every((time) => time < 2), `${times}`);
    await page.focus('.packet-table .scroller');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await settle(page);
    assert.equal(Number(await page.textContent('.packet.is-current .cell-time')), times[1]);
    assert.match(await status(page), new RegExp(`at ${times[1].toFixed(2).slice(0, -1)}`));
    await page.fill('#packet-filter', 'syn ←');
    assert.match(await found(), /^[12] of/);
    await page.fill('#packet-filter', 'no such thing');
    assert.equal(await page.locator('.packet:not(.packet-head)').count(), 0);
    assert.equal(await page.locator('text=No packet fits.').isVisible(), true);
    await page.fill('#packet-filter', '');
    assert.equal(await found(), '');
    await done();
    // In Chinese the name of a retransmission is part of a limit's.
    const chinese = await open(report('loss'), { hash: '#lang=zh-CN' });
    await chinese.page.fill('#packet-filter', '重传');
    assert.match(await chinese.page.textContent('#packets .go-form [role="status"] >> nth=0'), /^31 \/ /);
    await chinese.done();
});

/** A report of a sample in which `n` limits take turns of the same length. */
function withLimits(name, n) {
    const value = data(name);
    const causes = value.limits.map((_, index) => value.causes.findIndex(({ limit }) => limit === index));
    const found = causes.filter((cause) => cause >= 0).slice(0, n);
    assert.equal(found.length, n);
    const column = (type, array) => `${type}:${Buffer.from(array.buffer).toString('base64')}`;
    const [chart] = value.charts;
    for (const half of chart.halves) {
        half.timeline = {
            rows: n,
            t: column(
                'f64',
                Float64Array.from(found, (_, i) => (i * chart.duration_s) / n),
            ),
            cause: column('u8', Uint8Array.from(found)),
            confidence: column('u8', new Uint8Array(n).fill(90)),
            reason: column('u8', new Uint8Array(n)),
            values: [],
            is_coarsened: false,
        };
    }
    return value;
}

test('at the usual width all limits of a stretch are in sight', async () => {
    const path = write('limits', withLimits('send-buffer', 8));
    for (const hash of ['#lang=en', '#lang=zh-CN']) {
        const { page, done } = await open(path, { width: 1440, height: 900, hash });
        await counted(page);
        assert.equal(await page.locator('.measure-limits li').count(), 8);
        const readout = page.locator('.measure');
        const [all, shown] = await readout.evaluate((e) => [e.scrollHeight, e.clientHeight]);
        assert.ok(all <= shown, `${hash}: ${all} px of ${shown}`);
        await done();
    }
});
