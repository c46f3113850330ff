// The page from a static host: it can be installed, and it opens when the host is gone. The host learns
// nothing about its use.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { launch } from '../../viewer/scripts/browser.mjs';
import { explain, root, sample } from './lib.mjs';

const TYPES = {
    '': 'text/html',
    html: 'text/html',
    js: 'text/javascript',
    svg: 'image/svg+xml',
    webmanifest: 'application/manifest+json',
};
const FOLDER = '/any/folder/';

let browser;
after(() => browser?.close());

/** A host with the files of scripts/web; `changed` replaces the text of a file. */
async function host(changed = {}) {
    const asked = [];
    const server = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        const name = request.url.slice(FOLDER.length) || 'index.html';
        if (!request.url.startsWith(FOLDER) || !/^[\w.]+$/.test(name)) return response.writeHead(404).end();
        response.setHeader('content-type', TYPES[name.split('.').pop()]);
        const text = readFileSync(`${root}target/web/host/${name}`);
        return response.end(changed[name]?.(text.toString()) ?? text);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
        url: `http://127.0.0.1:${server.address().port}${FOLDER}`,
        asked,
        close: () => {
            server.closeAllConnections();
            return new Promise((resolve) => server.close(resolve));
        },
    };
}

async function visit(url) {
    browser ??= await launch();
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    page.setDefaultTimeout(Number(process.env.TCPWHY_PATIENCE ?? 30_000));
    const complaints = [];
    page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(url);
    await page.waitForSelector('#choose');
    return { context, page, complaints };
}

test('what a host offers can be installed, and opens and explains without the host', async () => {
    const { url, asked, close } = await host();
    const { context, page, complaints } = await visit(url);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const devtools = await context.newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    assert.equal(JSON.parse(data).start_url, './');
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // Tests run in a private window.
    assert.deepEqual(
        installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
        [],
    );
    await explain(page, [sample('loss')]);
    await page.waitForSelector('.chart-sequence canvas');
    const own = ['', 'manifest.webmanifest', 'icon.svg', 'offline.js'].map((name) => `GET ${FOLDER}${name}`);
    assert.deepEqual(
        asked.filter((request) => !own.includes(request)),
        [],
    );

    await close();
    for (const address of [url, `${url}index.html`, `${url}#buffers`]) {
        await page.goto('about:blank');
        await page.goto(address);
        await page.waitForSelector('h1');
    }
    await page.goto('about:blank');
    await page.goto(url);
    await explain(page, [sample('nagle-delayed-ack')]);
    await page.waitForSelector('.chart-sequence canvas');
    assert.match(await page.textContent('main'), /Nagle/);
    assert.deepEqual(complaints, []);
    await context.close();
});

test('what is kept offline is just what was built', async () => {
    const { url, close } = await host({ 'index.html': (text) => text.replace('</body>', '<p>from the host</p></body>') });
    const { context, page } = await visit(url);
    const outcome = await page.evaluate(async () => {
        await navigator.serviceWorker.register('offline.js');
        for (;;) {
            const registration = await navigator.serviceWorker.getRegistration();
            if (!registration) return 'refused';
            if (registration.active) return 'kept';
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    });
    assert.equal(outcome, 'refused');
    // The page itself works nevertheless.
    await explain(page, [sample('loss')]);
    await page.waitForSelector('.chart-sequence canvas');
    await context.close();
    await close();
});
