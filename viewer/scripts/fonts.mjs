// Checks that the browser has a font with Chinese characters: without one it silently draws the same empty
// box for each.
import { launch } from './browser.mjs';

const browser = await launch();
const page = await browser.newPage();
const looks = await page.evaluate(() =>
    Array.from('窗口', (character) => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [64, 64];
        const context = canvas.getContext('2d');
        context.font = '48px sans-serif';
        context.fillText(character, 4, 52);
        return canvas.toDataURL();
    }),
);
await browser.close();
if (looks[0] === looks[1]) {
    console.error('no font of this machine has Chinese characters: install one (Debian, Ubuntu: fonts-wqy-microhei)');
    process.exit(1);
}
