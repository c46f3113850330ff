// Every bundled capture's report opens without errors, and shows its answer without scrolling.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { close, columnsWith, data, open, report, reports, stage } from './lib.mjs';

after(close);

const names = readdirSync(reports)
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -5));

test('there are reports', () => assert.ok(names.length >= 10, `${names}`));

for (const name of names) {
    test(`${name} opens without network or complaint, its answer in sight`, async () => {
        const { page, done } = await open(report(name));
        const value = data(name);
        if (value.overview.connections === 1) {
            // The answer and the whole chart that proves it are on the first screen.
            for (const selector of ['h1', '.chart-strip', '.panels-lead .stage']) {
                const box = await page.locator(selector).first().boundingBox();
                assert.ok(box && box.y >= 0 && box.y + box.height <= 800, `${selector} at ${JSON.stringify(box)}`);
            }
            const isCut = await page.evaluate(() =>
                [...document.querySelectorAll('.bars')].some((one) => one.scrollWidth > one.clientWidth),
            );
            assert.equal(isCut, false, 'a row of bars is wider than its card');
            // No card is too narrow.
            const widths = await page
                .locator('.charts-below .card')
                .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().width));
            assert.ok(widths.length > 0 && Math.min(...widths) >= 300, `cards of ${widths} pixels`);
            // The terminal's sentence is complete.
            const sender = value.charts[0].endpoints.indexOf(value.overview.from[0]);
            const half = value.documents.en.connections[0].halves.find((one) => one.sender === sender);
            const shown = (await page.textContent('.verdict')).replace(/\s+/g, '');
            assert.ok(half.answer.why.length > 10 && shown.includes(half.answer.why.replace(/\s+/g, '')), shown);
            if (half.findings[0]?.fixes.length > 0) {
                const box = await page.locator('.fix').first().boundingBox();
                assert.ok(box && box.y < 1000, `fix at ${JSON.stringify(box)}`);
            }
            await stage(page, 'sequence');
            assert.ok((await columnsWith(page, 'sequence', 'base', 'cursor')).length > 50, 'the chart is empty');
        }
        assert.equal(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            true,
            'wider than the screen',
        );
        // A missing message would appear as ⟨its id⟩.
        assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /⟨|undefined|NaN/);
        await done();
    });
}

test('the send-buffer sample shows a staircase with treads as long as a round trip', async () => {
    const { page, done } = await open(report('send-buffer'), { hash: '#t=1.3-1.35' });
    await stage(page, 'sequence');
    const { rtt_min_s: rtt } = data('send-buffer').charts[0].halves.sort((a, b) => b.extent.seq - a.extent.seq)[0];
    const columns = (await columnsWith(page, 'sequence', 'base', 'data')).filter((x) => x > 88);
    const width = (await page.$eval('.chart-sequence .stage', (stage) => stage.clientWidth)) - 84 - 14;
    const gaps = columns.slice(1).map((x, i) => ((x - columns[i]) / width) * 0.05);
    const longest = Math.max(...gaps);
    assert.ok(longest > rtt * 0.6 && longest < rtt * 1.1, `longest tread ${longest} s, round trip ${rtt} s`);
    assert.match(await page.textContent('.chart-window figcaption'), /in flight/);
    await done();
});

test('the zero-window sample counts its probes, the loss sample its repeats and SACKs', async () => {
    const zero = await open(report('zero-window'));
    assert.match(await zero.page.textContent('.chart-sequence figcaption'), /\d+ zero windows.*\d+ probes/s);
    await zero.done();
    const loss = await open(report('loss'));
    const caption = await loss.page.textContent('.chart-sequence figcaption');
    assert.match(caption, /\d+ retransmitted.*\d+ SACK blocks/s);
    await stage(loss.page, 'resent');
    await loss.done();
});
