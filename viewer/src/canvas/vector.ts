// Charts as SVG: the same calls as for a canvas, written as elements.

import type { Ink, Pen } from './ink.js';
import { parseColour } from './raster.js';

function num(value: number): string {
    return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
    return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] as string);
}

/** `fill="#0b5cad" fill-opacity="0.5"`, which every viewer of SVG reads. */
function paint(name: 'fill' | 'stroke', colour: string, opacity: number): string {
    const { red, green, blue, alpha } = parseColour(colour);
    const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('');
    const share = alpha * opacity;
    return `${name}="#${hex}"${share < 1 ? ` ${name}-opacity="${num(share)}"` : ''}`;
}

/** Collects elements. */
export class Sketch {
    readonly #parts: string[] = [];
    #run: { look: string; path: string } | null = null;

    /** Adds a rectangle; neighbours of one look become one path. */
    rect(look: string, x: number, y: number, width: number, height: number): void {
        if (this.#run?.look !== look) this.flush();
        this.#run ??= { look, path: '' };
        this.#run.path += `M${num(x)} ${num(y)}h${num(width)}v${num(height)}h${num(-width)}z`;
    }

    add(element: string): void {
        this.flush();
        this.#parts.push(element);
    }

    private flush(): void {
        if (this.#run) this.#parts.push(`<path ${this.#run.look} d="${this.#run.path}"/>`);
        this.#run = null;
    }

    /** The whole picture. */
    svg(width: number, height: number, title: string, language: string): string {
        this.flush();
        return (
            `<svg xmlns="http://www.w3.org/2000/svg" width="${num(width)}" height="${num(height)}" viewBox="0 0 ${num(width)} ${num(height)}" role="img" xml:lang="${escaped(language)}">\n` +
            `<title>${escaped(title)}</title>\n${this.#parts.join('\n')}\n</svg>\n`
        );
    }
}

/** Rectangles as paths. */
export class VectorInk implements Ink {
    #left = -Infinity;
    #top = -Infinity;
    #right = Infinity;
    #bottom = Infinity;

    constructor(private readonly sketch: Sketch) {}

    clip(left = -Infinity, top = -Infinity, right = Infinity, bottom = Infinity): void {
        [this.#left, this.#top, this.#right, this.#bottom] = [left, top, right, bottom];
    }

    rect(x: number, y: number, width: number, height: number, colour: string, opacity = 1): void {
        const left = Math.max(x, this.#left);
        const top = Math.max(y, this.#top);
        const right = Math.min(x + Math.max(width, 0.5), this.#right);
        const bottom = Math.min(y + Math.max(height, 0.5), this.#bottom);
        // Written so that what is not a number fills nothing.
        if (right > left && bottom > top) this.sketch.rect(paint('fill', colour, opacity), left, top, right - left, bottom - top);
    }
}

const ANCHORS: Readonly<Record<string, string>> = { center: 'middle', right: 'end', end: 'end' };
/** By how much of the font's size a text is lowered to stand as on a canvas. */
const BASELINES: Readonly<Record<string, number>> = { middle: 0.35, bottom: -0.2, top: 0.8 };

/** Text and shapes as elements. `measure` returns the width of a text. */
export class VectorPen implements Pen {
    font = '11px sans-serif';
    fillStyle: string | CanvasGradient | CanvasPattern = '#000000';
    strokeStyle: string | CanvasGradient | CanvasPattern = '#000000';
    lineWidth = 1;
    globalAlpha = 1;
    textAlign: CanvasTextAlign = 'left';
    textBaseline: CanvasTextBaseline = 'alphabetic';
    #path = '';

    constructor(
        private readonly sketch: Sketch,
        private readonly measure: CanvasRenderingContext2D,
    ) {}

    #colour(style: string | CanvasGradient | CanvasPattern): string {
        return typeof style === 'string' ? style : '#808080';
    }

    fillRect(x: number, y: number, width: number, height: number): void {
        this.sketch.rect(paint('fill', this.#colour(this.fillStyle), this.globalAlpha), x, y, width, height);
    }

    fillText(text: string, x: number, y: number, maxWidth?: number): void {
        const [, weight = '', size = '11', family = 'sans-serif'] = /^(\d+ )?(\d+)px (.*)$/.exec(this.font) ?? [];
        const anchor = ANCHORS[this.textAlign];
        const tight =
            maxWidth !== undefined && this.measureText(text).width > maxWidth
                ? ` textLength="${num(maxWidth)}" lengthAdjust="spacingAndGlyphs"`
                : '';
        this.sketch.add(
            `<text x="${num(x)}" y="${num(y + Number(size) * (BASELINES[this.textBaseline] ?? 0))}" font-family="${escaped(family)}" font-size="${size}"` +
                `${weight === '' ? '' : ` font-weight="${weight.trim()}"`}${anchor === undefined ? '' : ` text-anchor="${anchor}"`}${tight} ${paint('fill', this.#colour(this.fillStyle), this.globalAlpha)}>${escaped(text)}</text>`,
        );
    }

    measureText(text: string): TextMetrics {
        this.measure.font = this.font;
        return this.measure.measureText(text);
    }

    beginPath(): void {
        this.#path = '';
    }

    moveTo(x: number, y: number): void {
        this.#path += `M${num(x)} ${num(y)}`;
    }

    lineTo(x: number, y: number): void {
        this.#path += `L${num(x)} ${num(y)}`;
    }

    closePath(): void {
        this.#path += 'z';
    }

    fill(): void {
        if (this.#path !== '')
            this.sketch.add(`<path ${paint('fill', this.#colour(this.fillStyle), this.globalAlpha)} d="${this.#path}"/>`);
    }

    stroke(): void {
        if (this.#path !== '')
            this.sketch.add(
                `<path fill="none" ${paint('stroke', this.#colour(this.strokeStyle), this.globalAlpha)} stroke-width="${num(this.lineWidth)}" d="${this.#path}"/>`,
            );
    }

    /** No patterns: colour and letter distinguish the limits. */
    createPattern(): null {
        return null;
    }
}
