// Opens the page in Chromium, counts its requests, and passes files to it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from '../../viewer/scripts/browser.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const page = `${root}target/web/tcpwhy.html`;

/** A report whose connection has been read; before, the page shows its own bar. */
export const report = 'body:has(.web-again) #main > :not([role=status])';

let browser;

export async function close() {
    await browser?.close();
    browser = undefined;
}

/** A bundled capture. */
export const sample = (name) => ({
    name: `${name}.pcap.gz`,
    mimeType: 'application/octet-stream',
    buffer: readFileSync(`${root}samples/${name}.pcap.gz`),
});

/** Opens the page, from disk unless `url` is given; `done()` fails if it requested anything besides itself,
 *  or logged errors. */
export async function open({ url = pathToFileURL(page).href, hash = '', width = 1280, height = 800, ...options } = {}) {
    browser ??= await launch();
    const context = await browser.newContext({ viewport: { width, height }, locale: 'en-US', acceptDownloads: true, ...options });
    const asked = [];
    // Only requests for the page itself pass, and all are counted.
    await context.route('**', (route) => {
        const to = route.request().url();
        if (to.split('#')[0] === url) return route.continue();
        asked.push(to);
        return route.abort();
    });
    const tab = await context.newPage();
    tab.setDefaultTimeout(Number(process.env.TCPWHY_PATIENCE ?? 30_000));
    const complaints = [];
    tab.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    tab.on('pageerror', (error) => complaints.push(String(error)));
    await tab.goto(url + hash);
    await tab.waitForSelector('h1');
    return {
        page: tab,
        asked,
        complaints,
        done: async () => {
            await context.close();
            assert.deepEqual(complaints, []);
            assert.deepEqual(
                asked.filter((to) => !/^(data|blob):/.test(to)),
                [],
            );
        },
    };
}

/** Opens files in the page and waits for their report. */
export async function explain(tab, files, { isMerged = false } = {}) {
    if (isMerged) await tab.check('#merge');
    await tab.setInputFiles('#files', files);
    await tab.waitForSelector(`${report}, [role=alert]`);
}

/** The file that `Save as JSON` saves. */
export async function saved(tab) {
    const [download] = await Promise.all([tab.waitForEvent('download'), tab.click('.web-save')]);
    return readFileSync(await download.path());
}
