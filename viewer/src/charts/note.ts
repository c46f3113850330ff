// A sentence on a chart that explains it.

import type { Frame } from './frame.js';

const FONT = '600 15px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const LINE = 20;
/** Largest share of the width that a sentence uses. */
const WIDTH = 0.86;

/** Breaks `text` into lines of at most `width` pixels: between words, or between Chinese characters. */
function linesOf(text: string, width: number, measure: (text: string) => number): string[] {
    const parts = text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/gu) ?? [text];
    const lines: string[] = [];
    let line = '';
    for (const part of parts) {
        if (line !== '' && measure(line + part.trimEnd()) > width) {
            lines.push(line.trimEnd());
            line = '';
        }
        line += part;
    }
    lines.push(line.trimEnd());
    return lines;
}

/** Writes `text` around `(x, y)` in `colour` on a patch of background colour. */
export function paintNote(frame: Frame, text: string, x: number, y: number, colour: string): void {
    const { on, theme, left, right, top, bottom } = frame;
    frame.later(() => {
        on.font = FONT;
        on.textAlign = 'center';
        on.textBaseline = 'middle';
        const lines = linesOf(text, (right - left) * WIDTH, (part) => on.measureText(part).width);
        const width = Math.max(...lines.map((line) => on.measureText(line).width));
        const middle = Math.min(Math.max(x, left + width / 2 + 10), right - width / 2 - 10);
        const height = lines.length * LINE;
        const above = Math.min(Math.max(y - height / 2, top + 2), bottom - height - 2);
        on.globalAlpha = 0.82;
        on.fillStyle = theme.ground;
        on.fillRect(Math.round(middle - width / 2) - 8, Math.round(above) - 3, Math.ceil(width) + 16, height + 6);
        on.globalAlpha = 1;
        on.fillStyle = colour;
        for (const [i, line] of lines.entries()) on.fillText(line, middle, above + LINE * (i + 0.5));
    });
}
