// The moving picture of the README: `node tour.mjs REPORT OUT` operates the page of several captures and
// writes OUT. It needs img2webp (Debian package webp).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './browser.mjs';

/** Size of the page. */
const SIZE = { width: 960, height: 600 };
/** Duration of a frame of a movement, milliseconds. */
const FRAME = 90;
/** Most bytes of the picture. */
const LIMIT = 1_500_000;
/** Options of img2webp: text stays sharp, and unchanged areas need no bytes. */
const ENCODING = ['-min_size', '-mixed', '-q', '80', '-m', '4'];
/** Allowed duration in seconds: long enough for a story, short enough to be watched. */
const SECONDS = [12, 17];

/**
 * The story, in order. Change it here when the page changes.
 * A selector that matches nothing ends the run, and the message names it.
 *
 * - `show`: nothing moves for `ms`.
 * - `move`: the pointer goes to `part`, at the shares `x` and `y` of its width and height.
 * - `click`: the same, then a click.
 * - `drag`: from `part` at `x`, `y` to the share `to` of its width, with the button down.
 * - `scroll`: until `part` is at the top of the window, `below` pixels under it.
 * - `choose`: the pointer goes to a list, and `value` is chosen.
 * - `wait`: no frame, until `part` is there.
 */
const STEPS = [
    { story: 'several captures', do: 'wait', part: '#overview' },
    { story: 'several captures', do: 'show', ms: 1500 },
    { story: 'one of them', do: 'scroll', part: '.connection-table', below: 120, ms: 540 },
    { story: 'one of them', do: 'click', part: '.connection:has-text("send buffer")', x: 0.3, y: 0.5, ms: 700 },
    { story: 'its answer', do: 'wait', part: '#answer' },
    { story: 'its answer', do: 'scroll', part: '#answer', below: 60, ms: 90 },
    { story: 'its answer', do: 'show', ms: 1900 },
    { story: 'the fix in Java', do: 'click', part: '.what [data-program="java"]', x: 0.5, y: 0.5, ms: 540 },
    { story: 'the fix in Java', do: 'show', ms: 1000 },
    { story: 'the proof', do: 'scroll', part: '.charts', below: 8, ms: 540 },
    { story: 'the proof', do: 'show', ms: 1100 },
    { story: 'the reason at the cursor', do: 'move', part: '.chart-window .stage', x: 0.2, y: 0.6, ms: 450 },
    { story: 'the reason at the cursor', do: 'move', part: '.chart-window .stage', x: 0.55, y: 0.4, ms: 1000 },
    { story: 'zoom', do: 'drag', part: '.chart-window .stage', x: 0.55, y: 0.4, to: 0.59, ms: 500 },
    { story: 'zoom', do: 'show', ms: 1400 },
    { story: 'the other language', do: 'scroll', part: '#answer', below: 60, ms: 360 },
    { story: 'the other language', do: 'choose', part: '#language', value: 'zh-CN', ms: 450 },
    { story: 'the other language', do: 'show', ms: 1700 },
];

/** Easing that is slow at both ends. */
const eased = (share) => share * share * (3 - 2 * share);

/** Records a page: every frame is a picture of it with the position of the pointer. */
class Film {
    frames = [];
    pointer = { x: 0.6 * SIZE.width, y: 0.55 * SIZE.height };
    isPressed = false;

    constructor(page) {
        this.page = page;
    }

    async take(milliseconds) {
        const png = await this.page.screenshot();
        this.frames.push({ png, milliseconds, pointer: { ...this.pointer }, isPressed: this.isPressed });
    }

    /** Calls `at` with shares from 0 to 1, and records a frame after each. */
    async during(milliseconds, at) {
        const count = Math.max(1, Math.round(milliseconds / FRAME));
        for (let index = 1; index <= count; index++) {
            await at(eased(index / count));
            await this.page.waitForTimeout(30);
            await this.take(FRAME);
        }
    }

    /** The first visible element that `selector` matches. */
    async part(selector) {
        const found = this.page.locator(selector).first();
        await found.waitFor({ state: 'visible', timeout: 5000 }).catch(() => {
            throw new Error(`nothing on the page matches ${selector}`);
        });
        return found;
    }

    async place({ part, x = 0.5, y = 0.5 }) {
        const { x: left, y: top, width, height } = await (await this.part(part)).boundingBox();
        const place = { x: left + x * width, y: top + y * height };
        if (place.y < 0 || place.y >= SIZE.height) throw new Error(`${part} is outside the window: scroll there before`);
        return place;
    }

