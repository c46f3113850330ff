// Zoom, linked hover, limits, keys, touch, links, language and theme.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addressTime, close, columnsWith, cursorTime, data, open, report, settle, stage, status, write } from './lib.mjs';

after(close);

const sample = report('send-buffer');

test('a drag zooms all charts, a double click shows all again', async () => {
    const { page, done } = await open(sample);
    const whole = await status(page);
    const box = await stage(page, 'sequence');
    const y = box.y + 100;
    await page.mouse.move(box.x + 400, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, y, { steps: 4 });
    await page.mouse.up();
    const time = await addressTime(page, (one) => one !== null);
    assert.ok(time && time[1] - time[0] > 0.2 && time[1] - time[0] < 0.8, `${time}`);
    assert.notEqual(await status(page), whole);
    await page.mouse.dblclick(box.x + 600, y);
    assert.equal(await addressTime(page, (one) => one === null), null);
    assert.equal((await status(page)).split('   ')[0], whole.split('   ')[0]);
    await done();
});

test('hover shows one instant in all charts, with values', async () => {
    const { page, done } = await open(sample, { height: 2600 });
    const box = await stage(page, 'window');
    const x = Math.round(box.width / 2);
    await page.mouse.move(box.x + x, box.y + 60);
    await settle(page);
    for (const chart of ['strip', 'sequence', 'window', 'rtt', 'throughput']) {
        const columns = await columnsWith(page, chart, 'over', 'cursor');
        assert.ok(columns.length > 0 && columns.every((column) => Math.abs(column - x) < 8), `${chart}: ${columns}`);
    }
    const values = await page.locator('.panels .value').allTextContents();
    assert.ok(values.filter((text) => /\d/.test(text)).length >= 6, `${values}`);
    assert.match(await page.textContent('[data-key="flight"]'), /^(2\d\.\d|3\d\.\d) kB$/);
    assert.match(await status(page), /at 2\.\d+ s: send buffer/);
    // When the pointer leaves, the values disappear.
    await page.mouse.move(5, 5);
    await settle(page);
    assert.equal(await page.textContent('[data-key="flight"]'), '');
    await done();
});

test('a limit is highlighted and its spans are visited', async () => {
    const { page, done } = await open(sample);
    await page.click('.bars [data-limit="idle"]');
    await settle(page);
    assert.equal(await page.getAttribute('.bars [data-limit="idle"]', 'aria-pressed'), 'true');
    const cursors = [];
    for (let i = 0; i < 3; i++) {
        await page.keyboard.press('n');
        await settle(page);
        const text = await status(page);
        assert.match(text, /: application: idle/);
        cursors.push(Number(/at ([\d.]+) s/.exec(text)[1]));
    }
    assert.ok(cursors[0] < cursors[1] && cursors[1] < cursors[2], `${cursors}`);
    await page.keyboard.press('p');
    await settle(page);
    assert.equal((await cursorTime(page)).toFixed(3), cursors[1].toFixed(3));
    await page.waitForTimeout(350);
    assert.match(await page.evaluate(() => location.hash), /limit=idle/);
    await page.click('.bars [data-limit="idle"]');
    await settle(page);
    assert.equal(await page.getAttribute('.bars [data-limit="idle"]', 'aria-pressed'), 'false');
    await done();
});

test('a click on the strip chooses the limit there', async () => {
    const { page, done } = await open(sample);
    const box = await stage(page, 'strip');
    await page.mouse.click(box.x + box.width / 2, box.y + 12);
    await settle(page);
    assert.equal(await page.getAttribute('.bars [data-limit="send_buffer"]', 'aria-pressed'), 'true');
    await done();
});

test('keys zoom, pan and reset', async () => {
    const { page, done } = await open(sample);
    await page.focus('#charts');
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    const zoomed = await addressTime(page, (time) => time && time[1] - time[0] < 2);
    assert.ok(Math.abs(zoomed[1] - zoomed[0] - 5.09 / 4) < 0.02, `${zoomed}`);
    await page.keyboard.press('ArrowRight');
    const moved = await addressTime(page, (time) => time[0] > zoomed[0]);
    assert.ok(moved[0] > zoomed[0] && Math.abs(moved[1] - moved[0] - (zoomed[1] - zoomed[0])) < 0.002);
    await page.keyboard.press('0');
    assert.equal(await addressTime(page, (time) => time === null), null);
    // Keys typed into a field do not reach the charts.
    await page.fill('#go-to-packet', '1');
    await page.press('#go-to-packet', '+');
    assert.equal(await addressTime(page), null);
    await done();
});

