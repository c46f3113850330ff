// Chromium for tests, benches and pictures: the distribution's, without network or first-run pages.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts the browser. */
export async function launch() {
    const executablePath = candidates.find((path) => path && existsSync(path));
    if (!executablePath) throw new Error('chromium is missing: install it, or name it in CHROMIUM');
    return chromium.launch({
        executablePath,
        headless: true,
        args: [
            '--no-sandbox',
            '--disable-gpu',
            '--disable-background-networking',
            '--no-first-run',
            '--disable-extensions',
            '--disable-component-update',
            '--disable-sync',
            '--font-render-hinting=none',
        ],
    });
}
