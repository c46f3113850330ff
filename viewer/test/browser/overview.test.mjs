// Many connections; missing details; hostile text; details that end or are fetched.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { close, data, open, report, settle, status, write } from './lib.mjs';
import { many } from './many.mjs';

after(close);

test('the overview sorts, searches and links; the way back works', async () => {
    const { page, done } = await open(report('several'));
    const rows = () => page.locator('.connection:not(.connection-head)');
    assert.equal(await rows().count(), 3);
    await page.click('.cell-bytes .sort');
    const bytes = await rows().locator('.cell-bytes').allTextContents();
    assert.equal(await page.getAttribute('[role="columnheader"].cell-bytes', 'aria-sort'), 'descending');
    await page.click('.cell-bytes .sort');
    assert.deepEqual(await rows().locator('.cell-bytes').allTextContents(), bytes.reverse());
    const name = await rows().first().locator('.cell-verdict').textContent();
    await page.fill('#search', 'no such thing');
    assert.equal(await rows().count(), 0);
    assert.equal(await page.textContent('.unknown-words'), 'unknown word: no, such, thing');
    await page.fill('#search', 'time>1000s');
    assert.equal(await page.locator('.unknown-words').count(), 0, 'a condition is no unknown word');
    await page.fill('#search', '#2');
    assert.equal(await rows().count(), 1);
    await page.fill('#search', '');
    assert.ok(name.length > 2);
    await page.click('.connection a >> nth=0');
    await page.waitForSelector('.chart-sequence');
    assert.match(await page.evaluate(() => location.hash), /^#c\d/);
    await page.click('.back');
    await page.waitForSelector('.overview');
    await page.goBack();
    await page.waitForSelector('.chart-sequence');
    await done();
});

test('what can be opened looks so, and what cannot says why', async () => {
    const { page, done } = await open(write('lines', many(1)));
    assert.equal(await page.locator('.connection.is-open a').count(), 1);
    assert.equal(await page.locator('.connection.is-line').count(), 2);
    assert.equal(await page.locator('.connection.is-line a').count(), 0);
    assert.match(await page.textContent('.partial'), /Details of 1 of 3 connections.*tcpwhy serve/);
    await page.click('.why-not >> nth=0');
    assert.match(await page.textContent('.overview .notice'), /Connection 100\d has no details in this page.*--connection 100\d/);
    await page.click('[data-only="isOpenable"]');
    assert.equal(await page.locator('.connection:not(.connection-head)').count(), 1);
    // A click anywhere in the row opens it.
    await page.click('.connection.is-open .cell-bytes');
    await page.waitForSelector('.chart-sequence');
    await done();
});

test('what was wrong with a capture stands at the top, and all of it at the end', async () => {
    const damage = ['A damaged record', 'A packet cut short'];
    const damaged = (name) => {
        const value = data(name);
        for (const { captures } of Object.values(value.documents))
            captures[0].anomalies = damage.map((text) => ({ kind: 'damaged-record', count: 1, first_packet: 107, text }));
        return write(`damaged-${name}`, value);
    };
    for (const name of ['loss', 'several']) {
        const { page, done } = await open(damaged(name));
        assert.match(await page.textContent('.taken-remark'), /^A damaged record \(\d+ more at the end of the page\)$/);
        const ends = await page.locator('footer .notice').allTextContents();
        for (const text of damage) assert.ok(ends.includes(text), ends.join());
        await done();
    }
    const { page, done } = await open(report('loss'));
    assert.equal(await page.locator('.taken-remark').count(), 0);
    await done();
});

test('where room is short the folder of a capture is cut, not its name', async () => {
    const value = data('loss');
    const folder = `/${'a-long-folder/'.repeat(8)}`;
    for (const document of Object.values(value.documents)) document.captures[0].path = `${folder}tuesday.pcapng`;
    const { page, done } = await open(write('long-path', value));
    const isCut = (part) => page.locator(part).evaluate((element) => element.scrollWidth > element.clientWidth);
    assert.equal(await page.textContent('.file-name'), 'tuesday.pcapng');
    assert.deepEqual([await isCut('.file-folder'), await isCut('.file-name')], [true, false]);
    await done();
});

test('savings of single connections stand in their rows, as bounds where they are that', async () => {
    const { page, done } = await open(write('lines-title', many(2)));
    // The first has no prediction, the second has one.
    const savings = await page.locator('[role="cell"].cell-lost').allTextContents();
    assert.deepEqual(savings.slice(0, 2), ['≤6.00 s', '5.00 s']);
    assert.match(await page.textContent('#overview'), /≤: upper bound; the effect of a fix is not predicted there\./);
    await done();
});

test('thousands are grouped by server, host and cause, and a group lists its own', async () => {
    const { page, done } = await open(write('thousands', many(800)));
    const found = () => page.textContent('#connections .card-head [role="status"]');
    assert.match(await found(), /^2,400 of 2,400$/);
    for (const [by, group, expected] of [
        ['cause', /.+/, 3],
        ['host', /\d/, 2],
    ]) {
        await page.click(`[data-group="${by}"]`);
        assert.equal(await page.getAttribute(`[data-group="${by}"]`, 'aria-pressed'), 'true');
        const names = await page.locator('.group-table tbody th').allTextContents();
        assert.ok(names.length >= 1 && names.length <= expected && names.every((name) => group.test(name)), `${by}: ${names}`);
        const counts = (await page.locator('.group-table tbody td:nth-child(2)').allTextContents()).map((text) =>
            Number(text.replace(',', '')),
        );
        const total = counts.reduce((sum, n) => sum + n, 0);
        assert.equal(total, by === 'host' ? 4800 : 2400, `${by}: ${counts}`);
        await page.click('.group-table tbody th button >> nth=0');
        assert.equal(Number((await found()).split(' ')[0].replace(',', '')), counts[0]);
        await page.click('.chip button');
        assert.match(await found(), /^2,400 of/);
    }
    await page.click('[data-group="service"]');
    const services = await page.locator('.service-table tbody tr').count();
    await page.click('.service-table tbody th button >> nth=0');
    assert.equal(Number((await found()).split(' ')[0].replace(',', '')), 2400 / services);
    await page.click('.chip button');
    // A cause that does not fit is cut with dots, and its tooltip has the full text.
    const cut = await page.evaluate(() =>
        [...document.querySelectorAll('.connection:not(.connection-head) .cell-verdict > span:last-child')].every(
            (cause) => getComputedStyle(cause).textOverflow === 'ellipsis' && (cause.title !== '' || cause.matches('.soft')),
        ),
    );
    assert.ok(cut);
    // Few rows exist as elements at a time.
    assert.ok((await page.locator('.connection').count()) < 60);
    await done();
});

test('problems come first: the heading is the first, and each lists its connections and opens its example', async () => {
    const value = many(10);
    const problem = (sentence, n, example) => ({
        ...{ address: '192.0.2.1', port: 80, kind: 'failed', cause: 'refused', sender: null, of_connections: 30, exchanges: 0 },
        ...{ lost_s: 1, severity: 'critical', bytes: [0, 0], lasted_s: [0, 1], start_ns: 0, end_ns: 1 },
        ...{ sentence, connections: n, example, answer: { is_change: true, is_shown: true, fix: `Fix ${n}.` } },
    });
    const first = value.charts[0].connection;
    for (const [tag, document] of Object.entries(value.documents)) {
        document.problems = [problem('Three were refused.', 3, first), problem('Two were slow.', 2, 77)];
        const { answer } = value.headlines[tag];
        value.headlines[tag].answer = { ...answer, why: 'Three were refused.', fix: 'Start it.', is_shown: true };
        value.headlines[tag].problem = 0;
    }
    const { page, done } = await open(write('problems', value));
    assert.equal(await page.textContent('h1'), 'Three were refused.');
    assert.equal(await page.textContent('.overview-fix'), 'Start it.');
    // The list does not repeat the problem of the heading.
    assert.equal(await page.locator('.problem-sentence').count(), 1);
    assert.match(await page.textContent('.problem-sentence'), /Two were slow/);
    assert.equal(await page.textContent('.problem-fix'), 'Fix 2.');
    // One ranking: numbers in ascending order, each in the colour of its severity, which is next to it as
    // text.
    assert.deepEqual(await page.locator('.problem-number').allTextContents(), ['1', '2']);
    assert.equal(await page.locator('.problem-number.is-critical').count(), 2);
    assert.match(await page.textContent('.overview-head .problem-evidence'), /^critical · connections: 3 of 30 · 1\.00\ss lost$/);
    // Only the connections of the problem are dots in its row.
    assert.match(
        await page.getAttribute('.overview-head .problem-dots canvas', 'aria-label'),
        /^3 connections.*3 of them failed$/,
    );
    const found = () => page.textContent('#connections .card-head [role="status"]');
    await page.click('.overview-head .problem-list');
    assert.equal(await found(), '3 of 30');
    const causes = await page.locator('[role="cell"].cell-verdict').allTextContents();
    assert.deepEqual([...new Set(causes)], ['refused']);
    await page.click('.chip button');
    assert.equal(await found(), '30 of 30');
    await page.click('[data-only="hasFailed"]');
    assert.equal(await found(), '3 of 30');
    // An example without details explains how to open it.
    await page.click('.problem .problem-example');
    assert.match(await page.textContent('#connections .notice'), /Connection 77 has no details/);
    await page.click('.overview-head .problem-example');
    await page.waitForSelector('.charts');
    await done();
});

test('a problem shows how long the requests of its server took, and selects them', async () => {
    const value = many(10);
    const [one, two] = ['192.0.2.1:80', '[2001:db8::2]:443'];
    const service = value.services[0];
    const line = (server, done) => ({
        ...{ ...service, server, exchanges: 20, failures: [], time_s: [0.01, 0.1, 0.2] },
        histogram: { first: 20, done, failed: done.map(() => 0) },
    });
    value.services = [line(one, [10, 10, 0, 0, 0]), line(two, [0, 0, 0, 5, 15])];
    const problem = (address, port, example) => ({
        ...{ address, port, kind: 'slow', cause: 'path', sender: null, of_connections: null, exchanges: 0, lost_s: 1 },
        ...{ severity: 'warning', bytes: [0, 0], lasted_s: [0, 1], start_ns: 0, end_ns: 1, connections: 2, example },
        ...{ sentence: `Slow at ${port}.`, answer: { is_change: false, is_shown: true } },
    });
    for (const [tag, document] of Object.entries(value.documents)) {
        document.problems = [problem('192.0.2.1', 80, 1), problem('2001:db8::2', 443, 2), problem('192.0.2.1', null, 3)];
        value.headlines[tag].problem = 0;
    }
    const { page, done } = await open(write('problem-services', value));
    // Small histograms share one scale: the slow server's bars are further to the right.
    const filled = await page
        .locator('.mini-bars')
        .evaluateAll((all) => all.map((bars) => [...bars.children].map((bin) => bin.children.length)));
    assert.deepEqual(filled, [
        [1, 1, 0, 0, 0],
        [0, 0, 0, 1, 1],
    ]);
    const shown = () => page.locator('#histogram-service option:checked').textContent();
    assert.equal(await shown(), one);
    await page.click('.problem >> nth=0');
    assert.equal(await shown(), two);
    assert.deepEqual(
        await page.locator('.problem-select').evaluateAll((all) => all.map((each) => each.getAttribute('aria-pressed'))),
        ['false', 'true'],
    );
    // The click did not filter the list, and keys have the same effect.
    assert.equal(await page.textContent('#connections .card-head [role="status"]'), '30 of 30');
    await page.focus('.overview-head .problem-select');
    await page.keyboard.press('Enter');
    assert.equal(await shown(), one);
    const height = await page.locator('#histogram').evaluate((card) => card.getBoundingClientRect().height);
    assert.ok(height <= 260, `${height}`);
    await done();
});

test('captures have a column, a group and a word of the search; one capture has none', async () => {
    const { page, done } = await open(write('captures', many(10)));
    const found = () => page.textContent('#connections .card-head [role="status"]');
    const names = ['nagle-delayed-ack.pcap.gz', 'syn-retry.pcap.gz', 'request-response.pcap.gz'];
    await page.click('.cell-capture .sort');
    assert.equal(await page.locator('[role="cell"].cell-capture').first().textContent(), names[0]);
    await page.fill('#search', 'capture:retry');
    assert.equal(await found(), '10 of 30');
    assert.deepEqual([...new Set(await page.locator('[role="cell"].cell-capture').allTextContents())], [names[1]]);
    await page.fill('#search', '');
    await page.click('[data-group="capture"]');
    const groups = await page.locator('.group-table tbody th').allTextContents();
    assert.deepEqual([...groups].sort(), [...names].sort());
    await page.click('.group-table tbody th button >> nth=0');
    assert.equal(await found(), '10 of 30');
    await done();
    const one = many(10);
    for (const document of Object.values(one.documents)) document.captures = document.captures.slice(0, 1);
    const single = await open(write('one-capture', one));
    assert.equal(await single.page.locator('.cell-capture, [data-group="capture"]').count(), 0);
    await single.done();
});

test('probes are a pale line of their own, and waiting is a pale part of the bar', async () => {
    const value = many(10);
    const bits = Array.from({ length: 30 }, (_, i) => (i < 4 ? 1 : 0));
    value.overview.probe = `u8:${Buffer.from(new Uint8Array(bits)).toString('base64')}`;
    value.spent = [{ limit: 1, seconds: 10 }];
    value.waiting = { connections: 3, seconds: 30, person_s: 20 };
    const { page, done } = await open(write('probes', value));
    assert.match(await page.textContent('.is-no-problem'), /Probes: 4\. They carried no data/);
    await page.click('[data-list="probes"]');
    assert.equal(await page.textContent('#connections .card-head [role="status"]'), '4 of 30');
    assert.equal(await page.getAttribute('[data-only="isProbe"]', 'aria-pressed'), 'true');
    assert.match(await page.textContent('#spent h2'), /40\.0 s/);
    const shares = await page
        .locator('.spent-part')
        .evaluateAll((parts) => parts.map((part) => [part.matches('.is-pale'), part.getBoundingClientRect().width]));
    assert.deepEqual(
        shares.map(([isPale]) => isPale),
        [false, true, true],
    );
    assert.ok(Math.abs(shares[1][1] / shares[0][1] - 2) < 0.05, `${shares}`);
    assert.match(await page.textContent('#spent .legend'), /waiting for a person.*20\.0 s · 50%/);
    await done();
});

test('a heading that speaks of no problem has no buttons, and all problems are listed', async () => {
    const value = many(10);
    for (const [tag, document] of Object.entries(value.documents)) {
        const probes = {
            address: '192.0.2.1',
            port: null,
            kind: 'probed',
            cause: 'unanswered',
            severity: 'info',
            sentence: 'Ports were tried.',
        };
        const answer = { is_change: false, is_shown: true, fix: 'nothing' };
        document.problems = [{ ...probes, answer, connections: 20, example: 77 }];
        value.headlines[tag].problem = null;
    }
    const { page, done } = await open(write('no-problem', value));
    assert.equal(await page.locator('.overview-head button').count(), 0);
    assert.deepEqual(await page.locator('.problem-sentence').allTextContents(), ['Ports were tried.']);
    // An answer without a change shows no fix.
    assert.equal(await page.locator('.problem-fix').count(), 0);
    await done();
});

test('bars of the histogram narrow the list, by dragging and by keys', async () => {
    const value = many(10);
    value.services = [
        {
            ...value.services[0],
            exchanges: 30,
            failures: [{ kind: 'refused', connections: 3 }],
            histogram: { first: 20, done: [6, 6, 6, 6, 6], failed: [0, 0, 0, 3, 0] },
        },
    ];
    const { overview } = value;
    overview.service = `u8:${Buffer.from(new Uint8Array(30)).toString('base64')}`;
    const { page, done } = await open(write('histogram', value));
    const found = () => page.textContent('#connections .card-head [role="status"]');
    const bars = page.locator('.bin:not([disabled])');
    assert.equal(await bars.count(), 5);
    assert.match(await page.textContent('.histogram-legend'), /requests: 30.*3 refused/);
    await bars.nth(1).focus();
    await page.keyboard.press('Enter');
    assert.equal(await found(), '6 of 30');
    const [from, to] = [await bars.nth(0).boundingBox(), await bars.nth(2).boundingBox()];
    await page.mouse.move(from.x + 5, from.y + from.height - 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + to.height - 5, { steps: 6 });
    await page.mouse.up();
    assert.equal(await found(), '18 of 30');
    assert.equal(await page.locator('.bin[aria-pressed="true"]').count(), 3);
    // Failures have their own colour.
    const colours = await page.evaluate(() =>
        ['.bin-done', '.bin-failed'].map((part) => getComputedStyle(document.querySelector(part)).backgroundColor),
    );
    assert.notEqual(colours[0], colours[1]);
    await done();
});

test('connections have their place on a time axis, and sort by it', async () => {
    const { page, done } = await open(write('when', many(10)));
    await page.click('.cell-start .sort');
    const lefts = await page.evaluate(() =>
        [...document.querySelectorAll('.connection:not(.connection-head) .when canvas')].map(
            (bar) => bar.getBoundingClientRect().left,
        ),
    );
    assert.ok(lefts.length > 8 && lefts.every((left, i) => i === 0 || left >= lefts[i - 1]), `${lefts}`);
    assert.ok(lefts.at(-1) > lefts[0] + 20);
    // The connection with charts shows its limits over time: more than one colour.
    const colours = await page.evaluate(() =>
        [...document.querySelectorAll('.when canvas')].map((canvas) => {
            const { data: pixels } = canvas.getContext('2d').getImageData(0, 0, canvas.width, 1);
            return new Set(Array.from({ length: canvas.width }, (_, x) => pixels.slice(x * 4, x * 4 + 4).join())).size;
        }),
    );
    assert.ok(Math.max(...colours) > 1, `${colours}`);
    await done();
});

test('on a phone the overview needs no sideways scrolling', async () => {
    const { page, done } = await open(write('phone', many(100, [0, 1, 2, 3, 4, 5, 6, 7, 255])), {
        width: 390,
        height: 844,
        hasTouch: true,
        isMobile: true,
        hash: '#lang=zh-CN',
    });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const isWide = await page.evaluate(() =>
        [...document.querySelectorAll('.connection-table, .connection-table .scroller')].some(
            (one) => one.scrollWidth > one.clientWidth + 1,
        ),
    );
    assert.equal(isWide, false);
    // No part of the legend is out of sight, because fingers and keys could not scroll to it.
    const keys = await page.evaluate(() =>
        [...document.querySelectorAll('.overview .legend-key')].map((key) => key.getBoundingClientRect().right),
    );
    assert.ok(keys.length > 3 && keys.every((right) => right <= 390), `${keys}`);
    for (const name of ['ends', 'bytes', 'verdict', 'start']) {
        const box = await page.locator(`.connection:not(.connection-head) .cell-${name} >> nth=0`).boundingBox();
        assert.ok(box && box.width > 20 && box.x >= 0 && box.x + box.width <= 390, `${name} ${JSON.stringify(box)}`);
    }
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /⟨|undefined|NaN/);
    await done();
});

