// axe-core finds no serious problem, in both themes and languages, on both kinds of page and on a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { close, open, report } from './lib.mjs';
import { recorded } from './recording.mjs';
import { withSocket } from './socket.mjs';

after(close);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

for (const [name, path, options] of [
    ['a connection, light', 'loss', { colorScheme: 'light' }],
    [
        'a connection, dark, Chinese, zoomed',
        'send-buffer',
        { colorScheme: 'dark', hash: '#t=1.2-1.4&limit=send_buffer&lang=zh-CN' },
    ],
    ['many connections, light', 'several', { colorScheme: 'light' }],
    ['many connections, dark', 'several', { colorScheme: 'dark' }],
    ['many connections, a phone', 'several', { width: 390, height: 844, colorScheme: 'light' }],
    ['measuring, dark', 'loss', { colorScheme: 'dark', hash: '#ab=3.4-3.8&t=3-4.2' }],
    ['measuring, a phone', 'loss', { width: 390, height: 844, colorScheme: 'light', hash: '#ab=3.4-3.8&lang=zh-CN' }],
    ['a recording, dark', recorded('recorded-axe'), { colorScheme: 'dark' }],
    ['a recording, a phone', recorded('recorded-axe'), { width: 390, height: 844, colorScheme: 'light' }],
    ['the sending socket', withSocket('socket-axe'), { colorScheme: 'dark' }],
    ['a phone', 'zero-window', { width: 390, height: 844, colorScheme: 'light' }],
]) {
    test(`axe finds nothing serious: ${name}`, async () => {
        const { page, done } = await open(path.endsWith('.html') ? path : report(path), options);
        await page.evaluate(axe);
        const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document));
        assert.ok(passes.length > 15, 'axe did not run');
        const serious = violations.filter((violation) => violation.impact === 'serious' || violation.impact === 'critical');
        assert.deepEqual(
            serious.map(
                (violation) =>
                    `${violation.id}: ${violation.nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
            ),
            [],
        );
        await done();
    });
}
