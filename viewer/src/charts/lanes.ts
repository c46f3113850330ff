// Requests and answers in three lanes: the time of the client, of the network and of the server.

import type { Range } from '../base/scale.js';
import { lowerBound } from '../base/search.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import type { Theme } from '../canvas/theme.js';
import type { ExchangeModel } from '../data/exchanges.js';
import { chartFont, paintChosen } from './axis.js';
import type { Chart, Dot, Frame, Key } from './frame.js';

const LANES = ['client', 'network', 'server'] as const;
type Lane = (typeof LANES)[number];

const COLOURS: Readonly<Record<Lane, (theme: Theme) => string>> = {
    client: (theme) => theme.dataFill,
    network: (theme) => theme.control,
    server: (theme) => theme.ack,
};

/** Room for a sentence above the lanes. */
const NOTE = 30;
/** Room above and below a bar. */
const GAP = 6;
/** Rows that are searched before the first visible one, because answers overlap if several requests are in
 *  progress. */
const BEFORE = 64;

export class LanesChart implements Chart {
    readonly id = 'lanes';
    readonly height = { wide: 170, narrow: 150 };
    readonly isLow = true;
    readonly axis = null;

    constructor(
        private readonly exchanges: ExchangeModel,
        private readonly words: Words,
        private readonly units: Units,
    ) {}

    draw(frame: Frame): void {
        const { ink, on, theme, time, left, right, bottom } = frame;
        const top = frame.top + NOTE;
        const height = (bottom - top) / LANES.length;
        paintChosen(frame);
        for (const [i, lane] of LANES.entries()) {
            const y = top + i * height;
            ink.rect(left, y + height, right - left, 1, theme.grid);
            frame.later(() => {
                chartFont(on);
                on.fillStyle = theme.inkSoft;
                on.textAlign = 'right';
                on.textBaseline = 'middle';
                on.fillText(this.words.text(`viewer-lane-${lane}`), left - 6, y + height / 2, left - 8);
            });
        }
        const bar = (lane: Lane, from: number, to: number): void => {
            if (!(to > from) || to < time.domain.start || from > time.domain.end) return;
            const x = Math.max(left, time.at(from));
            const width = Math.max(1, Math.min(right, time.at(to)) - x);
            const y = top + LANES.indexOf(lane) * height;
            ink.rect(x, y + GAP, width, height - 2 * GAP, COLOURS[lane](theme));
        };
        const first = Math.max(0, lowerBound(this.exchanges.t, time.domain.start) - BEFORE);
        const end = lowerBound(this.exchanges.t, time.domain.end);
        for (let row = first; row < Math.min(end + 1, this.exchanges.rows); row++) {
            const { sent, atServer, answered, carried, done } = this.exchanges.parts(row);
            // If exchanges in between are missing here, the client did more than wait.
            if (this.exchanges.rows === this.exchanges.count) bar('client', this.exchanges.before(row), sent);
            bar('network', sent, atServer);
            bar('server', atServer, answered);
            bar('network', answered, carried);
            bar('server', carried, done);
        }
    }

    notePlace(frame: Frame): { x: number; y: number } {
        return { x: (frame.left + frame.right) / 2, y: frame.top + NOTE / 2 - 2 };
    }

    keys(): Key[] {
        const value =
            (lane: Lane) =>
            (time: number): string | null => {
                const row = this.exchanges.at(time);
                if (row < 0) return null;
                const { sent, atServer, answered, carried, done } = this.exchanges.parts(row);
                const before = this.exchanges.before(row);
                const network = atServer - sent + carried - answered;
                const seconds = { client: sent - before, network, server: done - sent - network };
                return Number.isNaN(seconds[lane]) ? null : this.units.seconds(Math.max(0, seconds[lane]));
            };
        return LANES.map((lane) => ({
            id: lane,
            label: this.words.text(`viewer-lane-${lane}`),
            swatch: 'area',
            colour: COLOURS[lane],
            value: value(lane),
        }));
    }

    dots(): Dot[] {
        return [];
    }

    missing(time: Range): string | null {
        const last = this.exchanges.at(time.end);
        return last >= 0 && this.exchanges.parts(last).done >= time.start ? null : 'viewer-missing-lanes';
    }

    describe(): string {
        return this.words.text('viewer-describe-lanes', { n: String(this.exchanges.count) });
    }
}
