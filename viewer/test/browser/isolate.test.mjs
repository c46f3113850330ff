// Untrusted right-to-left text does not reorder its neighbours.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { close, data, open, write } from './lib.mjs';

after(close);

test('the name of a file reorders nothing beside it', async () => {
    const changed = data('loss');
    for (const document of Object.values(changed.documents)) document.captures[0].path = 'א] ב';
    const { page, done } = await open(write('right-to-left', changed));
    assert.equal(await page.locator('.file-name bdi').textContent(), 'א] ב');
    assert.match(await page.title(), /^\u2068א] ב\u2069 – /);
    // Positions of characters on the screen: the text after the name is to the right of all of it.
    const places = await page.evaluate(() => {
        const line = [...document.querySelectorAll('li')].find((element) => element.textContent.includes('א'));
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        const all = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (let at = 0; at < node.data.length; at++) {
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + 1);
                const { left, right } = range.getBoundingClientRect();
                all.push({ sign: node.data[at], left, right });
            }
        }
        return all;
    });
    const first = places.findIndex(({ sign }) => sign === 'א');
    const last = places.findIndex(({ sign }) => sign === 'ב');
    const name = places.slice(first, last + 1);
    const next = places.slice(last + 1).find(({ left, right }) => right > left);
    assert.ok(next.left >= Math.max(...name.map(({ right }) => right)) - 0.5, JSON.stringify(places));
    await done();
});
