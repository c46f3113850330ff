// The page of a recording: limits from packets, the kernel's samples and the clocks of tcp_info, with the
// numbers of the data.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close, open, report } from './lib.mjs';
import { recorded } from './recording.mjs';

after(close);

/** The table's rows as arrays of texts. */
const rows = (page) =>
    page.$$eval('.clocks-table tr', (all) =>
        all.map((row) => [...row.children].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim())),
    );

test('the seconds of each limit by all three, and what a clock misses', async () => {
    const { page, done } = await open(recorded('recorded'), { width: 1440, height: 900 });
    assert.deepEqual(await rows(page), [
        ['limited by', 'packets 10.0 s', 'kernel 10.0 s, samples: 98', 'tcp_info watched for 12.0 s'],
        ['B send buffer', '9.70 s 97%', '9.50 s 95%', '240 ms 2.0% sndbuf_limited doubted'],
        ['A application', '0 s 0%', '500 ms 5.0%', '–'],
        // Forms of one limit share one row.
        ['R receive window', '295 ms 3.0%', '0 s 0%', '300 ms 2.5% rwnd_limited'],
        ['the rest', '5.00 ms <0.1%', '0 s 0%', '–'],
        ['busy row', '–', '–', '11.4 s 95% busy'],
    ]);
    const text = await page.innerText('.clocks');
    assert.match(text, /Both of 10\.0 s agree\./);
    assert.match(text, /sndbuf_limited misses it\./);
    assert.match(text, /mysqld\[812\]/);
    assert.doesNotMatch(text, /rwnd_limited is wrong|⟨|NaN/);
    await done();
});

test('disagreement stands out; a clock that is wrong is said; before Linux 4.10 there are two', async () => {
    const apart = recorded('recorded-apart', (_, { kernel }) => {
        Object.assign(kernel, { disagrees: true, disagreement: 0.61 });
        Object.assign(kernel.clocks, { sndbuf_limited_misses: false, rwnd_limited_is_wrong: true });
    });
    const first = await open(apart);
    assert.match(await first.page.innerText('.clocks-said.is-apart'), /They disagree for 61% of 10\.0 s\./);
    assert.match(await first.page.innerText('.clocks'), /rwnd_limited is wrong\./);
    assert.equal(await first.page.locator('.clocks .is-doubted').count(), 1);
    await first.done();
    const old = recorded('recorded-old', (_, { kernel }) => {
        kernel.clocks = null;
    });
    const second = await open(old);
    assert.deepEqual((await rows(second.page))[0], ['limited by', 'packets 10.0 s', 'kernel 10.0 s, samples: 98']);
    assert.equal(await second.page.locator('.clock-bar').count(), 2);
    await second.done();
});

test('where only the receiver was seen, and of captures without a kernel', async () => {
    const receiver = recorded('recorded-receiver', (_, half) => {
        delete half.kernel;
    });
    const first = await open(receiver);
    assert.match(await first.page.innerText('.clocks'), /Only the receiver\./);
    await first.done();
    const second = await open(report('send-buffer'));
    assert.equal(await second.page.locator('.clocks').count(), 0);
    await second.done();
});

test('all of it is in sight on a phone', async () => {
    const { page, done } = await open(recorded('recorded-phone'), { width: 390, height: 844 });
    const { table, screen } = await page.evaluate(() => ({
        table: document.querySelector('.clocks-table').getBoundingClientRect().right,
        screen: document.documentElement.scrollWidth,
    }));
    assert.ok(table <= 382 && screen <= 390, `${table} ${screen}`);
    await done();
});
