// A chart as a saved picture: SVG, or PNG at twice its size.

import { h } from '../base/dom.js';
import { type Range, Scale } from '../base/scale.js';
import { Grid } from '../canvas/grid.js';
import { Patterns } from '../canvas/pattern.js';
import { Sketch, VectorInk, VectorPen } from '../canvas/vector.js';
import type { HalfModel } from '../data/half.js';
import { chartFont, paintTimeLabels } from './axis.js';
import type { Chart, Context, Frame, Swatch } from './frame.js';
import { LimitColumns } from './limits.js';

/** Rectangles of each symbol: left edge, length and height in pixels, opacity. */
const SWATCHES: Readonly<Record<Swatch, readonly (readonly [number, number, number, number])[]>> = {
    line: [[0, 14, 2, 1]],
    thick: [[0, 14, 4, 1]],
    dashed: [
        [0, 6, 2, 1],
        [8, 6, 2, 1],
    ],
    dotted: [
        [0, 2, 2, 1],
        [4, 2, 2, 1],
        [8, 2, 2, 1],
        [12, 2, 2, 1],
    ],
    area: [[0, 14, 9, 0.3]],
    bar: [[5, 3, 10, 1]],
    dot: [[4, 6, 6, 1]],
    triangle: [[4, 6, 6, 1]],
};

export type PictureFormat = 'png' | 'svg';

/** Texts of a picture. */
export interface Caption {
    /** Ends of the direction. */
    readonly title: string;
    /** Captures and time of day. */
    readonly source: string;
    /** Name without extension. */
    readonly fileName: string;
}

const HEAD = 62;
const FOOT = 24;
/** Device pixels of a PNG for each pixel of the page. */
const PNG_RATIO = 2;

/** The chart as SVG, `width` pixels wide. */
export function draw(
    chart: Chart,
    context: Context,
    half: HalfModel,
    stretch: Range,
    chosen: string | null,
    caption: Caption,
    width: number,
    margins: { left: number; right: number },
): string {
    const { theme, words } = context;
    const height = chart.height.wide;
    const total = HEAD + height + (chart.id === 'strip' ? 8 : FOOT);
    const sketch = new Sketch();
    const ink = new VectorInk(sketch);
    const measure = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    const on = new VectorPen(sketch, measure);
    ink.rect(0, 0, width, total, theme.ground);
    const time = new Scale(stretch, margins.left, width - margins.right);
    const grid = new Grid(time, 1);
    const above: (() => void)[] = [];
    const frame: Frame = {
        ...context,
        theme,
        patterns: new Patterns(),
        ink,
        on,
        later: (paint) => above.push(paint),
        half,
        grid,
        time,
        limits: new LimitColumns(half.timeline, grid),
        chosen,
        left: time.from,
        right: time.to,
        top: HEAD,
        bottom: HEAD + height,
    };
    chart.draw(frame);
    for (const paint of above) paint();
    if (chart.id !== 'strip') paintTimeLabels(frame, HEAD + height + 12);
    const name = words.text(`viewer-chart-${chart.id}`);
    const write = (text: string, x: number, y: number, bold: boolean, colour: string): void => {
        chartFont(on);
        on.font = bold ? `600 ${on.font.replace('11px', '13px')}` : on.font;
        on.textAlign = 'left';
        on.textBaseline = 'alphabetic';
        on.fillStyle = colour;
        on.fillText(text, x, y, width - x - 12);
    };
    write(`${name} · ${caption.title}`, 12, 20, true, theme.ink);
    write(caption.source, 12, 37, false, theme.inkSoft);
    let x = 12;
    for (const key of chart.keys()) {
        for (const [from, length, high, opacity] of SWATCHES[key.swatch])
            ink.rect(x + from, 49 - high / 2, length, high, key.colour(theme), opacity);
        write(key.label, x + 19, 53, false, theme.inkSoft);
        x += 19 + on.measureText(key.label).width + 18;
    }
    const missing = chart.missing(stretch);
    if (missing !== null) {
        on.textAlign = 'center';
        on.fillText(words.text(missing), (time.from + time.to) / 2, HEAD + height / 2);
    }
    return sketch.svg(width, total, `${name} · ${caption.title}`, words.language);
}

async function png(svg: string): Promise<Blob> {
    const image = new Image();
    // A data URL, because the page's policy forbids pictures from other places.
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width * PNG_RATIO, image.height * PNG_RATIO];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) =>
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
    );
}

/** Offers `svg` to the reader as a download. */
export async function save(svg: string, format: PictureFormat, fileName: string): Promise<void> {
    saveBlob(format === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await png(svg), `${fileName}.${format}`);
}

/** Offers `blob` to the reader as a download. */
export function saveBlob(blob: Blob, name: string): void {
    const url = URL.createObjectURL(blob);
    const link = h('a', { href: url, download: name, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    // The download has begun by then, so the memory can be released.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