test('the wheel zooms with Ctrl and moves with Shift; alone it scrolls the page until a chart was clicked', async () => {
    const { page, done } = await open(sample);
    // Near the bottom of the chart: its top is below the sticky readouts once the page has scrolled.
    const near = ({ x, y, height }) => [x + 500, y + height - 60];
    await page.mouse.move(...near(await stage(page, 'sequence')));
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 100);
    // Scrolls to the end, because otherwise the chart would move under the pointer.
    await page.waitForFunction((y) => scrollY === y + 100, before);
    assert.equal(await addressTime(page), null);
    const chart = near(await stage(page, 'sequence'));
    await page.mouse.move(...chart);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    const zoomed = await addressTime(page, (time) => time && time[1] - time[0] < 3);
    assert.ok(zoomed && zoomed[1] - zoomed[0] < 3, `${zoomed}`);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 200);
    await page.keyboard.up('Shift');
    const moved = await addressTime(page, (time) => time[0] > zoomed[0]);
    assert.ok(moved[0] > zoomed[0]);
    await page.mouse.click(...chart);
    await page.mouse.wheel(0, -400);
    const closer = await addressTime(page, (time) => time[1] - time[0] < moved[1] - moved[0]);
    assert.ok(closer[1] - closer[0] < moved[1] - moved[0]);
    await done();
});

test('a link restores the view', async () => {
    const { page, done } = await open(sample, { hash: '#c0&t=1.2-1.4&limit=send_buffer&lang=zh-CN&theme=dark' });
    assert.match(await status(page), /^1\.2\d* 秒 ~ 1\.4\d* 秒/);
    assert.equal(await page.getAttribute('html', 'lang'), 'zh-CN');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    assert.equal(await page.getAttribute('.bars [data-limit="send_buffer"]', 'aria-pressed'), 'true');
    // The view follows a change of the address.
    await page.evaluate(() => (location.hash = '#t=2-3&lang=en'));
    await page.waitForFunction(() => /^2\.0/.test(document.querySelector('.strip-head .where')?.textContent ?? ''));
    await done();
});

test('language and theme switch and keep the view', async () => {
    const { page, done } = await open(sample, { hash: '#t=1.2-1.4', colorScheme: 'light' });
    assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
    await page.selectOption('#language', 'zh-CN');
    await settle(page);
    assert.match(await page.textContent('h1'), /套接字缓冲区/);
    assert.match(await page.textContent('.chart-window h2'), /窗口/);
    assert.match(await status(page), /^1\.2\d* 秒/);
    await page.click('.theme');
    await settle(page);
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    assert.match(await status(page), /^1\.2\d* 秒/);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.match(ground, /rgb\(1\d, 1\d, 2\d\)/);
    await page.waitForTimeout(350);
    assert.match(await page.evaluate(() => location.hash), /t=1\.2-1\.4.*lang=zh-CN.*theme=dark/);
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /⟨|undefined|NaN/);
    await done();
});

test('the system chooses the theme until the reader does', async () => {
    const { page, done } = await open(sample, { colorScheme: 'dark' });
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
    await done();
});

