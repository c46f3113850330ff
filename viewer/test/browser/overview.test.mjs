// Many connections; what is not in the report; hostile text; detail that ends or is fetched.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { close, data, open, report, settle, status, write } from './lib.mjs';

after(close);

test('the overview sorts, searches and links; the way back works', async () => {
    const { page, done } = await open(report('several'));
    const rows = () => page.locator('.connection:not(.connection-head)');
    assert.equal(await rows().count(), 3);
    await page.click('.cell-bytes .sort');
    const bytes = await rows().locator('.cell-bytes').allTextContents();
    assert.equal(await page.getAttribute('[role="columnheader"].cell-bytes', 'aria-sort'), 'descending');
    await page.click('.cell-bytes .sort');
    assert.deepEqual(await rows().locator('.cell-bytes').allTextContents(), bytes.reverse());
    const name = await rows().first().locator('.cell-verdict').textContent();
    await page.fill('#search', 'no such thing');
    assert.equal(await rows().count(), 0);
    await page.fill('#search', '#2');
    assert.equal(await rows().count(), 1);
    await page.fill('#search', '');
    assert.ok(name.length > 2);
    await page.click('.connection a >> nth=0');
    await page.waitForSelector('.chart-sequence');
    assert.match(await page.evaluate(() => location.hash), /^#c\d/);
    await page.click('.back');
    await page.waitForSelector('.overview');
    await page.goBack();
    await page.waitForSelector('.chart-sequence');
    await done();
});

test('a connection that is not in the report is said to be missing', async () => {
    const { page, done } = await open(report('several'), { hash: '#c2' });
    await page.evaluate(() => (location.hash = '#c77'));
    await page.waitForSelector('[role="alert"]');
    assert.match(await page.textContent('[role="alert"]'), /77/);
    await done();
});

test('text of the capture stays text', async () => {
    const value = data('request-response');
    const bad = '<img src=x onerror="document.title=\'owned\'"></script><b>';
    for (const document of Object.values(value.documents)) {
        document.captures[0].path = bad;
        document.connections[0].halves[0].verdict.sentence = bad;
        document.connections[0].halves[0].findings.forEach((finding) => {
            finding.sentence = bad;
            finding.fixes.forEach((fix) => (fix.lines = [bad]));
        });
    }
    value.charts[0].endpoints = [bad, bad];
    const { page, done } = await open(write('hostile', value));
    assert.equal(await page.locator('img, main b').count(), 0);
    assert.ok((await page.textContent('.file')).includes(bad));
    assert.notEqual(await page.title(), 'owned');
    await done();
});

test('data that is no data is told in a line', async () => {
    const path = write('broken', { format: 'other' });
    const { page, done } = await open(report('request-response'));
    await page.goto(`file://${path}`);
    await page.waitForFunction(() => document.body.textContent.includes('cannot be read'));
    await done();
});

/** The data with its charts as if they were gathered in bins of 10 ms. */
function coarse(server) {
    const value = data('send-buffer');
    const original = structuredClone(value.charts[0]);
    for (const half of value.charts[0].halves) half.bin_s = 0.01;
    value.charts[0].packets = null;
    value.server = server;
    return { value, original };
}

test('zoom below the detail of the report says so', async () => {
    const { page, done } = await open(write('coarse', coarse(null).value), { hash: '#t=1.2-1.4' });
    assert.match(await page.textContent('.detail-note'), /10\.0 ms/);
    assert.match(await page.textContent('#packets'), /tcpwhy serve/);
    await page.focus('#charts');
    await page.keyboard.press('0');
    await settle(page);
    assert.equal(await page.textContent('.detail-note'), '');
    await done();
});

test('with a server, more detail is fetched', async () => {
    const { value, original } = coarse({ chart: 'api/chart' });
    const path = write('served', value, { connect: true });
    const asked = [];
    const server = createServer((request, response) => {
        const url = new URL(request.url, 'http://localhost');
        if (url.pathname === '/api/chart') {
            asked.push([Number(url.searchParams.get('from')), Number(url.searchParams.get('to'))]);
            const [from_s, to_s] = asked.at(-1);
            response.end(JSON.stringify({ format: value.format, documents: value.documents, chart: { ...original, from_s, to_s } }));
        } else {
            response.setHeader('content-type', 'text/html; charset=utf-8');
            response.end(readFileSync(path));
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${server.address().port}/`;
    try {
        const { page, done } = await open(base, { hash: '#t=1.2-1.4', allow: (url) => url.startsWith(base) });
        await page.waitForFunction(() => document.querySelector('.detail-note')?.textContent === '');
        assert.equal(asked.length, 1);
        assert.ok(asked[0][0] <= 1.2 && asked[0][1] >= 1.4);
        assert.match(await status(page), /^1\.2/);
        // What was fetched serves for what lies beside it.
        await page.focus('#charts');
        await page.keyboard.press('ArrowRight');
        await page.waitForTimeout(400);
        assert.equal(asked.length, 1);
        await done();
    } finally {
        server.close();
    }
});
