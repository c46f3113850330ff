// Grids and tick labels.

import { Scale, tickStep, ticks, type Range } from '../base/scale.js';
import { snap } from '../canvas/paint.js';
import { limitColour } from '../canvas/theme.js';
import type { Frame } from './frame.js';

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** Font of what is written into charts. */
export function chartFont(context: CanvasRenderingContext2D): void {
    context.font = FONT;
}

/** A scale for `range` of values on the height of the plot. */
export function verticalScale(frame: Frame, range: Range): Scale {
    return new Scale(range, frame.bottom, frame.top);
}

/** Room above the largest value, so that lines do not touch the frame. */
export function withHeadroom(start: number, end: number, share = 0.06): Range {
    const width = end - start;
    if (!(width > 0)) return { start, end: start + 1 };
    return { start, end: end + width * share };
}

/** Vertical lines of the time axis and horizontal ones with labels for values. */
export function paintAxes(frame: Frame, y: Scale, label: (value: number, step: number) => string): void {
    const { on, theme, time, left, right, top, bottom } = frame;
    const ratio = frame.grid.ratio;
    chartFont(on);
    on.fillStyle = theme.grid;
    const count = Math.max(2, Math.floor((right - left) / 90));
    for (const value of ticks(time.domain, count)) on.fillRect(snap(time.at(value), ratio), top, 1 / ratio, bottom - top);
    const rows = Math.max(2, Math.floor((bottom - top) / 36));
    const step = tickStep(y.domain.end - y.domain.start, rows);
    const values = ticks(y.domain, rows);
    for (const value of values) on.fillRect(left, snap(y.at(value), ratio), right - left, 1 / ratio);
    on.fillStyle = theme.inkSoft;
    on.textAlign = 'right';
    on.textBaseline = 'middle';
    for (const value of values) {
        const at = Math.min(Math.max(y.at(value), top + 6), bottom - 4);
        on.fillText(label(value, step), left - 6, at, left - 8);
    }
}

/** Labels of the time axis, with the decimals that their distance needs. */
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

/** A band behind the plot where the highlighted limit holds. */
export function paintChosen(frame: Frame): void {
    if (frame.chosen === null) return;
    const limit = frame.data.limits.findIndex((look) => look.id === frame.chosen);
    if (limit < 0) return;
    frame.on.fillStyle = limitColour(frame.data.limits[limit], frame.theme);
    frame.on.globalAlpha = 0.13;
    frame.on.beginPath();
    for (const { from, to } of frame.limits.touched(limit)) {
        frame.on.rect(frame.grid.x(from), frame.top, (to - from) / frame.grid.ratio, frame.bottom - frame.top);
    }
    frame.on.fill();
    frame.on.globalAlpha = 1;
}

/** Text on a patch of the ground, readable over lines. */
export function paintLabel(frame: Frame, text: string, x: number, y: number, colour: string, align: CanvasTextAlign = 'right'): void {
    const { on, theme } = frame;
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
}