    async moveTo(to, milliseconds) {
        const from = this.pointer;
        await this.during(milliseconds, async (share) => {
            this.pointer = { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
            await this.page.mouse.move(this.pointer.x, this.pointer.y);
        });
    }

    async press() {
        this.isPressed = true;
        await this.page.mouse.down();
        await this.take(FRAME);
    }

    async release() {
        await this.page.mouse.up();
        this.isPressed = false;
        await this.page.waitForTimeout(300);
        await this.take(FRAME);
    }
}

const ACTIONS = {
    show: (film, step) => film.take(step.ms),
    wait: async (film, step) => {
        await film.part(step.part);
        await film.page.waitForTimeout(400);
    },
    move: async (film, step) => film.moveTo(await film.place(step), step.ms),
    click: async (film, step) => {
        await film.moveTo(await film.place(step), step.ms);
        await film.press();
        await film.release();
    },
    drag: async (film, step) => {
        await film.moveTo(await film.place(step), step.ms);
        await film.press();
        await film.moveTo(await film.place({ ...step, x: step.to }), step.ms);
        await film.release();
    },
    scroll: async (film, step) => {
        const from = await film.page.evaluate(() => window.scrollY);
        const box = await (await film.part(step.part)).boundingBox();
        const to = Math.max(0, from + box.y - step.below);
        await film.during(step.ms, (share) => film.page.evaluate((y) => window.scrollTo(0, y), from + share * (to - from)));
    },
    choose: async (film, step) => {
        await film.moveTo(await film.place(step), step.ms);
        await film.press();
        await film.page.mouse.up();
        const chosen = await film.page
            .locator(step.part)
            .selectOption(step.value, { timeout: 2000 })
            .catch(() => []);
        if (chosen.length === 0) throw new Error(`${step.part} has no ${step.value}`);
        film.isPressed = false;
        await film.page.waitForTimeout(400);
        await film.take(FRAME);
    },
};

/** Runs in the browser: draws the pointer, which screenshots lack, and returns a data URL. */
async function withPointer([png, { x, y }, isPressed]) {
    const image = new Image();
    image.src = png;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    context.translate(x, y);
    if (isPressed) {
        context.beginPath();
        context.arc(0, 0, 14, 0, 2 * Math.PI);
        context.fillStyle = 'rgb(23 101 204 / 0.3)';
        context.fill();
    }
    const arrow = new Path2D('M0 0 L0 17 L4.2 13.2 L7 19.6 L9.8 18.4 L7 12.2 L12.4 12 Z');
    context.lineWidth = 2.5;
    context.strokeStyle = '#ffffff';
    context.stroke(arrow);
    context.fillStyle = '#101418';
    context.fill(arrow);
    return canvas.toDataURL('image/png');
}

/** Joins frames to an animated WebP that repeats. */
async function write(browser, frames, out) {
    // An empty page, because the policy of a report forbids other pictures.
    const blank = await browser.newPage();
    const folder = mkdtempSync(join(tmpdir(), 'tcpwhy-tour-'));
    try {
        const inputs = [];
        for (const [index, { png, milliseconds, pointer, isPressed }] of frames.entries()) {
            const source = `data:image/png;base64,${png.toString('base64')}`;
            const drawn = await blank.evaluate(withPointer, [source, pointer, isPressed]);
            const file = join(folder, `${index}.png`);
            writeFileSync(file, Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64'));
            inputs.push('-d', String(milliseconds), file);
        }
        execFileSync('img2webp', ['-loop', '0', ...ENCODING, ...inputs, '-o', out], { stdio: ['ignore', 'ignore', 'inherit'] });
    } finally {
        rmSync(folder, { recursive: true });
        await blank.close();
    }
}

/** Writes the moving picture of the page `report` to `out`. */
export async function tour(browser, report, out) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(pathToFileURL(report).href);
    const film = new Film(page);
    for (const [index, step] of STEPS.entries()) {
        try {
            await ACTIONS[step.do](film, step);
        } catch (error) {
            throw new Error(`tour, step ${index + 1} (${step.story}, ${step.do}): ${error.message}`);
        }
    }
    await page.close();
    await write(browser, film.frames, out);
    const seconds = film.frames.reduce((sum, frame) => sum + frame.milliseconds, 0) / 1000;
    const bytes = statSync(out).size;
    console.log(`${out} ${bytes} bytes, ${film.frames.length} frames, ${seconds.toFixed(1)} s`);
    if (bytes > LIMIT) throw new Error(`the moving picture has more than ${LIMIT} bytes: show less, or move less`);
    const [shortest, longest] = SECONDS;
    if (seconds < shortest || seconds > longest) throw new Error(`it takes ${seconds} s, not ${shortest} to ${longest} s`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    const [report, out] = process.argv.slice(2);
    const browser = await launch();
    await tour(browser, report, out).finally(() => browser.close());
}
