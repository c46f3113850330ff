// Window and bytes in flight: the bytes in flight, the window's edge, and the limit that left the room
// between them unused.

import type { Range, Scale } from '../base/scale.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import { type Gathered, gatherSteps, highest } from '../canvas/grid.js';
import { paintArea, paintDashed, paintLine } from '../canvas/paint.js';
import { limitColour, type Theme } from '../canvas/theme.js';
import { type Band, most } from '../data/band.js';
import { type HalfModel, rowAt } from '../data/half.js';
import type { LimitLook, Line } from '../format.js';
import { paintAxes, paintChosen, paintLabel, paintLevel, verticalScale, withHeadroom } from './axis.js';
import type { Chart, Dot, Frame, Key } from './frame.js';
import { OF_ZERO_WINDOW, paintLane } from './lane.js';

/** Vertical range of the chart: the window with the unused room, or the bytes in flight alone. */
export type Fit = 'window' | 'flight';

/** Above this ratio of window to bytes in flight, the latter would be a flat line. */
const FAR = 10;

/** Limits independent of the receive window: the shape of the bytes in flight shows them, not the unused
 *  room. */
const OWN_PACE = new Set(['congestion_window', 'loss_recovery', 'slow_start', 'path', 'tail_rtt', 'handshake', 'ack_delay']);

const CLOSED_OPACITY = 0.13;

/** Share of the height below which a window counts as zero or nearly zero. */
const CLOSED_SHARE = 0.15;

/** Initial range for a direction with this limit. */
export function usualFit(half: HalfModel, limit: string | undefined): Fit {
    const { window, flight } = half.chart.extent;
    if (window === null || window > flight * FAR) return 'flight';
    return limit !== undefined && OWN_PACE.has(limit) && window > flight * 2 ? 'flight' : 'window';
}

export class WindowChart implements Chart {
    readonly id = 'window';
    readonly height = { wide: 210, narrow: 190 };
    readonly axis = 'viewer-axis-bytes';
    #y: Scale | null = null;
    #theme: Theme | null = null;
    /** Middle of the room between bytes in flight and window. */
    #noteLevel = 0;
    readonly #hasPipe: boolean;
    readonly #end: number;

    constructor(
        readonly half: HalfModel,
        private readonly words: Words,
        private readonly units: Units,
        private readonly fit: Fit,
        private readonly looks: readonly LimitLook[],
    ) {
        const { flight, pipe } = half.states;
        // SACK makes them differ; without it, a second line would only hide the first.
        this.#hasPipe = pipe.high.some((value, i) => !Number.isNaN(value) && value !== flight.high[i]);
        // A window may open, or the connection end, long after the last data.
        this.#end = Math.max(half.chart.span.to_s, half.states.t.at(-1) ?? 0);
    }

