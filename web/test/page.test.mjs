// The page as people use it: files in, report out, nothing to anybody.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { close, explain, open, page as path, sample } from './lib.mjs';

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
        await page.waitForSelector('.web-again');
        await page.waitForSelector('.answer, main h1');
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

test('a long reading can be cancelled, and another capture explained', async () => {
    const { page, done } = await open();
    // Packets that are not TCP: long to read, and in no memory but the browser's.
    await page.evaluate(() => {
        const head = new Uint32Array([0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1]);
        const record = new Uint8Array(16 + 60);
        const fields = new DataView(record.buffer);
        fields.setUint32(8, 60, true);
        fields.setUint32(12, 60, true);
        fields.setUint16(16 + 12, 0x0800);
        record[16 + 14] = 0x45;
        record[16 + 14 + 3] = 46;
        record[16 + 14 + 9] = 17;
        const many = 50_000;
        const block = new Uint8Array(many * record.length);
        for (let at = 0; at < block.length; at += record.length) block.set(record, at);
        const data = new DataTransfer();
        data.items.add(new File([head, ...Array.from({ length: 60 }, () => block)], 'long.pcap'));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    await page.waitForFunction(() => /GB|MB/.test(document.querySelector('.web-read')?.textContent ?? ''));
    await page.click('.web-cancel');
    await page.waitForSelector('#choose');
    assert.match(await page.textContent('.web-status'), /Cancelled/);
    await explain(page, [sample('loss')]);
    await page.waitForSelector('.chart-sequence canvas');
    await done();
});

test('socket buffers are computed as they are typed', async () => {
    const { page, done } = await open({ hash: '#buffers' });
    await page.waitForSelector('.web-answer');
    const before = await page.textContent('.web-answer');
    await page.fill('#buffers-rtt', '200ms');
    await page.waitForFunction((old) => document.querySelector('.web-answer')?.textContent !== old, before);
    assert.ok(
        (await page.evaluate(() =>
            document
                .querySelector('.web-curve')
                .decode()
                .then(() => document.querySelector('.web-curve').naturalWidth),
        )) > 0,
    );
    await page.fill('#buffers-rtt', 'soon');
    await page.waitForSelector('[role=alert]');
    assert.match(await page.textContent('[role=alert]'), /20ms/);
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
        // What would get out if the page were made to: the policy refuses it.
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
