// The page prints the same bytes as the terminal, for intact and for damaged captures.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { close, explain, open, root, saved } from './lib.mjs';

after(close);

const tcpwhy = process.env.TCPWHY;
const read = (name) => readFileSync(`${root}samples/${name}.pcap.gz`);
const recording = readFileSync(`${root}crates/tcpwhy-engine/tests/fixtures/recording.pcapng.gz`);
const changed = (bytes, from, to, value) => Buffer.from(bytes).fill(value, from, to);

/** Captures by name: all samples, and damaged versions of some. */
const captures = {
    ...Object.fromEntries(
        readdirSync(`${root}samples`)
            .filter((name) => name.endsWith('.pcap.gz'))
            .map((name) => [name, readFileSync(`${root}samples/${name}`)]),
    ),
    'recording.pcapng.gz': recording,
    'recording-cut.pcapng': gunzipSync(recording).subarray(0, 60_001),
    'recording-garbled.pcapng': changed(gunzipSync(recording), 40_000, 40_100, 0x5a),
    'cut.pcap.gz': read('loss').subarray(0, 40_000),
    'cut.pcap': gunzipSync(read('loss')).subarray(0, 100_001),
    'garbled.pcap.gz': changed(read('send-buffer'), 30_000, 30_100, 0x5a),
    'garbled.pcap': changed(gunzipSync(read('policer')), 50_000, 50_200, 0xff),
    'zeros.pcap': changed(gunzipSync(read('policer')), 50_000, 60_000, 0),
    'head.pcap': gunzipSync(read('loss')).subarray(0, 24),
    'whole.pcap.zst': readFileSync(new URL('fixtures/whole.pcap.zst', import.meta.url)),
    'cut.pcap.zst': readFileSync(new URL('fixtures/whole.pcap.zst', import.meta.url)).subarray(0, 5000),
    'garbled.pcap.zst': changed(readFileSync(new URL('fixtures/whole.pcap.zst', import.meta.url)), 4000, 4040, 0xa5),
};

test('JSON and warnings are the terminal’s', { skip: tcpwhy ? false : 'TCPWHY names no binary' }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tcpwhy-web-'));
    const { page, done } = await open();
    try {
        for (const [name, bytes] of Object.entries(captures)) {
            writeFileSync(join(folder, name), bytes);
            const terminal = spawnSync(tcpwhy, ['--json', '--lang', 'en', name], { cwd: folder, maxBuffer: 1 << 28 });
            await explain(page, [{ name, mimeType: 'application/octet-stream', buffer: bytes }]);
            const warnings = terminal.stderr
                .toString()
                .split('\n')
                .filter(Boolean)
                .map((line) => line.replace(/^tcpwhy: /, ''));
            const alert = page.locator('.notice[role=alert] p');
            if (terminal.stdout.length === 0) {
                assert.deepEqual(await alert.allTextContents(), warnings, name);
                continue;
            }
            assert.ok((await saved(page)).equals(terminal.stdout), `${name}: other JSON`);
            assert.deepEqual(await page.locator('.web-notes li').allTextContents(), warnings, name);
            await page.click('.web-again');
            await page.waitForSelector('#choose');
        }
        await done();
    } finally {
        rmSync(folder, { recursive: true });
    }
});