test('a connection that is not in the report is said to be missing', async () => {
    const { page, done } = await open(report('several'), { hash: '#c2' });
    await page.evaluate(() => (location.hash = '#c77'));
    await page.waitForSelector('[role="alert"]');
    assert.match(await page.textContent('[role="alert"]'), /77/);
    await done();
});

test('text of the capture stays text', async () => {
    const value = data('request-response');
    const bad = '<img src=x onerror="document.title=\'owned\'"></script><b>';
    for (const document of Object.values(value.documents)) {
        document.captures[0].path = bad;
        document.connections[0].halves[0].verdict.sentence = bad;
        Object.assign(document.connections[0].halves[0].answer, { why: bad, fix: bad });
        document.connections[0].halves[0].findings.forEach((finding) => {
            finding.sentence = bad;
            for (const fix of finding.fixes) fix.lines = [bad];
        });
    }
    value.charts[0].endpoints = [bad, bad];
    const { page, done } = await open(write('hostile', value));
    assert.equal(await page.locator('img, main b').count(), 0);
    assert.ok((await page.textContent('.file')).includes(bad));
    assert.notEqual(await page.title(), 'owned');
    await done();
});

test('data that is no data is told in a line', async () => {
    const path = write('broken', { format: 'other' });
    const { page, done } = await open(report('request-response'));
    await page.goto(`file://${path}`);
    await page.waitForFunction(() => document.body.textContent.includes('cannot be read'));
    await done();
});

