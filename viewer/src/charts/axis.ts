// Grids and tick labels.

import { type Range, Scale, tickStep, ticks } from '../base/scale.js';
import { limitColour } from '../canvas/theme.js';
import type { Frame } from './frame.js';

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** Sets the font of texts in charts. */
export function chartFont(context: { font: string }): void {
    context.font = FONT;
}

/** A scale for `range` of values on the height of the plot. */
export function verticalScale(frame: Frame, range: Range): Scale {
    return new Scale(range, frame.bottom, frame.top);
}

/** Range with room above the largest value, so that lines do not touch the frame. */
export function withHeadroom(start: number, end: number, share = 0.06): Range {
    const width = end - start;
    if (!(width > 0)) return { start, end: start + 1 };
    return { start, end: end + width * share };
}

/** Vertical lines of the time axis and horizontal ones with labels for values. */
export function paintAxes(frame: Frame, y: Scale, label: (value: number, step: number) => string): void {
    const { ink, on, theme, time, left, right, top, bottom } = frame;
    const { ratio } = frame.grid;
    const count = Math.max(2, Math.floor((right - left) / 90));
    for (const value of ticks(time.domain, count)) ink.rect(time.at(value), top, 1 / ratio, bottom - top, theme.grid);
    const rows = Math.max(2, Math.floor((bottom - top) / 36));
    const step = tickStep(y.domain.end - y.domain.start, rows);
    const values = ticks(y.domain, rows);
    for (const value of values) ink.rect(left, y.at(value), right - left, 1 / ratio, theme.grid);
    frame.later(() => {
        chartFont(on);
        on.fillStyle = theme.inkSoft;
        on.textAlign = 'right';
        on.textBaseline = 'middle';
        for (const value of values) {
            const at = Math.min(Math.max(y.at(value), top + 6), bottom - 4);
            on.fillText(label(value, step), left - 6, at, left - 8);
        }
    });
}

/** Labels of the time axis, with the decimals for their distance. */
export function paintTimeLabels(frame: Frame, y: number): void {
    const { on, theme, time, left, right, units } = frame;
    chartFont(on);
    const count = Math.max(2, Math.floor((right - left) / 90));
    const step = tickStep(time.domain.end - time.domain.start, count);
    on.fillStyle = theme.inkSoft;
    on.textBaseline = 'middle';
    for (const value of ticks(time.domain, count)) {
        const text = units.instant(value, step);
        const half = on.measureText(text).width / 2;
        const x = Math.min(Math.max(time.at(value), left + half - 4), right - half + 4);
        on.textAlign = 'center';
        on.fillText(text, x, y);
    }
}

/** A band behind the plot while the highlighted limit applies. */
export function paintChosen(frame: Frame): void {
    if (frame.chosen === null) return;
    const limit = frame.data.limits.findIndex((look) => look.id === frame.chosen);
    if (limit < 0) return;
    const colour = limitColour(frame.data.limits[limit], frame.theme);
    for (const { from, to } of frame.limits.touched(limit)) {
        frame.ink.rect(frame.grid.x(from), frame.top, (to - from) / frame.grid.ratio, frame.bottom - frame.top, colour, 0.13);
    }
}

/** A dashed level from `from` to `to`. */
export function paintLevel(frame: Frame, y: number, from: number, to: number): void {
    for (let x = from; x < to; x += 9) frame.ink.rect(x, y, Math.min(5, to - x), 1, frame.theme.reference);
}

/** Text on a patch of background colour, readable over lines. */
export function paintLabel(
    frame: Frame,
    text: string,
    x: number,
    y: number,
    colour: string,
    align: CanvasTextAlign = 'right',
): void {
    const { on, theme } = frame;
    frame.later(() => {
        chartFont(on);
        on.textAlign = align;
        on.textBaseline = 'bottom';
        const { width } = on.measureText(text);
        const left = align === 'right' ? x - width : align === 'center' ? x - width / 2 : x;
        on.globalAlpha = 0.75;
        on.fillStyle = theme.ground;
        on.fillRect(Math.round(left) - 3, Math.round(y) - 13, Math.ceil(width) + 6, 13);
        on.globalAlpha = 1;
        on.fillStyle = colour;
        on.fillText(text, x, y);
    });
}
