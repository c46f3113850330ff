// Report size, time to the first paint and to the charts, and frames per second while panning and zooming.
//   node run.mjs TCPWHY [PACKETS…]     (default 10000 1000000 10000000; captures in bench/out)
// Ends with status 1 if a bound is missed: 10 MB, 2 s, 50 frames/s.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from '../scripts/browser.mjs';

const BOUNDS = { bytes: 10e6, seconds: 2, frames: 50 };
const here = fileURLToPath(new URL('.', import.meta.url));
const [tcpwhy, ...sizes] = process.argv.slice(2);
if (!tcpwhy) {
    console.error('usage: node run.mjs TCPWHY [PACKETS…]');
    process.exit(2);
}
const out = `${here}out`;
mkdirSync(out, { recursive: true });
const browser = await launch();

/** Spins, and adds the page thread's processor time per frame: on a busy machine that is more reliable than
 *  frames per second. */
async function measure(page, kind) {
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async () =>
        (await client.send('Performance.getMetrics')).metrics.find((metric) => metric.name === 'TaskDuration').value;
    const before = await busy();
    const result = await page.evaluate(spin, [kind, 3]);
    return { ...result, cost: (((await busy()) - before) * 1000) / result.frames };
}

/** Runs in the page: turns the wheel once per frame for `seconds`. Returns the number of frames, and the 95th
 *  percentile of their time. */
async function spin([kind, seconds]) {
    const stage = document.querySelector('.chart-sequence .stage');
    const box = stage.getBoundingClientRect();
    const times = [];
    let direction = 1;
    let turns = 0;
    await new Promise((resolve) => {
        const started = performance.now();
        const step = (now) => {
            times.push(now);
            if (performance.now() - started > seconds * 1000) return resolve();
            if (++turns % 40 === 0) direction = -direction;
            stage.dispatchEvent(
                new WheelEvent('wheel', {
                    bubbles: true,
                    cancelable: true,
                    clientX: box.left + box.width / 2,
                    clientY: box.top + 50,
                    deltaY: direction * 20,
                    shiftKey: kind === 'pan',
                    ctrlKey: kind === 'zoom',
                }),
            );
            requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    });
    const gaps = times
        .slice(1)
        .map((time, i) => time - times[i])
        .sort((a, b) => a - b);
    return {
        frames: times.length,
        fps: ((times.length - 1) / (times.at(-1) - times[0])) * 1000,
        slow: gaps[Math.floor(gaps.length * 0.95)],
    };
}

const rows = [];
let isMissed = false;
for (const packets of sizes.length > 0 ? sizes.map(Number) : [10_000, 1_000_000, 10_000_000]) {
    const capture = `${out}/${packets}.pcap`;
    const report = `${out}/${packets}.html`;
    if (!existsSync(capture)) execFileSync(process.execPath, [`${here}capture.mjs`, String(packets), capture]);
    const begun = performance.now();
    execFileSync(tcpwhy, [capture, '--html', report], { stdio: ['ignore', 'ignore', 'inherit'] });
    const made = (performance.now() - begun) / 1000;
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
            if (!document.querySelector('.chart-sequence canvas')) return;
            observer.disconnect();
            // Drawn in this frame, displayed in the next.
            requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.chartsAt = performance.now())));
        }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(pathToFileURL(report).href);
    await page.waitForFunction(() => globalThis.chartsAt !== undefined);
    const charts = (await page.evaluate(() => globalThis.chartsAt)) / 1000;
    const paint = (await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN)) / 1000;
    await page.locator('.chart-sequence .stage').scrollIntoViewIfNeeded();
    await page.evaluate(() => document.querySelector('.charts').scrollIntoView());
    const zoom = await measure(page, 'zoom');
    await page.focus('#charts');
    for (const key of ['0', '+', '+', '+']) await page.keyboard.press(key);
    await page.waitForTimeout(300);
    const pan = await measure(page, 'pan');
    const bytes = statSync(report).size;
    rows.push({
        packets: packets.toLocaleString('en'),
        'report MB': (bytes / 1e6).toFixed(2),
        'made in s': made.toFixed(2),
        'first paint s': paint.toFixed(2),
        'charts s': charts.toFixed(2),
        'zoom frames/s': zoom.fps.toFixed(0),
        'zoom p95 ms': zoom.slow.toFixed(0),
        'zoom CPU ms': zoom.cost.toFixed(1),
        'pan frames/s': pan.fps.toFixed(0),
        'pan p95 ms': pan.slow.toFixed(0),
        'pan CPU ms': pan.cost.toFixed(1),
    });
    if (bytes > BOUNDS.bytes || charts > BOUNDS.seconds || zoom.fps < BOUNDS.frames || pan.fps < BOUNDS.frames) isMissed = true;
    await page.close();
}
await browser.close();
console.table(rows);
if (isMissed) {
    console.error(
        `missed: at most ${BOUNDS.bytes / 1e6} MB, ${BOUNDS.seconds} s to the charts, at least ${BOUNDS.frames} frames/s`,
    );
    process.exit(1);
}