/** The data with charts as if aggregated in bins of 10 ms. */
function coarse(server) {
    const value = data('send-buffer');
    const original = structuredClone(value.charts[0]);
    for (const half of value.charts[0].halves) half.bin_s = 0.01;
    value.charts[0].packets = null;
    value.server = server;
    return { value, original };
}

test('zoom below the detail of the report says so', async () => {
    const { page, done } = await open(write('coarse', coarse(null).value), { hash: '#t=1.2-1.4' });
    assert.match(await page.textContent('.detail-note'), /10\.0 ms/);
    assert.match(await page.textContent('#packets'), /tcpwhy serve/);
    await page.focus('#charts');
    await page.keyboard.press('0');
    await settle(page);
    assert.equal(await page.textContent('.detail-note'), '');
    await done();
});

test('with a server, more detail is fetched', async () => {
    const { value, original } = coarse({ chart: 'api/chart' });
    const path = write('served', value, { connect: true });
    const asked = [];
    const server = createServer((request, response) => {
        const url = new URL(request.url, 'http://localhost');
        if (url.pathname === '/api/chart') {
            asked.push([Number(url.searchParams.get('from')), Number(url.searchParams.get('to'))]);
            const [from_s, to_s] = asked.at(-1);
            response.end(
                JSON.stringify({ format: value.format, documents: value.documents, chart: { ...original, from_s, to_s } }),
            );
        } else {
            response.setHeader('content-type', 'text/html; charset=utf-8');
            response.end(readFileSync(path));
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${server.address().port}/`;
    try {
        const { page, done } = await open(base, { hash: '#t=1.2-1.4', allow: (url) => url.startsWith(base) });
        await page.waitForFunction(() => document.querySelector('.detail-note')?.textContent === '');
        assert.equal(asked.length, 1);
        assert.ok(asked[0][0] <= 1.2 && asked[0][1] >= 1.4);
        assert.match(await status(page), /^1\.2/);
        // Fetched details are reused for neighbouring stretches.
        await page.focus('#charts');
        await page.keyboard.press('ArrowRight');
        await page.waitForTimeout(400);
        assert.equal(asked.length, 1);
        await done();
    } finally {
        server.close();
    }
});
