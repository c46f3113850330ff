// The limit strip: time coloured by the limit of the transfer. Also the small strip of the whole time, for
// navigation.

import type { Range } from '../base/scale.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import { limitColour, limitInk } from '../canvas/theme.js';
import type { HalfModel } from '../data/half.js';
import { chartFont, paintTimeLabels } from './axis.js';
import type { Chart, Dot, Frame, Key } from './frame.js';

/** Fills `top` to `bottom` with the limits of each column. If several share a column, each gets its share of
 *  the height. */
export function paintLimits(frame: Omit<Frame, 'ink' | 'later'>, top: number, bottom: number, isPlain: boolean): void {
    const { on, grid, theme, data, limits, patterns } = frame;
    const chosen = frame.chosen === null ? -1 : data.limits.findIndex((look) => look.id === frame.chosen);
    const height = bottom - top;
    for (const run of limits.runs()) {
        if (run.limit === 255) continue;
        const look = data.limits[run.limit];
        on.globalAlpha = chosen >= 0 && run.limit !== chosen ? 0.22 : 1;
        const x = grid.x(run.from);
        const width = (run.to - run.from) / grid.ratio;
        on.fillStyle = isPlain || width < 3 ? limitColour(look, theme) : patterns.fill(on, look, theme);
        on.fillRect(x, top, width, height);
    }
    for (let i = 0; i < grid.count; i++) {
        if (limits.isMixed[i] === 0) continue;
        const shares = limits.shares(i);
        const total = shares.reduce((sum, seconds) => sum + seconds, 0);
        if (!(total > 0)) continue;
        on.globalAlpha = 1;
        on.fillStyle = theme.ground;
        on.fillRect(grid.x(i), top, 1 / grid.ratio, height);
        let y = bottom;
        for (const [limit, seconds] of shares.entries()) {
            if (seconds <= 0) continue;
            const own = (seconds / total) * height;
            on.globalAlpha = chosen >= 0 && limit !== chosen ? 0.22 : 1;
            on.fillStyle = limitColour(data.limits[limit], theme);
            on.fillRect(grid.x(i), y - own, 1 / grid.ratio, own);
            y -= own;
        }
    }
    on.globalAlpha = 1;
}

/** Height of the limits with their edges, and of the times below them, pixels. */
const HEIGHT = 40;
const TIMES = 18;

export class StripChart implements Chart {
    readonly id = 'strip';
    readonly height: { readonly wide: number; readonly narrow: number };
    readonly axis = null;

    constructor(
        readonly half: HalfModel,
        private readonly words: Words,
        private readonly units: Units,
        /** Events after the last data, in words; null without any. */
        private readonly after: { readonly from: number; readonly text: string } | null = null,
        /** Whether the times are below it. Only the lower one of two strips has them. */
        private readonly hasTimes = true,
    ) {
        const high = HEIGHT + (hasTimes ? TIMES : 0);
        this.height = { wide: high, narrow: high };
    }

    draw(frame: Frame): void {
        frame.later(() => this.#paint(frame));
    }

    #paint(frame: Frame): void {
        const { on, theme, data, grid, limits } = frame;
        const bottom = this.limitsBottom(frame);
        paintLimits(frame, frame.top, bottom, false);
        chartFont(on);
        on.font = `600 ${on.font}`;
        on.textBaseline = 'middle';
        on.textAlign = 'center';
        for (const run of limits.runs()) {
            const width = (run.to - run.from) / grid.ratio;
            const look = data.limits[run.limit];
            if (!look || width < 16) continue;
            const name = this.words.limit(look.id);
            const text = on.measureText(name).width + 22 < width ? name : look.letter;
            const middle = grid.x(run.from) + width / 2;
            // The text's patch stays within its limit, whose edge is an exact time.
            const half = Math.min(on.measureText(text).width / 2 + 5, width / 2);
            on.fillStyle = limitColour(look, theme);
            on.globalAlpha = 0.92;
            on.fillRect(middle - half, frame.top + 6, half * 2, bottom - frame.top - 12);
            on.globalAlpha = 1;
            on.fillStyle = limitInk(look, theme);
            on.fillText(text, middle, (frame.top + bottom) / 2 + 0.5);
        }
        if (this.after) this.#paintAfter(frame, bottom, this.after);
        if (this.hasTimes) paintTimeLabels(frame, frame.bottom - 8);
    }

    /** Lower edge of the limits, above the times. */
    protected limitsBottom(frame: Frame): number {
        return frame.bottom - (this.hasTimes ? TIMES : 0);
    }

    /** The time after the last data: no limit applies, so it is an outline with the events. */
    #paintAfter(frame: Frame, bottom: number, after: { readonly from: number; readonly text: string }): void {
        const { on, theme, time, left, right, top } = frame;
        const from = Math.max(left, time.at(after.from));
        if (from >= right) return;
        on.fillStyle = theme.grid;
        on.fillRect(from, top, right - from, bottom - top);
        on.fillStyle = theme.inkSoft;
        on.fillRect(from, top, 1, bottom - top);
        chartFont(on);
        on.fillStyle = theme.ink;
        on.textAlign = 'left';
        on.textBaseline = 'middle';
        const room = right - from - 12;
        if (on.measureText(after.text).width <= room) on.fillText(after.text, from + 7, (top + bottom) / 2 + 0.5);
    }

    keys(): Key[] {
        return [];
    }

    dots(): Dot[] {
        return [];
    }

    /** The limit at an instant, in words. */
    limitAt(time: number): { id: string; text: string } | null {
        const { timeline } = this.half;
        const row = timeline.at(time);
        if (row < 0) return null;
        return { id: timeline.limitId(row), text: this.words.limit(timeline.limitId(row), timeline.detail(row)) };
    }

    missing(time: Range): string | null {
        const { timeline } = this.half;
        const isTold = timeline.length > 0 && time.start < timeline.end && time.end > (timeline.start[0] as number);
        return isTold ? null : 'viewer-missing-strip';
    }

    describe(): string {
        const { timeline } = this.half;
        return this.words.text('viewer-describe-strip', {
            n: String(timeline.length),
            seconds: this.units.seconds(this.half.chart.span.to_s - this.half.chart.span.from_s),
        });
    }
}
