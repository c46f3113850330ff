// Pictures of reports for the documentation: `node pictures.mjs REPORTS OUT SAMPLE…`. They are WebP of at
// most 100 kB. Also the moving picture of `tour.mjs`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { launch } from './browser.mjs';
import { tour } from './tour.mjs';

const LIMIT = 100_000;
const [reports, out, ...samples] = process.argv.slice(2);

/** Parts to show: `part` is the element, `height` its visible height from the top. */
const PICTURES = [
    { name: 'answer', report: 'send-buffer', width: 1280, height: 800 },
    { name: 'answer-zh-dark', report: 'zero-window', width: 1280, height: 800, hash: '#lang=zh-CN&theme=dark' },
    { name: 'send-buffer', report: 'send-buffer', part: '.charts', width: 1100, height: 760, hash: '#t=1.30-1.35' },
    { name: 'receive-window', report: 'receive-window-4k', part: '.charts', width: 1100, height: 760, hash: '#t=1.2-1.45' },
    { name: 'zero-window', report: 'zero-window', part: '.charts', width: 1100, height: 760 },
    { name: 'loss', report: 'loss', part: '.charts', width: 1100, height: 760, hash: '#t=3.2-4.2' },
    { name: 'path-queue-dark', report: 'path-queue', part: '.charts', width: 1100, height: 950, hash: '#theme=dark' },
    { name: 'overview', report: 'all', width: 1280, height: 800 },
    { name: 'phone', report: 'receive-window', width: 390, height: 844, scale: 2 },
    ...samples.map((sample) => ({ name: `samples/${sample}`, report: sample, width: 1000, height: 1250 })),
];

mkdirSync(`${out}/samples`, { recursive: true });
const browser = await launch();
let isTooLarge = false;
for (const { name, report, part, width, height, hash = '', scale = 1 } of PICTURES) {
    const page = await browser.newPage({
        viewport: { width, height: part ? height + 600 : height },
        deviceScaleFactor: scale,
        colorScheme: 'light',
    });
    await page.goto(pathToFileURL(`${reports}/${report}.html`).href + hash);
    await page.waitForSelector('h1');
    await page.waitForTimeout(500);
    let clip;
    if (part) {
        await page.evaluate((selector) => document.querySelector(selector).scrollIntoView(), part);
        await page.waitForTimeout(300);
        const box = await page.locator(part).boundingBox();
        clip = { x: box.x, y: Math.max(0, box.y), width: box.width, height: Math.min(height, box.height) };
    }
    const png = await page.screenshot({ clip });
    await page.close();
    // The policy of a report would forbid the picture, so another page converts it to WebP.
    const blank = await browser.newPage();
    const convert = async ([source, quality]) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        canvas.getContext('2d').drawImage(image, 0, 0);
        return canvas.toDataURL('image/webp', quality);
    };
    let bytes;
    for (const quality of [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]) {
        const url = await blank.evaluate(convert, [`data:image/png;base64,${png.toString('base64')}`, quality]);
        bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
        if (bytes.length <= LIMIT) break;
    }
    await blank.close();
    writeFileSync(`${out}/${name}.webp`, bytes);
    console.log(`${name}.webp ${bytes.length} bytes`);
    if (bytes.length > LIMIT) isTooLarge = true;
}
await tour(browser, `${reports}/all.html`, `${out}/tour.webp`);
await browser.close();
if (isTooLarge) {
    console.error(`a picture has more than ${LIMIT} bytes`);
    process.exit(1);
}
