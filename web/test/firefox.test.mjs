// The page in Firefox, if the distribution has it: from disk, without a network.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { page as path, report, root } from './lib.mjs';

const puppeteer = createRequire(new URL('../../viewer/package.json', import.meta.url))('puppeteer-core');
const firefox = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((file) => file && existsSync(file));
const skip = firefox ? false : 'Firefox is not installed';

/** Opens the page; `done()` fails if it made requests or logged errors. */
async function open() {
    const profile = mkdtempSync(join(tmpdir(), 'tcpwhy-firefox-'));
    const browser = await puppeteer.launch({
        browser: 'firefox',
        executablePath: firefox,
        headless: true,
        userDataDir: profile,
        // A proxy that does not exist, so that no request can reach any host.
        extraPrefsFirefox: { 'network.proxy.type': 1, 'network.proxy.http': '127.0.0.1', 'network.proxy.http_port': 9 },
    });
    const tab = await browser.newPage();
    tab.setDefaultTimeout(Number(process.env.TCPWHY_PATIENCE ?? 60_000));
    const complaints = [];
    const asked = [];
    tab.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
    });
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('request', (request) => asked.push(request.url()));
    await tab.goto(pathToFileURL(path).href);
    await tab.waitForSelector('h1');
    return {
        tab,
        done: async () => {
            await browser.close();
            rmSync(profile, { recursive: true, force: true });
            assert.deepEqual(complaints, []);
            assert.deepEqual(
                asked.filter((to) => !/^(data|blob|file):/.test(to)),
                [],
            );
        },
    };
}

async function explain(tab, ...names) {
    const input = await tab.waitForSelector('#files');
    await input.uploadFile(...names.map((name) => join(root, 'samples', `${name}.pcap.gz`)));
    await tab.waitForSelector(report);
}

test('Firefox explains a capture and draws its charts', { skip }, async () => {
    const { tab, done } = await open();
    await explain(tab, 'nagle-delayed-ack');
    await tab.waitForSelector('.chart-sequence canvas');
    assert.match(await tab.$eval('main', (main) => main.textContent), /Nagle/);
    await done();
});

test('Firefox makes an overview of several, in Chinese too', { skip }, async () => {
    const { tab, done } = await open();
    await explain(tab, 'loss', 'policer', 'slow-reader');
    assert.match(await tab.$eval('h1', (title) => title.textContent), /3/);
    await tab.click('.connection a');
    await tab.waitForSelector('.chart-sequence canvas');
    await tab.select('#language', 'zh-CN');
    assert.match(await tab.$eval('.web-again', (button) => button.textContent), /其他抓包/);
    await done();
});
