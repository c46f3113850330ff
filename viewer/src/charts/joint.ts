// Two transfers in one chart: A is a solid line, B a dashed one, each with its letter at its end.

import type { Range, Scale } from '../base/scale.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import { type Gathered, type Grid, gatherSteps, highest } from '../canvas/grid.js';
import { paintDashed, paintLine } from '../canvas/paint.js';
import type { Theme } from '../canvas/theme.js';
import { Band, most } from '../data/band.js';
import { type HalfModel, rowAt } from '../data/half.js';
import { chartFont, paintAxes, paintLabel, verticalScale, withHeadroom } from './axis.js';
import type { Chart, Dot, Frame, Key } from './frame.js';

/** Quantity of both lines. */
export type JointKind = 'bytes' | 'flight' | 'rtt';

/** One of the two transfers. */
export interface JointSide {
    readonly letter: 'A' | 'B';
    readonly half: HalfModel;
}

/** A window more than this many times above the bytes in flight is only named, because it would make the
 *  lines flat. */
const FAR = 4;

/** Pixels of a dash of B, and of the gap after it. */
const DASH = [8, 4] as const;

/** Height of a label, pixels. */
const LINE = 15;

/** One line of the chart. */
interface Series {
    readonly letter: 'A' | 'B';
    readonly t: Float64Array;
    readonly values: Band;
    /** End of the line, seconds. */
    readonly end: number;
}

/** Acknowledged bytes; without captured ACKs, sent bytes. */
function bytesOf({ letter, half }: JointSide, isFromZero: boolean): Series {
    const { states, segments } = half;
    const hasAcks = states.una.isKnown;
    const [t, values] = hasAcks ? [states.t, states.una.high] : [segments.t, segments.range.high];
    const first = hasAcks ? values.find((value) => !Number.isNaN(value)) : segments.range.low[0];
    const shift = isFromZero ? (first ?? 0) : 0;
    return {
        letter,
        t,
        values: shift === 0 ? new Band(values) : new Band(values.map((v) => v - shift)),
        end: half.chart.span.to_s,
    };
}

function seriesOf(kind: JointKind, side: JointSide, isFromZero: boolean): Series {
    const { letter, half } = side;
    const end = half.chart.span.to_s;
    if (kind === 'bytes') return bytesOf(side, isFromZero);
    if (kind === 'rtt') return { letter, t: half.rtt.t, values: half.rtt.value, end };
    return { letter, t: half.states.t, values: half.states.flight, end };
}

export class JointChart implements Chart {
    readonly id: string;
    readonly height = { wide: 250, narrow: 220 };
    readonly axis: string;
    readonly #series: readonly Series[];
    #y: Scale | null = null;
    #theme: Theme | null = null;

    /** `isFromZero`: both start at 0, because they are two transfers and not one. */
    constructor(
        readonly kind: JointKind,
        private readonly sides: readonly JointSide[],
        private readonly words: Words,
        private readonly units: Units,
        isFromZero: boolean,
    ) {
        this.id = `joint-${kind}`;
        this.axis = kind === 'rtt' ? 'viewer-axis-rtt' : 'viewer-axis-bytes';
        this.#series = sides.map((side) => seriesOf(kind, side, isFromZero));
    }

    draw(frame: Frame): void {
        const { grid, ink, theme } = frame;
        this.#theme = theme;
        const lines = this.#series.map((series) => this.#gather(series, grid));
        const windows = this.kind === 'flight' ? this.sides.map((side) => this.#window(side, grid)) : [];
        let top = lines.reduce((best, line) => most(best, this.#reach(line)), NaN);
        if (Number.isNaN(top) || top <= 0) top = 1;
        const own = top;
        const isNear = windows.map((line) => highest(line) <= own * FAR);
        for (const [i, line] of windows.entries()) if (isNear[i]) top = most(top, highest(line));
        const y = verticalScale(frame, withHeadroom(0, top, 0.12));
        this.#y = y;
        paintAxes(frame, y, (value, step) =>
            this.kind === 'rtt' ? this.units.secondsTick(value, step) : this.units.bytesTick(value, step),
        );
        ink.clip(frame.left, frame.top, frame.right, frame.bottom);
        for (const [i, line] of windows.entries()) {
            if (!isNear[i]) continue;
            const { letter } = this.sides[i] as JointSide;
            paintDashed(ink, line, grid, y, colourOf(letter, theme), 1, letter === 'A' ? 2 : 1, letter === 'A' ? 2 : 4);
        }
        for (const [i, line] of lines.entries()) {
            const { letter } = this.#series[i] as Series;
            if (letter === 'A') paintLine(ink, line, grid, y, colourOf(letter, theme), 2);
            else paintDashed(ink, line, grid, y, colourOf(letter, theme), 2.5, ...DASH);
        }
        ink.clip();
        this.#labels(frame, y, lines);
        this.#nameWindows(frame, y, windows, isNear);
    }

    #gather({ t, values, end }: Series, grid: Grid): Gathered {
        return this.kind === 'rtt' ? gatherSteps(t, values, grid, end, (rtt) => rtt * 3) : gatherSteps(t, values, grid, end);
    }

    #window({ half }: JointSide, grid: Grid): Gathered {
        return gatherSteps(half.states.t, half.states.window, grid, half.chart.span.to_s);
    }

    /** Upper end of the axis: a short peak must not flatten the rest of the line. */
    #reach(line: Gathered): number {
        const best = highest(line);
        if (this.kind === 'bytes') return best;
        const known = line.high.filter((value) => !Number.isNaN(value)).sort();
        const usual = known[Math.floor(known.length * 0.95)] ?? NaN;
        return best > usual * 2 && usual > 0 ? usual * 1.5 : best;
    }

