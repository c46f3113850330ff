// The address and the history preserve the reader's choices: Back, Forward, Reload and old links.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addressTime, close, open, report, settle, write } from './lib.mjs';
import { many } from './many.mjs';

after(close);

const tcpwhy = process.env.TCPWHY;
const hash = (page) => page.evaluate(() => location.hash);
const found = (page) => page.textContent('#connections .card-head [role="status"]');
const first = (page) => page.locator('.connection:not(.connection-head) .cell-id').first().textContent();
const sorted = (page) => page.$$eval('[role="columnheader"][aria-sort]', (all) => all.map((one) => one.className));

/** The visible state of the list. */
const seen = async (page) => {
    await settle(page);
    return {
        found: await found(page),
        first: await first(page),
        sorted: await sorted(page),
        search: await page.inputValue('#search'),
        chips: await page.locator('.chip').allTextContents(),
        toggles: await page.locator('[data-only][aria-pressed="true"]').evaluateAll((all) => all.map((one) => one.dataset.only)),
        group: await page.locator('[data-group][aria-pressed="true"]').getAttribute('data-group'),
        list: await page.evaluate(() => document.querySelector('#connections .scroller').scrollTop),
        y: await page.evaluate(() => Math.round(scrollY)),
    };
};

/** Waits until the page shows `expected`: history and scrolling are slow on a busy machine. */
async function sees(page, expected) {
    const wanted = JSON.stringify(expected);
    for (let tries = 0; tries < 40 && JSON.stringify(await seen(page)) !== wanted; tries++) await page.waitForTimeout(150);
    assert.deepEqual(await seen(page), expected);
}

test('Back returns to the list as it was: filter, sort, group and place; Reload too', async () => {
    const { page, done } = await open(write('state', many(800)), { height: 600 });
    await page.click('[data-group="cause"]');
    await page.click('[data-only="hasFailed"]');
    await page.click('[role="columnheader"].cell-bytes .sort');
    await page.fill('#search', 'port:');
    await page.fill('#search', '198.51.100');
    await page.locator('#connections .scroller').evaluate((list) => list.scrollTo(0, 450));
    await page.evaluate(() => scrollTo(0, document.querySelector('#connections').offsetTop));
    await page.waitForTimeout(400);
    const before = await seen(page);
    assert.ok(before.list === 450 && before.y > 50, JSON.stringify(before));
    assert.match(await hash(page), /only=failed/);
    assert.match(await hash(page), /sort=-bytes/);
    await page.reload();
    await page.waitForSelector('.connection');
    await page.waitForTimeout(200);
    await sees(page, before);
    // A row without details cannot be opened: the search leads to the one that can.
    await page.fill('#search', '');
    await page.click('[data-only="hasFailed"]');
    await page.click('[data-only="isOpenable"]');
    await page.waitForTimeout(400);
    const list = await seen(page);
    await page.click('.connection.is-open a');
    await page.waitForSelector('.chart-sequence');
    assert.match(await hash(page), /^#c\d+$/);
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.goBack();
    await page.waitForSelector('#connections');
    await page.waitForTimeout(200);
    await sees(page, list);
    // Each filter was a step of the history.
    await page.goBack();
    await page.waitForTimeout(200);
    assert.deepEqual((await seen(page)).toggles, []);
    await page.goForward();
    await page.goForward();
    await page.waitForSelector('.chart-sequence');
    // "All connections" opens the same list.
    await page.click('.back');
    await page.waitForSelector('#connections');
    await page.waitForTimeout(200);
    await sees(page, list);
    await done();
});

test('a service, a stretch of its histogram and a problem are steps, and links open them', async () => {
    const path = write('state-steps', many(800));
    const { page, done } = await open(path);
    await page.click('tr[data-service="1"] button');
    await page.waitForTimeout(100);
    assert.match(await hash(page), /service=/);
    const narrowed = await seen(page);
    const link = await hash(page);
    await page.goBack();
    await page.waitForTimeout(100);
    assert.deepEqual((await seen(page)).chips, []);
    await page.goForward();
    await page.waitForTimeout(100);
    assert.deepEqual((await seen(page)).chips, narrowed.chips);
    await done();
    const other = await open(path, { hash: link });
    const again = await seen(other.page);
    assert.deepEqual([again.chips, again.found], [narrowed.chips, narrowed.found]);
    await other.done();
    // The page ignores names that the report does not have.
    const nonsense = await open(path, { hash: '#service=192.0.2.9:1&sort=nothing&by=x&group=port:80&only=all' });
    assert.deepEqual((await seen(nonsense.page)).chips, []);
    await nonsense.done();
});

test('zoom, highlighted limit, open details and the filter of packets survive a reload and another language', async () => {
    const { page, done } = await open(report('send-buffer'), { height: 900 });
    const folds = () => page.$$eval('main details', (all) => all.map((one) => one.open));
    const initial = await folds();
    assert.ok(initial.length >= 2);
    await page.locator('main details > summary').last().click();
    await page.locator('.more-fixes > summary').first().click();
    await page.fill('#packet-filter', 'len>1000');
    await page.focus('#charts');
    await page.keyboard.press('+');
    const time = await addressTime(page, (one) => one !== null);
    const opened = await folds();
    assert.notDeepEqual(opened, initial);
    assert.match(await hash(page), /open=[\w.-]+/);
    const packets = await page.textContent('#packets [role="status"]');
    const check = async () => {
        await page.waitForSelector('.chart-sequence');
        await page.waitForTimeout(400);
        assert.deepEqual(await folds(), opened);
        assert.equal(await page.inputValue('#packet-filter'), 'len>1000');
        assert.deepEqual(await addressTime(page), time);
    };
    await page.reload();
    await check();
    assert.equal(await page.textContent('#packets [role="status"]'), packets);
    await page.selectOption('#language', 'zh-CN');
    await check();
    await page.reload();
    await check();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
    await done();
});

test('old addresses keep their meaning', async () => {
    const { page, done } = await open(report('several'), { hash: '#c0&t=0.05-0.15&limit=idle&lang=zh-CN&theme=dark' });
    await page.waitForSelector('.chart-sequence');
    assert.deepEqual(await addressTime(page), [0.05, 0.15]);
    assert.match(await hash(page), /^#c0&t=0\.05-0\.15&limit=idle&lang=zh-CN&theme=dark$/);
    await done();
});

test('with a server, Back and Reload wait for what comes', { skip: tcpwhy ? false : 'TCPWHY names no binary' }, async () => {
    const samples = ['nagle-delayed-ack', 'syn-retry', 'request-response'].map((name) =>
        fileURLToPath(new URL(`../../../samples/${name}.pcap.gz`, import.meta.url)),
    );
    const server = spawn(tcpwhy, ['serve', '-q', '--lang', 'en', ...samples], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
        const url = await new Promise((resolve, reject) => {
            createInterface({ input: server.stdout }).once('line', (line) => resolve(line.trim()));
            server.once('exit', () => reject(new Error('the server ended')));
        });
        const { page, done } = await open(url, { allow: (asked) => asked.startsWith(url) });
        await page.fill('#search', '192.0.2');
        await page.waitForTimeout(350);
        await page.click('.connection.is-open a');
        await page.waitForSelector('.chart-sequence');
        await page.reload();
        await page.waitForSelector('.chart-sequence');
        await page.goBack();
        await page.waitForSelector('#connections');
        assert.equal(await page.inputValue('#search'), '192.0.2');
        await done();
    } finally {
        server.kill();
    }
});