    draw(frame: Frame): void {
        const { half, grid, ink, theme } = frame;
        this.#theme = theme;
        const { t } = half.states;
        const flight = gatherSteps(t, half.states.flight, grid, this.#end);
        const window = gatherSteps(t, half.states.window, grid, this.#end);
        const floor = gatherSteps(t, half.states.cwndFloor, grid, this.#end);
        const pipe = this.#hasPipe ? gatherSteps(t, half.states.pipe, grid, this.#end) : null;
        const offered = highest(window);
        const isFlightFitted = this.fit === 'flight';
        const own = most(this.#reach(flight), half.chart.mss ?? 0);
        let top = isFlightFitted ? own : most(most(highest(flight), highest(floor)), offered);
        if (Number.isNaN(top) || top <= 0) top = 1;
        const isWindowFar = offered > top * 1.1;
        // The largest window is named only if the window itself is not drawn.
        const lines = half.chart.lines.filter((line) => line.bytes > 0 && (line.kind !== 'window_max' || Number.isNaN(offered)));
        for (const line of lines) if (line.bytes <= top * 1.6) top = Math.max(top, line.bytes);
        const laneHeight = half.marks.has('zero_window') ? paintLane(frame, this.words, OF_ZERO_WINDOW) : 0;
        const y = verticalScale({ ...frame, top: frame.top + laneHeight }, withHeadroom(0, top, 0.1));
        this.#y = y;
        paintChosen(frame);
        this.#closed({ ...frame, top: frame.top + laneHeight }, window);
        this.#unused(frame, y, flight, window, isWindowFar ? y.domain.end : null);
        paintArea(ink, flight, grid, y, 0, theme.flightArea);
        paintAxes(frame, y, (value, step) => this.units.bytesTick(value, step));
        ink.clip(frame.left, frame.top, frame.right, frame.bottom);
        paintDashed(ink, floor, grid, y, theme.congestion, 1.5, 3, 3);
        paintDashed(ink, window, grid, y, theme.edge, 2, 9, 4);
        if (pipe) paintDashed(ink, pipe, grid, y, theme.pipe, 1.5, 2, 2);
        paintLine(ink, flight, grid, y, theme.data, 1.5);
        ink.clip();
        this.#noteLevel = this.#emptyLevel(flight, window, y.domain.end);
        this.#references(frame, y, lines, isWindowFar ? offered : NaN, highest(flight));
    }

    notePlace(frame: Frame): { x: number; y: number } {
        return { x: (frame.left + frame.right) / 2, y: this.#y ? this.#y.at(this.#noteLevel) : frame.top + 24 };
    }

    /** Middle of the room that was unused most of the time; without any, half of the bytes in flight. */
    #emptyLevel(flight: Gathered, window: Gathered, top: number): number {
        const middle = (values: Float64Array): number => {
            const known = values.filter((value) => !Number.isNaN(value)).sort();
            return known[Math.floor(known.length / 2)] ?? NaN;
        };
        const low = middle(flight.high) || 0;
        const offered = middle(window.low);
        const high = Number.isNaN(offered) ? top : Math.min(offered, top);
        if (high > low * 1.25) return (low + high) / 2;
        // A lasting zero window leaves all of the room above it.
        return low < top * CLOSED_SHARE ? top / 2 : low / 2;
    }

    /** Upper end of the axis: a short peak must not flatten the rest. */
    #reach(flight: Gathered): number {
        const known = flight.high.filter((value) => !Number.isNaN(value)).sort();
        const most = known[known.length - 1] ?? NaN;
        const usual = known[Math.floor(known.length * 0.95)] ?? NaN;
        return most > usual * 2 && usual > 0 ? usual * 1.5 : most;
    }

    /** A zero window leaves no room to tint, so the whole height is tinted. */
    #closed(frame: Frame, window: Gathered): void {
        const { ink, grid, theme, top, bottom } = frame;
        let from = 0;
        for (let i = 1; i <= grid.count; i++) {
            if (i < grid.count && (window.high[i] === 0) === (window.high[from] === 0)) continue;
            if (window.high[from] === 0)
                ink.rect(grid.x(from), top, (i - from) / grid.ratio, bottom - top, theme.zero, CLOSED_OPACITY);
            from = i;
        }
    }

    /** The room between bytes in flight and window, in the colour of the limit that left it unused. */
    #unused(frame: Frame, y: Scale, flight: Gathered, window: Gathered, far: number | null): void {
        const { ink, grid, theme, data, limits } = frame;
        const chosen = frame.chosen === null ? -1 : data.limits.findIndex((look) => look.id === frame.chosen);
        const { top } = frame;
        let from = 0;
        const same = (a: number, b: number): boolean =>
            flight.high[a] === flight.high[b] && window.low[a] === window.low[b] && limits.main[a] === limits.main[b];
        for (let i = 1; i <= grid.count; i++) {
            if (i < grid.count && same(i, from)) continue;
            const limit = limits.main[from] as number;
            const lower = flight.high[from] as number;
            const upper = far ?? (window.low[from] as number);
            if (limit !== 255 && upper > lower) {
                const above = Math.max(top, y.at(upper));
                const opacity = chosen >= 0 && limit !== chosen ? 0.08 : theme.tint;
                const below = y.at(lower);
                if (below > above)
                    ink.rect(
                        grid.x(from),
                        above,
                        (i - from) / grid.ratio,
                        below - above,
                        limitColour(data.limits[limit], theme),
                        opacity,
                    );
            }
            from = i;
        }
    }

    /** Plateau, bandwidth–delay product and other levels. */
    #references(frame: Frame, y: Scale, lines: readonly Line[], farWindow: number, peak: number): void {
        const { theme, time } = frame;
        const far: string[] = [];
        const placed: number[] = [];
        const top = y.domain.end;
        if (!Number.isNaN(farWindow)) far.push(this.words.text('viewer-line-window-max', { bytes: this.units.bytes(farWindow) }));
        if (peak > top) far.push(this.words.text('viewer-line-flight-peak', { bytes: this.units.bytes(peak) }));
        for (const line of lines) {
            const name = this.words.text(`viewer-line-${line.kind.replaceAll('_', '-')}`, {
                bytes: this.units.bytes(line.bytes),
            });
            if (line.bytes > top) {
                far.push(name);
                continue;
            }
            const from = Math.max(frame.left, time.at(line.from_s ?? -Infinity));
            const to = Math.min(frame.right, time.at(line.to_s ?? Infinity));
            if (!(to > from)) continue;
            const level = y.at(line.bytes);
            paintLevel(frame, level, from, to);
            let label = Math.max(frame.top + 13, level - 2);
            while (placed.some((other) => Math.abs(other - label) < 13)) label += 13;
            placed.push(label);
            paintLabel(frame, name, to - 6, label, theme.ink);
        }
        if (far.length > 0)
            paintLabel(frame, far.map((name) => `↑ ${name}`).join('   '), frame.left + 8, frame.top + 14, theme.ink, 'left');
    }