test('packets: the list follows the cursor, the cursor follows the list', async () => {
    const { page, done } = await open(sample, { height: 2600 });
    const first = page.locator('.packet:not(.packet-head)').first();
    assert.match(await first.textContent(), /^1\D*0\.000000/);
    const box = await stage(page, 'sequence');
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await settle(page);
    await settle(page);
    const current = await page.textContent('.packet.is-current .cell-time');
    const cursor = await cursorTime(page);
    assert.ok(Math.abs(Number(current) - cursor) < 0.02, `${current} and ${cursor}`);
    const rows = await page.locator('.packet').count();
    assert.ok(rows < 60, `${rows} rows exist`);
    // The page scrolls to the field. A pointer over a chart would leave it then, and remove the cursor.
    await page.mouse.move(1, 1);
    await settle(page);
    await page.fill('#go-to-packet', '2,000');
    await page.press('#go-to-packet', 'Enter');
    await settle(page);
    assert.equal(await page.textContent('.packet.is-current .cell-number'), '2,000');
    assert.equal(Number(await page.textContent('.packet.is-current .cell-time')).toFixed(2), (await cursorTime(page)).toFixed(2));
    await page.focus('.packet-table .scroller');
    await page.keyboard.press('ArrowDown');
    await settle(page);
    assert.equal(await page.textContent('.packet.is-current .cell-number'), '2,001');
    await page.fill('#go-to-packet', '99999999');
    await page.press('#go-to-packet', 'Enter');
    assert.match(await page.textContent('form.go-form [role="status"]'), /not in/);
    await done();
});

test('a line to change is copied', async () => {
    const { page, done } = await open(sample, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('.copy >> nth=0');
    await page.waitForFunction(() => document.querySelector('.copy')?.textContent === 'copied');
    const line = await page.textContent('.lines code >> nth=0');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), line);
    await done();
});

test('help opens with ? and closes with Escape', async () => {
    const { page, done } = await open(sample);
    await page.keyboard.press('?');
    assert.equal(await page.locator('dialog[open] h2').count(), 1);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog[open]').count(), 0);
    await done();
});

test('on a phone: nothing is wider than the screen, a finger pans, two pinch', async () => {
    const { page, done } = await open(sample, {
        width: 390,
        height: 844,
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: 2,
        hash: '#t=1-2',
    });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    // Order: the answer, the chart that proves it, the fixes; the other charts appear on request.
    const tops = await page.$$eval('#answer, .what, #charts, #where-time-went', (all) =>
        Object.fromEntries(all.map((one) => [one.id || one.className, one.getBoundingClientRect().top])),
    );
    const [answer, what, charts, where] = ['answer', 'card what', 'charts', 'where-time-went'].map((name) => tops[name]);
    assert.ok(answer < charts && charts < what && what < where, JSON.stringify(tops));
    assert.equal(await page.locator('.chart-sequence').isVisible(), false);
    const box = await stage(page, 'window');
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const y = box.y + 100;
    await touch('touchStart', [250, y]);
    for (let x = 240; x >= 150; x -= 10) await touch('touchMove', [x, y]);
    await touch('touchEnd');
    const moved = await addressTime(page, (time) => time[0] > 1.1);
    assert.ok(moved[0] > 1.1 && Math.abs(moved[1] - moved[0] - 1) < 0.01, `${moved}`);
    await touch('touchStart', [180, y], [220, y]);
    for (let by = 5; by <= 60; by += 5) await touch('touchMove', [180 - by, y], [220 + by, y]);
    await touch('touchEnd');
    const pinched = await addressTime(page, (time) => time[1] - time[0] < 0.5);
    assert.ok(pinched[1] - pinched[0] < 0.5, `${pinched}`);
    await page.click('.more-charts');
    assert.equal(await page.locator('.chart-sequence').isVisible(), true);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await done();
});

test('on a phone nothing is wider than the screen with all details open', async () => {
    for (const name of ['syn-retry', 'request-response', 'several'])
        for (const lang of ['en', 'zh-CN']) {
            const { page, done } = await open(report(name), { width: 390, height: 844, hash: `#lang=${lang}` });
            await page.$$eval('main details', (all) => {
                for (const one of all) one.open = true;
            });
            await settle(page);
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, `${name} ${lang}`);
            await done();
        }
});

test('printed, it is light and without controls', async () => {
    const { page, done } = await open(sample);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.chart-tools').isVisible(), false);
    assert.equal(await page.locator('h1').isVisible(), true);
    await done();
    const dark = await open(sample, { colorScheme: 'dark' });
    const ground = () =>
        dark.page.evaluate(() => [
            ...document.querySelector('.chart-throughput .base').getContext('2d').getImageData(3, 3, 1, 1).data,
        ]);
    await dark.page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.deepEqual(await ground(), [255, 255, 255, 255]);
    assert.equal(await dark.page.getAttribute('html', 'data-theme'), 'light');
    await dark.page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.deepEqual((await ground())[0] < 60, true);
    await dark.done();
});

