// Input and interface of charts.

import type { Range, Scale } from '../base/scale.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import type { Grid } from '../canvas/grid.js';
import type { Ink, Pen } from '../canvas/ink.js';
import type { Patterns } from '../canvas/pattern.js';
import type { Theme } from '../canvas/theme.js';
import type { HalfModel } from '../data/half.js';
import type { LimitLook, ViewData } from '../format.js';
import type { LimitColumns } from './limits.js';

/** What all charts of a page share. */
export interface Context {
    readonly data: ViewData;
    readonly words: Words;
    readonly units: Units;
    readonly theme: Theme;
    readonly patterns: Patterns;
}

/** One drawing of one chart. Positions are in pixels of the page. */
export interface Frame extends Context {
    /** For rectangles, which are below everything else. */
    readonly ink: Ink;
    /** For text and shapes, which are drawn above the rectangles in a function passed to `later`. */
    readonly on: Pen;
    readonly later: (draw: () => void) => void;
    readonly half: HalfModel;
    readonly grid: Grid;
    readonly time: Scale;
    /** Inner edges of the plot. */
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
    /** The limit of each column. */
    readonly limits: LimitColumns;
    /** Id of the highlighted limit. */
    readonly chosen: string | null;
}

/** Symbol of a legend entry. */
export type Swatch = 'line' | 'thick' | 'dashed' | 'dotted' | 'area' | 'bar' | 'dot' | 'triangle';

/** A legend entry, with its value at the cursor. */
export interface Key {
    readonly id: string;
    readonly label: string;
    readonly swatch: Swatch;
    readonly colour: (theme: Theme) => string;
    /** Value at an instant as text; absent if no instant has one. */
    readonly value?: (time: number) => string | null;
}

/** A dot of the crosshair: a pixel position with its colour. */
export interface Dot {
    readonly y: number;
    readonly colour: string;
}

/** One chart on the shared time axis. */
export interface Chart {
    readonly id: string;
    readonly height: { readonly wide: number; readonly narrow: number };
    /** Message of the title of the vertical axis; null for a chart without values. */
    readonly axis: string | null;
    /** Whether the chart stays low even if it comes first, because height does not help it. */
    readonly isLow?: boolean;
    /** Position, after a drawing, at which a sentence about the chart hides least; at the top by default. */
    notePlace?(frame: Frame): { readonly x: number; readonly y: number };
    draw(frame: Frame): void;
    keys(): Key[];
    /** Intersections of the crosshair with the lines of the last drawing. */
    dots(time: number): Dot[];
    /** Pixel position of the line between the two cursors at an instant, in charts whose slope is a rate. */
    level?(time: number): number | null;
    /** Message for missing data in this stretch; null if there is data. */
    missing(time: Range): string | null;
    /** The numbers as a sentence, for screen readers. */
    describe(): string;
}

/** Look of limit number `index`. */
export function lookOf(data: ViewData, index: number): LimitLook | undefined {
    return data.limits[index];
}