    /** The limit that left the room unused for the longest time; its colour is used for all of it. */
    #longest(): LimitLook | undefined {
        const { timeline } = this.half;
        const seconds = this.looks.map((_, index) => timeline.seconds(index, -Infinity, Infinity));
        return this.looks[seconds.indexOf(Math.max(...seconds))];
    }

    #at(band: Band): (time: number) => string | null {
        return (time) => {
            const value = band.high[rowAt(this.half.states.t, time)];
            return value === undefined || Number.isNaN(value) || time > this.#end ? null : this.units.bytes(value);
        };
    }

    keys(): Key[] {
        const { states } = this.half;
        const key = (id: string, swatch: Key['swatch'], colour: Key['colour'], value: NonNullable<Key['value']>): Key => ({
            id,
            label: this.words.text(`viewer-key-${id}`),
            swatch,
            colour,
            value,
        });
        const keys = [key('flight', 'thick', (theme) => theme.data, this.#at(states.flight))];
        if (states.window.isKnown) keys.push(key('window', 'dashed', (theme) => theme.edge, this.#at(states.window)));
        if (this.#hasPipe) keys.push(key('pipe', 'dotted', (theme) => theme.pipe, this.#at(states.pipe)));
        if (states.cwndFloor.isKnown)
            keys.push(key('cwnd-floor', 'dotted', (theme) => theme.congestion, this.#at(states.cwndFloor)));
        if (this.half.marks.has('zero_window'))
            keys.push(
                key(
                    'closed',
                    'area',
                    (theme) => theme.zero,
                    (time) => {
                        const row = rowAt(states.t, time);
                        const isClosed = states.window.high[row] === 0 && time <= this.#end;
                        return isClosed ? this.units.bytes(0) : null;
                    },
                ),
            );
        if (states.window.isKnown) {
            keys.push(
                key(
                    'unused',
                    'area',
                    (theme) => limitColour(this.#longest(), theme),
                    (time) => {
                        const row = rowAt(states.t, time);
                        const rest = (states.window.high[row] as number) - (states.flight.high[row] as number);
                        return Number.isNaN(rest) || row < 0 || time > this.#end ? null : this.units.bytes(Math.max(0, rest));
                    },
                ),
            );
        }
        return keys;
    }

    dots(time: number): Dot[] {
        const row = rowAt(this.half.states.t, time);
        if (!this.#y || !this.#theme || row < 0 || time > this.#end) return [];
        const dots: Dot[] = [];
        const flight = this.half.states.flight.high[row] as number;
        const window = this.half.states.window.high[row] as number;
        if (!Number.isNaN(flight)) dots.push({ y: this.#y.at(flight), colour: this.#theme.data });
        if (!Number.isNaN(window)) dots.push({ y: this.#y.at(window), colour: this.#theme.edge });
        return dots;
    }

    missing(time: Range): string | null {
        // A value set by an event applies until the next one.
        const first = this.half.states.t[0];
        return first !== undefined && first <= time.end && time.start <= this.#end ? null : 'viewer-missing-window';
    }

    describe(): string {
        const { extent } = this.half.chart;
        return this.words.text('viewer-describe-window', {
            flight: this.units.bytes(extent.flight),
            window: extent.window === null ? this.words.text('unknown') : this.units.bytes(extent.window),
        });
    }
}