test('the chart that proves the answer is on the first screen, and nothing moves under the pointer', async () => {
    const { page, done } = await open(sample, { width: 1440, height: 900 });
    const box = await stage(page, 'window');
    assert.ok(box.y < 400 && box.height >= 320 && box.y + box.height <= 900, JSON.stringify(box));
    const top = (selector) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
    const places = async () => Promise.all(['.chart-window .stage', '.what', '.findings', '.chart-sequence'].map(top));
    const before = await places();
    assert.deepEqual([...before].sort((a, b) => a - b)[0], before[0], 'the picture first');
    assert.ok(before[3] > before[1], 'the other charts below what to change');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await settle(page);
    assert.match(await page.textContent('.chart-window .keys-of-chart'), /kB/);
    assert.deepEqual(await places(), before);
    // The reasons are in a drawer, which stays open after a change of direction.
    assert.equal(await page.locator('.why-here').isVisible(), false);
    await page.click('.why-toggle');
    assert.equal(await page.locator('.why-here').isVisible(), true);
    assert.equal(await page.getAttribute('.why-toggle', 'aria-expanded'), 'true');
    await done();
});

test('why here: pointer and keys tell what decided a moment, in both languages', async () => {
    const { page, done } = await open(sample);
    const readout = () => page.textContent('.why-here');
    // Before the reader points at an instant: the longest interval of the answer's limit.
    assert.match(await readout(), /send buffer.*ACKs made room/);
    const box = await stage(page, 'strip');
    await page.mouse.move(box.x + box.width / 2, box.y + 12);
    await settle(page);
    assert.equal(await page.getAttribute('.why-reason', 'data-reason'), 'room_left_unused');
    const told = await readout();
    assert.match(told, /send buffer, \d\.\d{6}\ss to \d\.\d{6}\ss \([\d.]+\sm?s\), confidence \d+%/);
    assert.match(told, /ACKs made room/);
    assert.match(told, /in flight (2\d\.\d|3\d\.\d)\skB; receive window 193\skB/);
    // The text stays after the pointer has left, and equals the output of tcpwhy --why.
    await page.mouse.move(5, 5);
    await settle(page);
    assert.equal(await readout(), told);
    // Keys reach every instant as well.
    await page.evaluate(() => (location.hash = '#t=0-0.4'));
    await page.waitForFunction(() => /^0\.0/.test(document.querySelector('.strip-head .where')?.textContent ?? ''));
    await settle(page);
    await page.focus('#charts');
    const seen = new Set();
    for (let i = 0; i < 40; i++) {
        await page.keyboard.press('Shift+ArrowLeft');
        await settle(page);
        seen.add(await page.getAttribute('.why-reason', 'data-reason'));
    }
    assert.ok(seen.has('room_left_unused') && seen.has('flight_opens'), `${[...seen]}`);
    await page.keyboard.press('0');
    await page.selectOption('#language', 'zh-CN');
    await settle(page);
    const strip = await stage(page, 'strip');
    await page.mouse.move(strip.x + strip.width / 2, strip.y + 12);
    await settle(page);
    assert.match(await readout(), /此刻为何受限？B\s发送缓冲区，.*置信度 \d+%ACK 一再腾出余量/);
    assert.doesNotMatch(await readout(), /⟨|undefined|NaN/);
    await done();
});

test('why here: what else it could be', async () => {
    const { page, done } = await open(report('send-buffer-receiver-side'));
    await page.focus('#charts');
    const others = new Set();
    for (let i = 0; i < 100; i++) {
        await page.keyboard.press(i < 50 ? 'Shift+ArrowRight' : 'Shift+ArrowLeft');
        await settle(page);
        const other = page.locator('.why-other');
        if ((await other.count()) > 0) others.add(await other.textContent());
    }
    for (const text of others) assert.match(text, /^Possibly the .* instead; .* would settle it\. /);
    await done();
});

