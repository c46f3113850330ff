// Rectangles written directly into the pixels of a chart. A frame has thousands of small ones: canvas calls
// would cost more than all other work. In an array, only the covered pixels cost time.

import type { Ink } from './ink.js';

/** A colour as four bytes, and its opacity from 0 to 1. */
interface Colour {
    readonly red: number;
    readonly green: number;
    readonly blue: number;
    readonly alpha: number;
    /** The opaque colour as a word of the pixel array. */
    readonly word: number;
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
const colours = new Map<string, Colour>();

/** Reads `#rrggbb` and `rgba(r, g, b, a)`; throws on anything else. */
export function parseColour(text: string): Colour {
    const known = colours.get(text);
    if (known) return known;
    const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text);
    const numbers = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(text);
    const parts = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : numbers?.slice(1).map(Number);
    if (!parts) throw new Error(`no colour: ${text}`);
    const [red, green, blue, alpha = 1] = parts as [number, number, number, number?];
    const word = isLittleEndian
        ? (255 << 24) | (blue << 16) | (green << 8) | red
        : (red << 24) | (green << 16) | (blue << 8) | 255;
    const colour = { red, green, blue, alpha, word: word >>> 0 };
    colours.set(text, colour);
    return colour;
}

/** The pixels of a chart. Positions are in pixels of the page and are rounded to device pixels. */
export class Raster implements Ink {
    readonly #image: ImageData;
    readonly #bytes: Uint8ClampedArray;
    readonly #words: Uint32Array;
    #left = 0;
    #top = 0;
    #right: number;
    #bottom: number;

    /** `width` and `height` in device pixels; `ratio` is the number of device pixels per pixel of the
     *  page. */
    constructor(
        readonly width: number,
        readonly height: number,
        readonly ratio: number,
        image: ImageData = new ImageData(width, height),
    ) {
        this.#image = image;
        this.#bytes = image.data;
        this.#words = new Uint32Array(image.data.buffer);
        this.#right = width;
        this.#bottom = height;
    }

    /** Fills the whole area. */
    clear(colour: string): void {
        this.#words.fill(parseColour(colour).word);
    }

    /** Clips later rectangles; without arguments, to the whole area. */
    clip(left = 0, top = 0, right = this.width / this.ratio, bottom = this.height / this.ratio): void {
        this.#left = Math.max(0, Math.round(left * this.ratio));
        this.#top = Math.max(0, Math.round(top * this.ratio));
        this.#right = Math.min(this.width, Math.round(right * this.ratio));
        this.#bottom = Math.min(this.height, Math.round(bottom * this.ratio));
    }

    /** Fills a rectangle, at least one device pixel wide and high; `opacity` multiplies the colour's own. */
    rect(x: number, y: number, width: number, height: number, colour: string, opacity = 1): void {
        const { ratio } = this;
        let x0 = Math.round(x * ratio);
        let y0 = Math.round(y * ratio);
        let x1 = Math.max(x0 + 1, Math.round((x + width) * ratio));
        let y1 = Math.max(y0 + 1, Math.round((y + height) * ratio));
        // The negated comparison is true for NaN, so that NaN fills nothing.
        if (!(x1 > this.#left && x0 < this.#right && y1 > this.#top && y0 < this.#bottom)) return;
        x0 = Math.max(x0, this.#left);
        y0 = Math.max(y0, this.#top);
        x1 = Math.min(x1, this.#right);
        y1 = Math.min(y1, this.#bottom);
        const { red, green, blue, alpha, word } = parseColour(colour);
        const share = alpha * opacity;
        if (share >= 1) {
            const words = this.#words;
            const isNarrow = x1 - x0 < 12;
            for (let from = y0 * this.width + x0; y0 < y1; y0++, from += this.width) {
                const to = from + x1 - x0;
                // A function call would cost more than the few pixels of a column.
                if (isNarrow) for (let at = from; at < to; at++) words[at] = word;
                else words.fill(word, from, to);
            }
            return;
        }
        const bytes = this.#bytes;
        const keep = 1 - share;
        const [ownRed, ownGreen, ownBlue] = [red * share, green * share, blue * share];
        for (let row = y0; row < y1; row++) {
            const end = (row * this.width + x1) * 4;
            for (let at = (row * this.width + x0) * 4; at < end; at += 4) {
                bytes[at] = (bytes[at] as number) * keep + ownRed;
                bytes[at + 1] = (bytes[at + 1] as number) * keep + ownGreen;
                bytes[at + 2] = (bytes[at + 2] as number) * keep + ownBlue;
            }
        }
    }

    /** Copies the pixels to a canvas of the same size. */
    flush(on: CanvasRenderingContext2D): void {
        on.putImageData(this.#image, 0, 0);
    }
}
