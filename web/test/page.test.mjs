// The page as people use it: files in, report out, no requests.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { close, explain, open, page as path, report, sample } from './lib.mjs';

after(close);

const axe = readFileSync(
    createRequire(new URL('../../viewer/package.json', import.meta.url)).resolve('axe-core/axe.min.js'),
    'utf8',
);

async function findsNothingSerious(page) {
    await page.evaluate(axe);
    const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document));
    assert.ok(passes.length > 10, 'axe did not run');
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    assert.deepEqual(
        serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`),
        [],
    );
}

/** Whether an element of a picture has a size. */
function isDrawn(page, selector) {
    return page.$eval(selector, (element) => {
        const { width, height } = element.getBoundingClientRect();
        return width > 100 && height > 3;
    });
}

async function fits(page) {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
}

test('a capture from disk is explained, and its charts come with a second look', async () => {
    const { page, done } = await open();
    await explain(page, [sample('nagle-delayed-ack')]);
    await page.waitForSelector('.chart-sequence canvas');
    assert.match(await page.textContent('main'), /Nagle/);
    assert.equal(await page.title(), 'nagle-delayed-ack.pcap.gz – tcpwhy');
    await page.click('.web-again');
    await page.waitForSelector('#choose');
    await done();
});

test('several captures make an overview; a connection opens and closes', async () => {
    const { page, done } = await open();
    await explain(page, ['loss', 'policer', 'slow-reader'].map(sample));
    assert.match(await page.textContent('h1'), /3/);
    await page.click('.connection a');
    await page.waitForSelector('.chart-sequence canvas');
    await page.click('.back');
    await page.waitForSelector('#overview');
    await page.selectOption('#language', 'zh-CN');
    assert.match(await page.textContent('.web-again'), /其他抓包/);
    await done();
});

test('two captures are compared; each can be explained alone', async () => {
    const { page, done } = await open();
    await explain(page, ['loss', 'send-buffer'].map(sample));
    await page.waitForSelector('#compare .beside canvas, #compare canvas');
    assert.match(await page.textContent('#compare .taken'), /A: loss\.pcap\.gz,.*4\.00.*B: send-buffer\.pcap\.gz,.*6\.00/);
    await page.click('.web-other-way');
    await page.waitForSelector('#overview');
    assert.match(await page.textContent('h1'), /2/);
    await page.click('.web-other-way');
    await page.waitForSelector('#compare');
    await page.selectOption('#language', 'zh-CN');
    assert.match(await page.textContent('.web-other-way'), /分别分析/);
    await done();
});

test('Back and Forward never drop the captures', async () => {
    const { page, done } = await open();
    await explain(page, ['loss', 'policer', 'slow-reader'].map(sample));
    await page.fill('#search', 'port:');
    await page.fill('#search', '192.0.2');
    await page.waitForTimeout(350);
    await page.click('.connection a >> nth=0');
    await page.waitForSelector('.chart-sequence canvas');
    await page.goBack();
    await page.waitForSelector('#overview');
    assert.equal(await page.inputValue('#search'), '192.0.2');
    // From the list, Back leads to the start page, and Forward to the same list.
    await page.goBack();
    await page.waitForSelector('#choose');
    await page.goForward();
    await page.waitForSelector('#overview');
    assert.equal(await page.inputValue('#search'), '192.0.2');
    await page.click('.connection a >> nth=1');
    await page.waitForSelector('.chart-sequence canvas');
    assert.match(await page.textContent('.web-bar'), /JSON/);
    await done();
});

test('captures of one connection are merged when that is asked for', async () => {
    const { page, done } = await open();
    await explain(page, ['receive-window', 'receive-window'].map(sample), { isMerged: true });
    await page.waitForSelector('.chart-sequence canvas');
    await done();
});

test('the samples of the page are explained without any file', async () => {
    const { page, done } = await open({ locale: 'zh-CN' });
    assert.match(await page.textContent('h1'), /是什么/);
    const samples = await page.locator('.web-sample').count();
    assert.ok(samples >= 8);
    for (let i = 0; i < samples; i++) {
        await page.locator('.web-sample').nth(i).click();
        await page.waitForSelector(report);
        await page.click('.web-again');
        await page.waitForSelector('#choose');
    }
    await done();
});

test('what is no capture is refused with a line, and the page goes on', async () => {
    const { page, done } = await open();
    await explain(page, [
        { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('this is not a capture, whatever its name says\n') },
    ]);
    assert.match(await page.textContent('[role=alert]'), /note\.txt/);
    await explain(page, [
        sample('loss'),
        { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('this is not a capture, whatever its name says\n') },
    ]);
    await page.waitForSelector('.web-notes');
    assert.match(await page.textContent('.web-notes'), /note\.txt/);
    await done();
});

test('names from outside are text', async () => {
    const { page, done } = await open();
    const hostile = { ...sample('loss'), name: '<img src=x onerror=alert(1)>\u202e.pcap' };
    await explain(page, [hostile]);
    await page.waitForSelector('.chart-sequence canvas');
    assert.equal(await page.locator('img').count(), 0);
    await done();
});

test('the start page shows a real answer before there is a capture', async () => {
    const { page, done } = await open();
    const preview = await page.textContent('.web-preview');
    assert.match(preview, /4\.99\ss of 5\.09\ss \(98%\)/);
    assert.match(preview, /SO_SNDBUF/);
    assert.match(await page.getAttribute('.web-preview .web-curves', 'aria-label'), /193 kB/);
    assert.ok(await isDrawn(page, '.web-preview .web-curve-flight'));
    // The numbers equal those of the report.
    await page.click('.web-open');
    await page.waitForSelector(report);
    assert.match(await page.textContent('main'), /4\.99\ss of 5\.09\ss \(98%\)/);
    await page.click('.web-again');
    await page.selectOption('#web-language', 'zh-CN');
    assert.match(await page.textContent('.web-preview'), /5\.09\s秒.*4\.99\s秒（98%）/);
    await done();
});

test('every sample has its own picture, and says what it shows', async () => {
    const { page, done } = await open();
    const cards = await page.locator('.web-sample').count();
    const paths = await page
        .locator('.web-sample .web-curve-flight')
        .evaluateAll((all) => all.map((path) => path.getAttribute('d')));
    assert.equal(new Set(paths).size, cards);
    for (let i = 0; i < cards; i++) {
        const card = page.locator('.web-sample').nth(i);
        assert.ok((await card.locator('.web-strip > .limit').count()) > 0);
        assert.match(await card.locator('.web-sample-cause').textContent(), /[a-zK] \d+%$/);
        assert.ok((await card.locator('.web-sample-shows').textContent()).length > 20);
    }
    // A limit has its colour on light and dark background.
    const colour = () => page.$eval('.web-sample .badge', (badge) => getComputedStyle(badge).backgroundColor);
    const light = await colour();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    assert.notEqual(await colour(), light);
    await done();
});

test('the drop zone reacts while files are over the page, and only then', async () => {
    const { page, done } = await open();
    const look = () =>
        page.$eval('.web-drop', (zone) => {
            const { backgroundColor, borderTopColor, borderTopStyle } = getComputedStyle(zone);
            return { text: zone.innerText, style: [backgroundColor, borderTopColor, borderTopStyle].join() };
        });
    const settled = () =>
        page.waitForFunction(() => document.querySelector('.web-drop').getAnimations({ subtree: true }).length === 0);
    const drag = (type, name) =>
        page.evaluate(
            ([kind, file]) => {
                const data = new DataTransfer();
                if (file) data.items.add(new File(['x'], file));
                else data.setData('text/plain', 'text of the page');
                document
                    .querySelector('footer')
                    .dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
            },
            [type, name],
        );
    const before = await look();
    assert.match(before.text, /Drop captures here/);
    await drag('dragenter', null);
    assert.deepEqual(await look(), before, 'text that is dragged is no capture');
    await drag('dragenter', 'a.pcap');
    await settled();
    const during = await look();
    assert.match(during.text, /starts at once/);
    assert.doesNotMatch(during.text, /Drop captures here/);
    assert.notEqual(during.style, before.style);
    await findsNothingSerious(page);
    await drag('dragleave', 'a.pcap');
    await settled();
    assert.deepEqual(await look(), before);
    // The overlay also appears above a report.
    await explain(page, [sample('loss')]);
    await page.waitForSelector('.chart-sequence canvas');
    assert.equal(await page.isVisible('.web-veil'), false);
    await drag('dragenter', 'a.pcap');
    assert.match(await page.innerText('.web-veil'), /starts at once/);
    await drag('dragleave', 'a.pcap');
    assert.equal(await page.isVisible('.web-veil'), false);
    await done();
});

test('a folder is refused politely, and files beside it are explained', async () => {
    const { page, done } = await open();
    const bytes = sample('loss').buffer.toString('base64');
    const drop = (withFile) =>
        page.evaluate(
            ([text, isFile]) => {
                const data = new DataTransfer();
                data.items.add(new File([], 'captures'));
                if (isFile) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], 'dropped.pcap.gz'));
                // A page cannot create a folder: here the first item claims to be one.
                let asked = 0;
                DataTransferItem.prototype.webkitGetAsEntry = () => ({ isDirectory: asked++ === 0, name: 'captures' });
                window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
            },
            [bytes, withFile],
        );
    await drop(false);
    assert.match(await page.textContent('.notice[role=alert]'), /captures is a folder\. Drop the capture files/);
    await drop(true);
    await page.waitForSelector('.chart-sequence canvas');
    assert.match(await page.textContent('.web-notes'), /captures is a folder/);
    await done();
});

test('files are shown by name, never by a path of this machine', async () => {
    const { page, done } = await open();
    const bytes = sample('loss').buffer.toString('base64');
    const drop = (text, name) =>
        page.evaluate(
            ([content, file]) => {
                const data = new DataTransfer();
                // Browsers remove folders from a name; this simulates one that does not.
                const given = new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], 'x');
                Object.defineProperty(File.prototype, 'name', { configurable: true, get: () => file });
                data.items.add(given);
                window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
            },
            [text, name],
        );
    for (const name of ['/home/someone/secret/slow.pcap.gz', 'C:\\Users\\someone\\secret\\slow.pcap.gz']) {
        await drop(bytes, name);
        await page.waitForSelector('.chart-sequence canvas');
        assert.equal(await page.title(), 'slow.pcap.gz – tcpwhy');
        assert.doesNotMatch(await page.content(), /someone|secret/);
        const [download] = await Promise.all([page.waitForEvent('download'), page.click('.web-save')]);
        assert.equal(download.suggestedFilename(), 'slow.pcap.gz.json');
        assert.doesNotMatch(readFileSync(await download.path(), 'utf8'), /someone|secret/);
        await page.click('.web-again');
        await drop(Buffer.from('this is not a capture, whatever its name says\n').toString('base64'), name);
        await page.waitForSelector('.notice[role=alert]');
        assert.match(await page.textContent('.notice[role=alert]'), /slow\.pcap\.gz/);
        assert.doesNotMatch(await page.content(), /someone|secret/);
    }
    await done();
});

test('files that are dropped anywhere are explained', async () => {
    const { page, done } = await open();
    const bytes = sample('loss').buffer.toString('base64');
    const drop = await page.evaluateHandle((text) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], 'dropped.pcap.gz'));
        return data;
    }, bytes);
    await page.dispatchEvent('footer', 'dragover', { dataTransfer: drop });
    await page.dispatchEvent('footer', 'drop', { dataTransfer: drop });
    await page.waitForSelector('.chart-sequence canvas');
    await done();
});

test('the keyboard is enough', async () => {
    const { page, done } = await open();
    for (let i = 0; i < 20 && !(await page.evaluate(() => document.activeElement?.classList.contains('web-sample'))); i++)
        await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chart-sequence canvas');
    await page.focus('.web-again');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#choose');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'choose');
    await done();
});

test('a long reading shows how far it is where the files were dropped, and can be cancelled', async () => {
    const { page, done } = await open();
    const place = () => page.$eval('.web-drop', (zone) => zone.getBoundingClientRect().toJSON());
    const before = await place();
    // Segments without payload from many ports: slow to read, and only in the browser's memory.
    await page.evaluate(() => {
        const head = new Uint32Array([0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1]);
        const record = new Uint8Array(16 + 60);
        const fields = new DataView(record.buffer);
        fields.setUint32(8, 60, true);
        fields.setUint32(12, 60, true);
        fields.setUint16(16 + 12, 0x0800);
        record[16 + 14] = 0x45;
        record[16 + 14 + 3] = 46;
        record[16 + 14 + 9] = 6;
        record[16 + 34 + 12] = 0x50;
        record[16 + 34 + 13] = 0x10;
        const many = 50_000;
        const block = new Uint8Array(many * record.length);
        for (let at = 0; at < block.length; at += record.length) {
            fields.setUint16(16 + 34, 1024 + ((at / record.length) % 300));
            block.set(record, at);
        }
        const data = new DataTransfer();
        data.items.add(new File([head, ...Array.from({ length: 60 }, () => block)], 'long.pcap'));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    await page.waitForFunction(() =>
        /Packets: [\d,]+\. Connections: 300\./.test(document.querySelector('.web-seen')?.textContent ?? ''),
    );
    assert.match(await page.textContent('.web-read'), /^[\d.]+ MB of 228 MB$/);
    assert.match(await page.textContent('.web-reading-what'), /long\.pcap/);
    const during = await place();
    assert.ok(Math.abs(during.top - before.top) < 2 && Math.abs(during.left - before.left) < 2, 'it is elsewhere');
    assert.equal(await page.locator('.web-drop progress').count(), 1);
    assert.equal(await page.locator('#choose').count(), 0, 'the zone is still there');
    const value = () => page.$eval('.web-drop progress', (bar) => bar.value / bar.max);
    const first = await value();
    await page.selectOption('#web-language', 'zh-CN');
    await page.selectOption('#web-language', 'en');
    await page.waitForFunction((old) => {
        const bar = document.querySelector('.web-drop progress');
        return bar && bar.value / bar.max > old;
    }, first);
    await page.click('.web-cancel');
    await page.waitForSelector('#choose');
    assert.match(await page.textContent('.web-notice'), /Cancelled/);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'choose');
    await explain(page, [sample('loss')]);
    await page.waitForSelector('.chart-sequence canvas');
    await done();
});

test('socket buffers are computed as they are typed', async () => {
    const { page, done } = await open({ hash: '#buffers' });
    await page.waitForSelector('.web-answer');
    await page.waitForFunction(() => document.querySelector('.web-answer').textContent !== '');
    const before = await page.textContent('.web-answer');
    await page.fill('#buffers-rtt', '200ms');
    await page.waitForFunction((old) => document.querySelector('.web-answer')?.textContent !== old, before);
    await page.fill('#buffers-rtt', 'soon');
    await page.waitForSelector('[role=alert]');
    assert.match(await page.textContent('[role=alert]'), /20ms/);
    await findsNothingSerious(page);
    await done();
});

test('the charts of the calculator follow the fields', async () => {
    const { page, done } = await open({ hash: '#buffers' });
    const here = () => page.locator('.web-chart').evaluateAll((charts) => charts.map((chart) => chart.dataset.here));
    const moved = async (field, value) => {
        const before = await here();
        await page.fill(`#buffers-${field}`, value);
        await page.waitForFunction((old) => {
            const now = [...document.querySelectorAll('.web-chart')].map((chart) => chart.dataset.here);
            return now.length === old.length && now.join() !== old.join();
        }, before);
        const after = await here();
        const numbers = (places) => places.map((place) => place.split(' ').map(Number));
        return [numbers(before), numbers(after)];
    };
    await page.waitForFunction(() => document.querySelectorAll('.web-chart').length === 2);
    for (const axis of ['round-trip time', 'SO_RCVBUF', 'time']) {
        const names = await page.locator('.web-axis').allTextContents();
        assert.ok(names.includes(axis), `${axis}: ${names}`);
    }
    assert.match((await page.locator('.web-plot .web-keys').allTextContents()).join(), /limit of your line/);
    // A longer round trip: the point moves right in the first chart, and the time rises in both.
    let [before, after] = await moved('rtt', '100ms');
    assert.ok(after[0][0] > before[0][0] && after[0][1] < before[0][1], `${before} ${after}`);
    assert.deepEqual(await page.locator('.web-here-text').allTextContents(), ['about 31 s at 100 ms', 'about 31 s at 256 KiB']);
    // A larger buffer: the point moves right in the second chart, and the time falls in both.
    [before, after] = await moved('rcvbuf', '2MiB');
    assert.ok(after[1][0] > before[1][0] && after[1][1] > before[1][1], `${before} ${after}`);
    assert.equal(after[0][0], before[0][0]);
    assert.match(await page.locator('.web-here-text').first().textContent(), /^about [34]\.\d s at 100 ms$/);
    // Without bytes to transfer, the axis is the rate, and higher is better.
    await page.fill('#buffers-bytes', '');
    await page.waitForFunction(() => document.querySelector('.web-plot figcaption')?.textContent === 'Rate by round-trip time');
    await page.waitForFunction(() => document.querySelectorAll('.web-chart').length === 2);
    [before, after] = await moved('rcvbuf', '64KiB');
    assert.ok(after[0][1] > before[0][1], `${before} ${after}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForFunction(() => document.querySelector('.web-chart').viewBox.baseVal.width < 390);
    await fits(page);
    await findsNothingSerious(page);
    await done();
});

for (const [name, options] of [
    ['a phone', { width: 390, height: 844 }],
    ['a phone, dark', { width: 390, height: 844, colorScheme: 'dark' }],
    ['a wide screen', { width: 1440, height: 900 }],
]) {
    test(`axe finds nothing serious and nothing is cut off: ${name}`, async () => {
        const { page, done } = await open(options);
        await findsNothingSerious(page);
        await fits(page);
        await explain(page, ['loss', 'policer'].map(sample));
        await page.waitForSelector('#compare');
        await findsNothingSerious(page);
        await fits(page);
        await page.click('.web-other-way');
        await page.waitForSelector('#overview');
        await findsNothingSerious(page);
        await fits(page);
        await page.click('.web-again');
        await page.click('.web-bar a[href="#buffers"]');
        await page.waitForSelector('.web-answer');
        await fits(page);
        const boxes = await page
            .locator('.web-field input')
            .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().toJSON()));
        const isBeside = boxes.every((box, i) =>
            boxes.slice(i + 1).every((other) => other.left >= box.right || other.top >= box.bottom),
        );
        assert.ok(isBeside, 'fields overlap');
        await done();
    });
}

test('any static host will do, and nothing can be asked of it', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
        requests++;
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(readFileSync(path));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
        const url = `http://127.0.0.1:${server.address().port}/tcpwhy.html`;
        const { page, done, complaints } = await open({ url });
        await explain(page, [sample('loss')]);
        await page.waitForSelector('.chart-sequence canvas');
        assert.equal(requests, 1);
        // The policy refuses any request that the page could be made to send.
        const outcome = await page.evaluate(() =>
            fetch(location.href).then(
                () => 'sent',
                () => 'refused',
            ),
        );
        assert.equal(outcome, 'refused');
        assert.ok(complaints.splice(0).every((line) => /Content Security Policy/.test(line)));
        assert.equal(requests, 1);
        await done();
    } finally {
        server.close();
    }
});
