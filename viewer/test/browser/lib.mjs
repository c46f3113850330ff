// Opens reports in Chromium and checks that they make no requests and print no errors.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from '../../scripts/browser.mjs';
import { dataOf } from '../../scripts/data.mjs';
import { page as pageAround } from '../../scripts/page.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Folder where test.sh puts the reports of the samples, made by the built tcpwhy. */
export const reports = `${root}.test/reports/`;

let browser;

/** The browser, started once. */
export async function shared() {
    browser ??= await launch();
    return browser;
}

/** Closes the browser. */
export async function close() {
    await browser?.close();
    browser = undefined;
}

/** The path of the report of a sample. */
export const report = (name) => `${reports}${name}.html`;

/** The data of the report of a sample. */
export const data = (name) => JSON.parse(dataOf(readFileSync(report(name), 'utf8')));

/** Writes a page with changed data; returns its path. */
export function write(name, value, options) {
    mkdirSync(`${root}.test/made`, { recursive: true });
    const path = `${root}.test/made/${name}.html`;
    writeFileSync(path, pageAround(JSON.stringify(value), options));
    return path;
}

/** Opens a page; `done()` closes it, and fails if it made requests or logged errors or warnings. */
export async function open(path, { hash = '', width = 1280, height = 800, allow = () => false, ...options } = {}) {
    const context = await (await shared()).newContext({ viewport: { width, height }, ...options });
    const page = await context.newPage();
    const complaints = [];
    page.on('console', (message) => {
        // The tests themselves read pixels, which causes this warning.
        if (/willReadFrequently/.test(message.text())) return;
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith('file:') && !url.startsWith('data:') && !allow(url)) complaints.push(`asked for ${url}`);
    });
    const url = path.startsWith('http') ? path : pathToFileURL(path).href;
    await page.goto(url + hash);
    await page.waitForSelector('h1');
    await settle(page);
    return {
        page,
        done: async () => {
            await context.close();
            assert.deepEqual(complaints, []);
        },
    };
}

/** Waits until two frames are drawn. */
export async function settle(page) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** The visible stretch and the cursor, as text of the page. */
export const status = (page) => page.textContent('.strip-head .where');

/** The time at the cursor, seconds, once the line shows it. It is drawn with the next frame, which is late on
 *  a busy machine. */
export async function cursorTime(page) {
    const told = () => /at ([\d.]+) s/.exec(document.querySelector('.strip-head .where')?.textContent ?? '')?.[1];
    return Number(await (await page.waitForFunction(told)).jsonValue());
}

/** The stretch in the address, once it has been updated and `accept` returns true; after 3 s, the present
 *  one. */
export async function addressTime(page, accept = () => true) {
    for (let i = 0; ; i++) {
        await page.waitForTimeout(300);
        const match = /[#&]t=([\d.e-]+?)-([\d.]+)(?:&|$)/.exec(await page.evaluate(() => location.hash));
        const time = match ? [Number(match[1]), Number(match[2])] : null;
        if (accept(time) || i >= 10) return time;
    }
}

/** The box of a chart's stage on the screen, scrolled into sight. */
export async function stage(page, chart) {
    const element = page.locator(`.chart-${chart} .stage`);
    await element.scrollIntoViewIfNeeded();
    await settle(page);
    return element.boundingBox();
}

/** Times (seconds) of the columns in which a canvas has a pixel that passes `test(r, g, b)`, given as source
 *  text. */
export async function columnsWith(page, chart, layer, test) {
    return page.evaluate(
        ([name, which, source]) => {
            const canvas = document.querySelector(`.chart-${name} canvas.${which}`);
            const take = { data: (r, g, b) => r < 45 && g < 45 && b < 50, cursor: () => true }[source];
            const { width, height } = canvas;
            const pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data;
            const found = [];
            for (let x = 0; x < width; x++) {
                for (let y = 0; y < height; y++) {
                    const at = (y * width + x) * 4;
                    if (pixels[at + 3] > 120 && take(pixels[at], pixels[at + 1], pixels[at + 2])) {
                        found.push(x);
                        break;
                    }
                }
            }
            return found;
        },
        [chart, layer, test],
    );
}
