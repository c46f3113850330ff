// A page served by `tcpwhy serve`: a transfer too large for one file, zoomed to single packets.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { close, open, settle, stage } from './lib.mjs';

after(close);

const made = fileURLToPath(new URL('../../.test/made', import.meta.url));
const tcpwhy = process.env.TCPWHY;

test('detail and packets of a stretch come from the server', { skip: tcpwhy ? false : 'TCPWHY names no binary' }, async () => {
    mkdirSync(made, { recursive: true });
    const capture = `${made}/large.pcap`;
    execFileSync(process.execPath, [fileURLToPath(new URL('../../bench/capture.mjs', import.meta.url)), '90000', capture]);
    const server = spawn(tcpwhy, ['serve', '--lang', 'en', capture], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
        const url = await new Promise((resolve, reject) => {
            createInterface({ input: server.stdout }).once('line', resolve);
            server.once('exit', () => reject(new Error('the server ended')));
        });
        const { page, done } = await open(url.trim(), { height: 1600, allow: (asked) => asked.startsWith(url.trim()) });
        assert.match(await page.textContent('#packets'), /zoom in/);
        await page.evaluate(() => document.querySelector('.chart-sequence .stage').setAttribute('data-seen', ''));
        await page.focus('#charts');
        for (let i = 0; i < 7; i++) await page.keyboard.press('+');
        await page.waitForSelector('.packet-table', { timeout: 20_000 });
        await settle(page);
        assert.equal(await page.textContent('.detail-note'), '');
        // The elements stayed, so that a drag in progress could continue.
        assert.equal(await page.locator('.chart-sequence .stage[data-seen]').count(), 1);
        const box = await stage(page, 'sequence');
        await page.mouse.move(box.x + box.width / 2, box.y + 100);
        await page.waitForSelector('.packet.is-current');
        assert.match(await page.textContent('[data-key="flight"]'), /\d [kM]?B/);
        await done();
    } finally {
        server.kill();
    }
});
