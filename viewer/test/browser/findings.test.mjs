// Terminal, page and JSON have the same findings: for each direction, for the connection, and for one without
// data.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { close, open, reports, settle } from './lib.mjs';

after(close);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const tcpwhy = process.env.TCPWHY ?? `${root}target/debug/tcpwhy`;
/** Captures besides the samples, one path per line. */
const captures = [
    ...readdirSync(`${root}samples`)
        .filter((name) => name.endsWith('.pcap.gz'))
        .map((name) => `${root}samples/${name}`),
    ...(process.env.TCPWHY_CAPTURES ?? '').split('\n').filter((path) => path !== ''),
];

const print = (...args) => execFileSync(tcpwhy, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
const rules = (findings) => findings.map((finding) => finding.rule);

/** Rules of a connection: its own and those of its directions. */
const rulesOf = (connection) =>
    [...connection.halves.flatMap((half) => rules(half.findings)), ...rules(connection.findings)].sort();

test('there are captures', () => assert.ok(captures.length >= 10));

for (const capture of captures) {
    const name = capture.slice(capture.lastIndexOf('/') + 1);
    test(`the findings of ${name} are the same in terminal, page and JSON`, async () => {
        const json = JSON.parse(print(capture, '--json'));
        const path = `${reports}findings.html`;
        print(capture, '--html', path, '--quiet', '--overwrite');
        for (const connection of json.connections.slice(0, 12)) {
            const expected = rulesOf(connection);
            const terminal = print(capture, '--connection', String(connection.id), '--width', '200');
            for (const rule of expected) assert.ok(terminal.includes(`(${rule},`), `${rule} is not in the terminal`);
            const said = [...terminal.matchAll(/ \(([a-z][a-z0-9-]+), confidence/g)].map((match) => match[1]).sort();
            assert.deepEqual(said, expected, `terminal, connection ${connection.id}`);
            const { page, done } = await open(path, { hash: `#c${connection.id}` });
            // A connection without details is a row of the overview, which explains how to open it.
            if ((await page.locator('#answer').count()) > 0) {
                await settle(page);
                const shown = await page.$$eval('.findings [data-rule]', (all) => all.map((one) => one.dataset.rule));
                assert.deepEqual(shown.sort(), expected, `page, connection ${connection.id}`);
            }
            await done();
        }
    });
}