    /** The letter of each line at its end, or where it leaves the chart. Labels do not overlap. */
    #labels(frame: Frame, y: Scale, lines: readonly Gathered[]): void {
        const { grid, theme, on } = frame;
        const places = lines.flatMap((line, i) => {
            const series = this.#series[i] as Series;
            let column = grid.count - 1;
            while (column >= 0 && Number.isNaN(line.high[column] as number)) column--;
            if (column < 0) return [];
            const x = Math.min(grid.x(column), frame.right);
            return [{ series, x, y: Math.max(frame.top, y.at(line.high[column] as number)) }];
        });
        frame.later(() => {
            const taken: { left: number; right: number; top: number }[] = [];
            for (const place of places) {
                const { letter, end } = place.series;
                const isEnd = end <= frame.time.domain.end;
                const text = isEnd ? this.words.text('viewer-joint-end', { letter, time: this.units.seconds(end) }) : letter;
                chartFont(on);
                on.font = `600 ${on.font}`;
                on.textAlign = 'left';
                on.textBaseline = 'middle';
                const width = on.measureText(text).width + 8;
                const isRoom = place.x + 8 + width <= frame.right;
                const left = isRoom ? place.x + 6 : frame.right - width - 2;
                // Beside the end if there is room, otherwise below the line, which comes from the lower left.
                let top = isRoom ? place.y - LINE / 2 : place.y + 6;
                if (isEnd) {
                    on.fillStyle = colourOf(letter, theme);
                    on.fillRect(place.x - 3, place.y - 3, 6, 6);
                }
                const touches = (other: { left: number; right: number; top: number }): boolean =>
                    other.left < left + width && left < other.right && Math.abs(other.top - top) < LINE + 2;
                while (taken.some(touches) && top < frame.bottom) top += 4;
                top = Math.min(Math.max(top, frame.top), frame.bottom - LINE);
                taken.push({ left, right: left + width, top });
                on.globalAlpha = 0.85;
                on.fillStyle = theme.ground;
                on.fillRect(left, top, width, LINE);
                on.globalAlpha = 1;
                on.fillStyle = colourOf(letter, theme);
                on.fillText(text, left + 4, top + LINE / 2 + 0.5);
            }
        });
    }

    /** Names the windows, on their lines or above the chart if they are too high to be drawn. */
    #nameWindows(frame: Frame, y: Scale, windows: readonly Gathered[], isNear: readonly boolean[]): void {
        let before = NaN;
        for (const [i, line] of windows.entries()) {
            const { letter } = this.sides[i] as JointSide;
            let column = frame.grid.count - 1;
            while (column >= 0 && Number.isNaN(line.high[column] as number)) column--;
            if (!isNear[i] || column < 0) continue;
            const value = line.high[column] as number;
            let level = Math.max(y.at(value) - 3, frame.top + LINE);
            if (Math.abs(level - before) < LINE) level = before + LINE;
            before = level;
            const text = this.words.text('viewer-joint-window', { letter, bytes: this.units.bytes(value) });
            paintLabel(frame, text, frame.grid.x(column) - 6, level, colourOf(letter, frame.theme));
        }
        const far = windows.flatMap((line, i) => {
            const value = highest(line);
            if (isNear[i] || Number.isNaN(value)) return [];
            const { letter } = this.sides[i] as JointSide;
            return [this.words.text('viewer-joint-window', { letter, bytes: this.units.bytes(value) })];
        });
        if (far.length === 0) return;
        const { on, theme } = frame;
        frame.later(() => {
            chartFont(on);
            on.textAlign = 'left';
            on.textBaseline = 'top';
            on.fillStyle = theme.inkSoft;
            on.fillText(far.map((text) => `↑ ${text}`).join('   '), frame.left + 8, frame.top + 3, frame.right - frame.left - 16);
        });
    }

    #at(series: Series, time: number): number | null {
        if (time > series.end) return null;
        const value = series.values.high[rowAt(series.t, time)];
        return value === undefined || Number.isNaN(value) ? null : value;
    }

    #text(value: number | null): string | null {
        if (value === null) return null;
        return this.kind === 'rtt' ? this.units.seconds(value) : this.units.bytes(value);
    }

    keys(): Key[] {
        return this.#series.map((series) => ({
            id: `joint-${series.letter}`,
            label: series.letter,
            swatch: series.letter === 'A' ? 'thick' : 'dashed',
            colour: (theme) => colourOf(series.letter, theme),
            value: (time) => this.#text(this.#at(series, time)),
        }));
    }

    dots(time: number): Dot[] {
        const y = this.#y;
        const theme = this.#theme;
        if (!y || !theme) return [];
        return this.#series.flatMap((series) => {
            const value = this.#at(series, time);
            return value === null ? [] : [{ y: y.at(value), colour: colourOf(series.letter, theme) }];
        });
    }

    missing(time: Range): string | null {
        const has = this.#series.some(({ t, end }) => t.length > 0 && (t[0] as number) <= time.end && time.start <= end);
        return has ? null : 'viewer-missing-joint';
    }

    describe(): string {
        const parts = this.#series.map((series) => {
            const top = series.values.max(0, series.values.length);
            return this.words.text('viewer-joint-describe', {
                letter: series.letter,
                value: this.#text(Number.isNaN(top) ? null : top) ?? '–',
                time: this.units.seconds(series.end),
            });
        });
        return parts.join(this.words.text('sentence-separator'));
    }
}

/** The colour of a transfer; its line style and its letter show the same. */
export function colourOf(letter: 'A' | 'B', theme: Theme): string {
    return letter === 'A' ? theme.data : theme.control;
}
