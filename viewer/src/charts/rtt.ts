// Round trips, and the part of each that was queueing.

import type { Range, Scale } from '../base/scale.js';
import { nearest } from '../base/search.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import { gatherSamples, gatherSteps, highest } from '../canvas/grid.js';
import { paintArea } from '../canvas/paint.js';
import type { Theme } from '../canvas/theme.js';
import { type HalfModel, has } from '../data/half.js';
import { paintAxes, paintChosen, paintLabel, paintLevel, verticalScale, withHeadroom } from './axis.js';
import type { Chart, Dot, Frame, Key } from './frame.js';

/** Number of round trips for which a queue is assumed to last after it was last seen. */
const HELD = 3;

export class RttChart implements Chart {
    readonly id = 'rtt';
    readonly height = { wide: 140, narrow: 140 };
    readonly axis = 'viewer-axis-rtt';
    #y: Scale | null = null;
    #theme: Theme | null = null;

    constructor(
        readonly half: HalfModel,
        private readonly words: Words,
        private readonly units: Units,
    ) {}

    draw(frame: Frame): void {
        const { half, grid, ink, theme } = frame;
        this.#theme = theme;
        const samples = gatherSamples(half.rtt.t, half.rtt.value, grid);
        const held = gatherSteps(half.rtt.t, half.rtt.value, grid, half.chart.span.to_s, (rtt) => rtt * HELD);
        const floor = half.chart.rtt_min_s;
        const top = highest(held);
        const y = verticalScale(frame, withHeadroom(0, Number.isNaN(top) ? (floor ?? 0.001) : top, 0.12));
        this.#y = y;
        paintChosen(frame);
        if (floor !== null)
            paintArea(
                ink,
                held,
                grid,
                y,
                floor,
                theme.name === 'dark' ? 'rgba(109, 179, 245, 0.22)' : 'rgba(23, 104, 179, 0.16)',
            );
        paintAxes(frame, y, (value, step) => this.units.secondsTick(value, step));
        for (let i = 0; i < grid.count; i++) {
            const high = samples.high[i] as number;
            if (Number.isNaN(high)) continue;
            const above = y.at(high) - 1;
            ink.rect(grid.x(i) - 0.5, above, 2, Math.max(2, y.at(samples.low[i] as number) + 1 - above), theme.control);
        }
        if (floor !== null) {
            paintLevel(frame, y.at(floor), frame.left, frame.right);
            paintLabel(
                frame,
                this.words.text('viewer-rtt-min', { rtt: this.units.seconds(floor) }),
                frame.right - 6,
                frame.bottom - 4,
                theme.ink,
            );
        }
    }

    #near(time: number): number | null {
        const row = nearest(this.half.rtt.t, time);
        const value = this.half.rtt.value.high[row];
        return value === undefined || Number.isNaN(value) ? null : value;
    }

    keys(): Key[] {
        const floor = this.half.chart.rtt_min_s;
        return [
            {
                id: 'rtt',
                label: this.words.text('viewer-key-rtt'),
                swatch: 'dot',
                colour: (theme) => theme.control,
                value: (time) => {
                    const rtt = this.#near(time);
                    return rtt === null ? null : this.units.seconds(rtt);
                },
            },
            {
                id: 'queue',
                label: this.words.text('viewer-key-queue'),
                swatch: 'area',
                colour: (theme) => theme.control,
                value: (time) => {
                    const rtt = this.#near(time);
                    return rtt === null || floor === null ? null : this.units.seconds(Math.max(0, rtt - floor));
                },
            },
        ];
    }

    dots(time: number): Dot[] {
        const rtt = this.#near(time);
        return rtt === null || !this.#y || !this.#theme ? [] : [{ y: this.#y.at(rtt), colour: this.#theme.control }];
    }

    missing(time: Range): string | null {
        return has(this.half.rtt.t, this.half.chart.rtt.bin_s ?? 0, time.start, time.end) ? null : 'viewer-missing-rtt';
    }

    describe(): string {
        const { rtt_min_s: floor } = this.half.chart;
        const top = this.half.rtt.value.max(0, this.half.rtt.value.length);
        return this.words.text('viewer-describe-rtt', {
            min: floor === null ? this.words.text('unknown') : this.units.seconds(floor),
            max: Number.isNaN(top) ? this.words.text('unknown') : this.units.seconds(top),
        });
    }
}
