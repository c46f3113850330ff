// Line and area drawing that charts share.

import type { Scale } from '../base/scale.js';
import type { Gathered, Grid } from './grid.js';
import type { Ink } from './ink.js';

/** Draws gathered values as a line `thickness` pixels wide; equal neighbours become one rectangle. */
export function paintLine(ink: Ink, gathered: Gathered, grid: Grid, y: Scale, colour: string, thickness: number): void {
    paintRuns(gathered, grid, (from, to, low, high) => {
        const top = y.at(high);
        const bottom = y.at(low);
        const height = Math.max(thickness, bottom - top + thickness);
        ink.rect(grid.x(from), (top + bottom - height) / 2, (to - from) / grid.ratio, height, colour);
    });
}

/** As `paintLine`, dashed: `on` pixels drawn, `off` omitted. */
export function paintDashed(
    ink: Ink,
    gathered: Gathered,
    grid: Grid,
    y: Scale,
    colour: string,
    thickness: number,
    on: number,
    off: number,
): void {
    const period = (on + off) * grid.ratio;
    for (let i = 0; i < grid.count; i++) {
        if (i % period >= on * grid.ratio || Number.isNaN(gathered.high[i])) continue;
        const top = y.at(gathered.high[i] as number);
        const height = Math.max(thickness, y.at(gathered.low[i] as number) - top);
        ink.rect(grid.x(i), top - thickness / 2, 1 / grid.ratio, height, colour);
    }
}

/** Fills between `base` and the gathered highest values. */
export function paintArea(ink: Ink, gathered: Gathered, grid: Grid, y: Scale, base: number, fill: string): void {
    const bottom = y.at(base);
    paintRuns(gathered, grid, (from, to, _, high) => {
        const top = y.at(high);
        if (bottom > top) ink.rect(grid.x(from), top, (to - from) / grid.ratio, bottom - top, fill);
    });
}

function paintRuns(gathered: Gathered, grid: Grid, visit: (from: number, to: number, low: number, high: number) => void): void {
    let from = 0;
    while (from < grid.count) {
        const low = gathered.low[from] as number;
        const high = gathered.high[from] as number;
        let to = from + 1;
        while (to < grid.count && gathered.low[to] === low && gathered.high[to] === high) to++;
        if (!Number.isNaN(low) && !Number.isNaN(high)) visit(from, to, low, high);
        from = to;
    }
}

/** `value` rounded to the edge of a device pixel. */
export function snap(value: number, ratio: number): number {
    return Math.round(value * ratio) / ratio;
}
