// The sending socket as reported by its kernel: the send buffer, the data waiting in it, and the windows.

import type { Range, Scale } from '../base/scale.js';
import { count, type Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import { gatherSteps, highest } from '../canvas/grid.js';
import { paintDashed, paintLine } from '../canvas/paint.js';
import { limitColour, type Theme } from '../canvas/theme.js';
import { type Band, most } from '../data/band.js';
import { type HalfModel, rowAt, type SocketModel } from '../data/half.js';
import { paintAxes, paintChosen, paintLabel, verticalScale, withHeadroom } from './axis.js';
import type { Chart, Dot, Frame, Key, Swatch } from './frame.js';

/** A window more than this many times above the rest would flatten all other lines. */
const FAR = 4;

/** Height in pixels of the band for waiting writes. */
const BAND = 5;

/** Seconds for which a sample is valid: the kernel is sampled at least once per second. */
const HELD = 1;

const LINES = ['window', 'cwnd', 'unsent', 'flight', 'buffer', 'queued'] as const;
type Name = (typeof LINES)[number];

const COLOURS: Readonly<Record<Name, (theme: Theme) => string>> = {
    window: (theme) => theme.edge,
    cwnd: (theme) => theme.congestion,
    unsent: (theme) => theme.ack,
    flight: (theme) => theme.pipe,
    buffer: (theme) => theme.reference,
    queued: (theme) => theme.data,
};

const STROKES: Readonly<Record<Name, readonly [swatch: Swatch, on: number, off: number]>> = {
    window: ['dashed', 9, 4],
    cwnd: ['dotted', 3, 3],
    unsent: ['line', 0, 0],
    flight: ['dotted', 2, 2],
    buffer: ['thick', 0, 0],
    queued: ['thick', 0, 0],
};

export class SocketChart implements Chart {
    readonly id = 'socket';
    readonly height = { wide: 210, narrow: 190 };
    readonly axis = 'viewer-axis-bytes';
    #y: Scale | null = null;
    #theme: Theme | null = null;
    readonly #end: number;

    constructor(
        readonly half: HalfModel,
        private readonly socket: SocketModel,
        private readonly words: Words,
        private readonly units: Units,
    ) {
        this.#end = (socket.t.at(-1) ?? 0) + HELD;
    }

    draw(frame: Frame): void {
        const { grid, ink, theme } = frame;
        const { socket } = this;
        this.#theme = theme;
        const lines = this.#shown().map((name) => [name, gatherSteps(socket.t, socket[name], grid, this.#end)] as const);
        const isWindow = (name: Name): boolean => name === 'window' || name === 'cwnd';
        let top = NaN;
        for (const [name, gathered] of lines) if (!isWindow(name)) top = most(top, highest(gathered));
        if (!(top > 0)) top = 1;
        const own = top;
        const far: string[] = [];
        for (const [name, gathered] of lines) {
            if (!isWindow(name)) continue;
            const bytes = highest(gathered);
            if (bytes <= own * FAR) top = most(top, bytes);
            else if (!Number.isNaN(bytes))
                far.push(this.words.text('viewer-socket-above', { name: this.#name(name), bytes: this.units.bytes(bytes) }));
        }
        const y = verticalScale(frame, withHeadroom(0, top, 0.12));
        this.#y = y;
        paintChosen(frame);
        paintAxes(frame, y, (value, step) => this.units.bytesTick(value, step));
        ink.clip(frame.left, frame.top, frame.right, frame.bottom);
        const full = gatherSteps(socket.t, socket.full, grid, this.#end);
        const look = frame.data.limits.find((one) => one.id === 'send_buffer');
        for (let i = 0; i < grid.count; i++)
            if ((full.high[i] as number) > 0) ink.rect(grid.x(i), frame.top, 1 / grid.ratio, BAND, limitColour(look, theme));
        for (const [name, gathered] of lines) {
            const [swatch, on, off] = STROKES[name];
            const thickness = swatch === 'thick' ? 2 : 1.5;
            if (off > 0) paintDashed(ink, gathered, grid, y, COLOURS[name](theme), thickness, on, off);
            else paintLine(ink, gathered, grid, y, COLOURS[name](theme), thickness);
        }
        ink.clip();
        if (far.length > 0) paintLabel(frame, far.join('   '), frame.left + 8, frame.top + BAND + 15, theme.ink, 'left');
    }

    /** The lines for which the kernel reported values. */
    #shown(): Name[] {
        return LINES.filter((name) => this.socket[name].isKnown);
    }

    #name(name: Name): string {
        return this.words.text(`viewer-key-${name}`);
    }

    #value(band: Band, time: number): number | null {
        const row = rowAt(this.socket.t, time);
        const value = row < 0 || time > this.#end ? undefined : band.high[row];
        return value === undefined || Number.isNaN(value) ? null : value;
    }

    keys(): Key[] {
        const keys: Key[] = this.#shown()
            .reverse()
            .map((name) => ({
                id: name,
                label: this.#name(name),
                swatch: STROKES[name][0],
                colour: COLOURS[name],
                value: (time) => {
                    const bytes = this.#value(this.socket[name], time);
                    return bytes === null ? null : this.units.bytes(bytes);
                },
            }));
        if (this.socket.fullSamples > 0) {
            keys.push({
                id: 'full',
                label: this.words.text('viewer-key-full'),
                swatch: 'area',
                colour: (theme) => (theme.name === 'dark' ? this.socket.fullColours[1] : this.socket.fullColours[0]),
                value: (time) => {
                    const isFull = this.#value(this.socket.full, time);
                    return isFull === null ? null : this.words.text(isFull > 0 ? 'yes' : 'no');
                },
            });
        }
        return keys;
    }

    dots(time: number): Dot[] {
        const [y, theme] = [this.#y, this.#theme];
        if (!y || !theme) return [];
        return this.#shown().flatMap((name) => {
            const bytes = this.#value(this.socket[name], time);
            return bytes === null || bytes > y.domain.end ? [] : [{ y: y.at(bytes), colour: COLOURS[name](theme) }];
        });
    }

    missing(time: Range): string | null {
        const first = this.socket.t[0];
        return first !== undefined && first <= time.end && time.start <= this.#end ? null : 'viewer-missing-socket';
    }

    describe(): string {
        const { socket, words, units } = this;
        const top = (band: Band): string => {
            const bytes = band.max(0, band.length);
            return Number.isNaN(bytes) ? words.text('unknown') : units.bytes(bytes);
        };
        return words.text('viewer-describe-socket', {
            buffer: top(socket.buffer),
            queued: top(socket.queued),
            full: count(socket.fullSamples),
            n: count(socket.t.length),
        });
    }
}
