// Connections as dots over time, failures above.

import { h } from '../base/dom.js';
import { count } from '../base/units.js';
import { limitColour } from '../canvas/theme.js';
import type { Context } from '../charts/frame.js';
import type { WhenBars } from '../charts/when.js';
import type { Overview } from '../data/overview.js';
import { lookOf } from './looks.js';

const SIZE = { width: 300, height: 26, radius: 3 };

/** A dot for each of `rows` at its start, in the colour of its limit; failures are above the line. */
export function dots(
    context: Context,
    overview: Overview,
    axis: WhenBars,
    rows: readonly number[],
    width = SIZE.width,
): HTMLCanvasElement {
    const { theme, words } = context;
    const { height, radius } = SIZE;
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    const failed = rows.filter((row) => overview.failure(row) !== null).length;
    const canvas = h('canvas', {
        width: width * ratio,
        height: height * ratio,
        role: 'img',
        'aria-label': words.text('viewer-dots-label', { n: count(rows.length), failed: count(failed) }),
    });
    const on = canvas.getContext('2d');
    if (!on) return canvas;
    on.scale(ratio, ratio);
    on.fillStyle = theme.grid;
    on.fillRect(0, height / 2, width, 1);
    for (const row of rows) {
        const hasFailed = overview.failure(row) !== null;
        const x = radius + axis.place(row) * (width - 2 * radius);
        const verdict = overview.verdict(row);
        on.fillStyle = hasFailed ? theme.resent : verdict ? limitColour(lookOf(context, verdict.limit), theme) : theme.inkSoft;
        on.beginPath();
        on.arc(x, hasFailed ? height * 0.26 : height * 0.74, radius, 0, 2 * Math.PI);
        on.fill();
    }
    return canvas;
}
