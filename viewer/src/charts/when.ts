// The time of a connection on the axis of all captures, in the colours of its limits.

import { h, setVars } from '../base/dom.js';
import { Scale } from '../base/scale.js';
import { upperBound } from '../base/search.js';
import { Grid } from '../canvas/grid.js';
import { limitColour } from '../canvas/theme.js';
import { Timeline } from '../data/half.js';
import type { Overview } from '../data/overview.js';
import type { Source } from '../data/source.js';
import type { Context } from './frame.js';
import { LimitColumns } from './limits.js';

/** Columns of a bar: the number of pixels of the widest one. */
const COLUMNS = 240;

/** Positions of instants, as shares of the width. */
export interface Axis {
    at(time: number): number;
    readonly hasGaps: boolean;
}

/** If connections cover less than this share of the time, gaps are shortened. */
const LEAST_BUSY = 0.2;
/** Width of a gap, as a share of the width of all time between gaps. */
const GAP = 0.03;

/** The time axis of `spans`, starting at 0. Without shortened gaps, captures of different days would be
 *  single points. */
export function axisOf(spans: readonly { start: number; end: number }[], end: number): Axis {
    const busy: { start: number; end: number }[] = [];
    for (const span of [...spans].sort((a, b) => a.start - b.start)) {
        const last = busy.at(-1);
        if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
        else busy.push({ ...span });
    }
    const total = busy.reduce((sum, span) => sum + span.end - span.start, 0);
    if (busy.length < 2 || total >= end * LEAST_BUSY || !(total > 0)) return { at: (time) => time / end, hasGaps: false };
    const starts = Float64Array.from(busy, (span) => span.start);
    const before: number[] = [];
    let width = 0;
    for (const span of busy) {
        before.push(width);
        width += span.end - span.start + GAP * total;
    }
    width -= GAP * total;
    const at = (time: number): number => {
        const i = Math.max(0, upperBound(starts, time) - 1);
        const span = busy[i] as { start: number; end: number };
        return ((before[i] as number) + Math.max(0, Math.min(time, span.end) - span.start)) / width;
    };
    return { at, hasGaps: true };
}

/** Draws the bars of an overview. */
export class WhenBars {
    readonly #timelines = new Map<number, Timeline | null>();
    /** Seconds from the first packet to the end of the last connection. */
    readonly end: number;
    /** Whether times without connections are shortened. */
    readonly hasGaps: boolean;
    readonly #axis: Axis;

    constructor(
        private readonly overview: Overview,
        private readonly source: Source,
        private readonly context: Context,
    ) {
        const spans = Array.from(overview.start, (start, row) => ({
            start: start || 0,
            end: (start || 0) + ((overview.duration[row] as number) || 0),
        }));
        this.end = spans.reduce((most, { end }) => Math.max(most, end), 1e-6);
        this.#axis = axisOf(spans, this.end);
        this.hasGaps = this.#axis.hasGaps;
    }

    /** The limits over time, if the page has them. */
    #timeline(row: number): Timeline | null {
        let timeline = this.#timelines.get(row);
        if (timeline === undefined) {
            const id = this.overview.id[row] as number;
            const chart = this.source.known(id, this.context.data.language).chart;
            const sender = chart?.endpoints.indexOf(this.overview.columns.from[row] ?? '');
            const half = chart?.halves.find((one) => one.sender === sender);
            timeline = half ? new Timeline(half, this.context.data) : null;
            this.#timelines.set(row, timeline);
        }
        return timeline;
    }

    /** Start of `row`, as a share of the axis. */
    place(row: number): number {
        return this.#axis.at((this.overview.start[row] as number) || 0);
    }

    /** The bar of `row`. */
    bar(row: number): HTMLElement {
        const {
            overview,
            context: { units, data, theme },
        } = this;
        const start = (overview.start[row] as number) || 0;
        const duration = (overview.duration[row] as number) || 0;
        const canvas = h('canvas', { width: COLUMNS, height: 1, 'aria-hidden': 'true' });
        const on = canvas.getContext('2d');
        const verdict = overview.verdict(row);
        const look = data.limits.find((one) => one.id === verdict?.limit);
        if (on) {
            on.fillStyle = look ? limitColour(look, theme) : theme.inkSoft;
            // Without its timeline, a paler bar in the colour of its verdict.
            const timeline = this.#timeline(row);
            on.globalAlpha = timeline ? 1 : Math.max(0.45, theme.tint);
            if (!timeline) on.fillRect(0, 0, COLUMNS, 1);
            else {
                const columns = new LimitColumns(
                    timeline,
                    new Grid(new Scale({ start: 0, end: Math.max(duration, 1e-9) }, 0, COLUMNS), 1),
                );
                for (const run of columns.runs()) {
                    if (run.limit === 255) continue;
                    on.fillStyle = limitColour(data.limits[run.limit], theme);
                    on.fillRect(run.from, 0, run.to - run.from, 1);
                }
            }
        }
        const element = h(
            'span',
            { class: 'when', title: `${units.seconds(start)} – ${units.seconds(start + duration)}` },
            canvas,
            h('span', { class: 'hidden-visually' }, units.seconds(start)),
        );
        const from = this.#axis.at(start);
        setVars(element, { '--from': String(from), '--share': String(this.#axis.at(start + duration) - from) });
        return element;
    }
}