test('the chart that proves the cause comes first, with a sentence on it', async () => {
    for (const [name, chart] of [
        ['send-buffer', 'window'],
        ['receive-window', 'window'],
        ['loss', 'sequence'],
        ['path-queue', 'rtt'],
        ['request-response', 'lanes'],
    ]) {
        const { page, done } = await open(report(name));
        const first = page.locator('.panels > .chart').first();
        assert.equal(await first.getAttribute('data-chart'), chart, name);
        assert.ok((await first.getAttribute('class')).includes('is-lead'), name);
        const heights = await page.$$eval('.panels > .chart .stage', (all) => all.map((one) => one.clientHeight));
        if (chart !== 'lanes') assert.equal(heights[0], Math.max(...heights), `${name}: ${heights}`);
        // Screen readers get the numbers of the chart.
        assert.match(await first.locator('canvas.base').getAttribute('aria-label'), /\d/, name);
        await done();
    }
});

test('a fix shows the lines of one language, the one that was chosen last', async () => {
    const { page, done } = await open(sample);
    const lines = () => page.locator('.what .fix').first().locator('.lines code').allTextContents();
    assert.equal((await lines()).length, 1);
    await page.click('.what [data-program="java"] >> nth=0');
    const java = await lines();
    assert.ok(java.length >= 1 && java.every((line) => /Java|Netty/.test(line)), `${java}`);
    // The other fixes show the same language.
    const pressed = await page.$$eval('.tab[aria-checked="true"]', (all) => all.map((one) => one.dataset.program));
    assert.ok(pressed.length >= 2 && pressed.every((program) => program === 'java'), `${pressed}`);
    await page.reload();
    await page.waitForSelector('.what .tab');
    assert.deepEqual(await lines(), java);
    await done();
});

test('the languages of a fix are one stop of the Tab key, and arrows choose', async () => {
    const { page, done } = await open(sample);
    const group = page.locator('.what [role="radiogroup"]').first();
    const programs = await group.locator('.tab').evaluateAll((all) => all.map((one) => one.dataset.program));
    const chosen = () => group.locator('[aria-checked="true"]').getAttribute('data-program');
    assert.equal(await group.locator('.tab[tabindex="0"]').count(), 1);
    await group.locator('.tab[tabindex="0"]').focus();
    const focused = () => page.evaluate(() => document.activeElement.dataset.program);
    await page.keyboard.press('Home');
    assert.deepEqual([await chosen(), await focused()], [programs[0], programs[0]]);
    await page.keyboard.press('ArrowRight');
    assert.deepEqual([await chosen(), await focused()], [programs[1], programs[1]]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.deepEqual([await chosen(), await focused()], [programs.at(-1), programs.at(-1)]);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.closest('[role="radiogroup"]')), null);
    // The charts did not handle the arrow keys.
    assert.equal(await page.evaluate(() => location.hash.includes('t=')), false);
    await done();
});

test('fixes have the numbers of the terminal', async () => {
    const { page, done } = await open(sample);
    const titles = await page.$$eval('.what .fix', (all) => all.map((one) => one.querySelector('strong')?.textContent));
    const numbers = ['Fix 1 of 4: ', 'Or fix 2 of 4: ', 'Fix 3 of 4: ', 'Fix 4 of 4: '];
    assert.deepEqual(titles, numbers);
    await done();
});

test('time after the last data is named, and not what is shown first', async () => {
    const value = data('send-buffer');
    const [chart] = value.charts;
    chart.duration_s = 60;
    for (const document of Object.values(value.documents)) {
        document.connections[0].duration_s = 60;
        document.connections[0].ending = 'reset_by_0';
    }
    const { page, done } = await open(write('silence', value));
    assert.match(
        await page.textContent('.after'),
        /^after the last data: 54\.\d s without new data.*then reset by 198\.51\.100\.20:46280$/,
    );
    assert.match(await status(page), /^0\.0\d* s to 5\.\d+ s/);
    await page.click('.chart-tools [title="−"]');
    await page.click('.chart-tools [title="−"]');
    await page.focus('#charts');
    await page.keyboard.press('0');
    await page.keyboard.press('0');
    await settle(page);
    assert.match(await status(page), /to 60\.\d* s/);
    await done();
});
