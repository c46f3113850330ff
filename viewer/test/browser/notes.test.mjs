// Notes are written into the page, saved with it, and read by the saved page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { close, data, open, report, settle, status, write } from './lib.mjs';

after(close);

/** Presses the button and returns what was saved. */
async function save(page, path) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.save-notes')]);
    await download.saveAs(path);
    return download.suggestedFilename();
}

test('notes travel in the file, with the stretch that they are about', async () => {
    const { page, done } = await open(report('loss'), { hash: '#t=3-4' });
    assert.equal(await page.isDisabled('.save-notes'), true);
    const hostile = '</script><img src=x onerror="document.title=\'owned\'"> first & last\nsecond line';
    await page.fill('#note', hostile);
    await page.press('#note', 'Control+Enter');
    await page.fill('#note', 'The whole thing');
    await page.evaluate(() => (location.hash = '#c0'));
    await page.waitForFunction(() => /^0\.00/.test(document.querySelector('.strip-head .where')?.textContent ?? ''));
    assert.equal(await page.locator('.note-list li').count(), 1, 'notes stay while one looks elsewhere');
    await page.fill('#note', 'The whole thing');
    await page.click('.note-form button');
    assert.match(await page.textContent('.note-save'), /Not in a file yet/);
    const made = write('empty', { format: 'other' }).replace(/empty\.html$/, 'loss-notes.html');
    assert.equal(await save(page, made), 'loss-notes.html');
    assert.match(await page.textContent('.note-save'), /Saved as a copy/);
    await done();

    // Script, style, data and policy are unchanged.
    const [before, after_] = [report('loss'), made].map((path) => readFileSync(path, 'utf8'));
    for (const part of [
        /<script>[\s\S]*<\/script>/,
        /<style>[\s\S]*?<\/style>/,
        /<meta http-equiv="Content-Security-Policy"[^>]*>/,
        /<script type="application\/json" id="tcpwhy-data">[\s\S]*?<\/script>/,
        /<noscript>[\s\S]*?<\/noscript>/,
    ]) {
        assert.equal(part.exec(after_)?.[0], part.exec(before)[0], String(part));
    }
    const copy = await open(made);
    assert.notEqual(await copy.page.title(), 'owned');
    assert.equal(await copy.page.textContent('.note-text >> nth=0'), hostile);
    assert.match(await copy.page.textContent('.note-list li >> nth=1'), /The whole thing.*all of the connection/s);
    await copy.page.click('.note-list a >> nth=0');
    await copy.page.waitForFunction(() => /^3\.00/.test(document.querySelector('.strip-head .where')?.textContent ?? ''));
    assert.match(await status(copy.page), /^3\.0+ s to 4\.0+ s/);
    // A removed note is gone after saving again, and the file name does not get longer.
    await copy.page.click('.note-list button >> nth=0');
    assert.equal(await copy.page.locator('.note-list li').count(), 1);
    const again = made.replace('loss-notes', 'loss-notes-again');
    assert.equal(await save(copy.page, again), 'loss-notes.html');
    await copy.done();
    const last = await open(again, { hash: '#lang=zh-CN' });
    assert.deepEqual(await last.page.locator('.note-text').allTextContents(), ['The whole thing']);
    assert.doesNotMatch(await last.page.textContent('.notes'), /⟨|undefined|NaN/);
    await last.done();
});

test('the overview lists the notes of all connections', async () => {
    const { page, done } = await open(report('several'));
    assert.equal(await page.locator('.notes').count(), 0);
    await page.click('.connection a >> nth=0');
    await page.waitForSelector('#note');
    await page.fill('#note', 'Look here');
    await page.press('#note', 'Control+Enter');
    await page.click('.back');
    await page.waitForSelector('.overview');
    assert.match(await page.textContent('.notes'), /Look here.*#\d/s);
    await page.click('.note-list a');
    await page.waitForSelector('.chart-sequence');
    await save(page, write('x', { format: 'other' }));
    await settle(page);
    await done();
});

test('a page of a server has no notes: they would be lost', async () => {
    const value = data('send-buffer');
    value.server = { chart: 'api/chart' };
    const { page, done } = await open(write('served-notes', value, { connect: true }));
    assert.equal(await page.locator('.notes').count(), 0);
    await done();
});
