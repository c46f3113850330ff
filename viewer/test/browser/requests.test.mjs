// The bar of requests has the numbers of the sentence, and a request zooms the charts to itself.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addressTime, close, data, open, report } from './lib.mjs';

after(close);

test('the bar of requests has the numbers of the sentence', async () => {
    const { page, done } = await open(report('request-response'));
    const sentence = await page.textContent('h1');
    const legend = await page.locator('#requests .legend > li').allTextContents();
    assert.deepEqual(
        legend.map((text) => /^[a-z]+/.exec(text)[0]),
        ['client', 'network', 'server'],
    );
    const time = (text) => /[\d.]+ m?s/.exec(text.replaceAll('\u00a0', ' '))[0];
    const said = sentence.replaceAll('\u00a0', ' ');
    assert.equal(time(legend[2]), /^The server took ([\d.]+ m?s)/.exec(said)[1]);
    assert.equal(time(legend[1]), /network ([\d.]+ m?s)/.exec(said)[1]);
    // Widths are proportional to times.
    const { parts } = data('request-response').documents.en.connections[0].exchanges;
    const widths = await page
        .locator('#requests .spent-part')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    const ratio = widths.at(-1) / widths[0];
    assert.ok(Math.abs(ratio - (parts.server_s + parts.server_pauses_s) / parts.client_s) < 0.02, `${widths}`);
    await done();
});

test('the slowest requests zoom the charts to themselves', async () => {
    const { page, done } = await open(report('request-response'));
    const { slowest } = data('request-response').documents.en.connections[0].exchanges;
    const rows = page.locator('.waterfall-row');
    assert.equal(await rows.count(), Math.min(5, slowest.length));
    const tracks = await rows.evaluateAll((all) =>
        all.map((row) =>
            [...row.querySelectorAll('.waterfall-part')].reduce((sum, part) => sum + part.getBoundingClientRect().width, 0),
        ),
    );
    assert.ok(
        tracks.every((width, i) => i === 0 || width <= tracks[i - 1] + 1),
        `longest first: ${tracks}`,
    );
    await rows.nth(1).focus();
    await page.keyboard.press('Enter');
    const [from, to] = await addressTime(page, (time) => time !== null);
    const width = slowest[1].time_s;
    assert.ok(to - from >= width && to - from < 1.2 * width, `${from} ${to} ${width}`);
    // The row is a link whose address has the same stretch.
    const href = await rows.nth(1).getAttribute('href');
    assert.match(href, /^#c\d+&t=/);
    await done();
});

test('a connection without requests has no such bar', async () => {
    const { page, done } = await open(report('syn-retry'));
    const { exchanges } = data('syn-retry').documents.en.connections[0];
    assert.equal(
        await page.locator('#requests').count(),
        exchanges?.pattern === 'request_response' && exchanges.count > 0 ? 1 : 0,
    );
    await done();
});
