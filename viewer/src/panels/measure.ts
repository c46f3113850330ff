// Numbers of the visible, dragged or marked stretch.

import { button, fill, h } from '../base/dom.js';
import { type Range, tickStep } from '../base/scale.js';
import { count, unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { HalfModel } from '../data/half.js';
import { ackedUntil, type Measured, measure, sentUntil } from '../data/measure.js';
import type { View } from '../view/view.js';
import { badge } from './looks.js';

/** Smaller shares are shown only in the table. */
const LEAST_SHARE = 0.001;

/** A measurement that takes longer is delayed while the view moves. */
const COSTLY_MS = 4;
const LATER_MS = 90;

/** The readout of one direction. */
export class MeasureReadout {
    readonly element: HTMLElement;
    readonly #title = h('h2', {});
    readonly #time = h('span', {});
    /** Why the numbers are inexact, if they are. */
    readonly #doubt = h('span', { class: 'soft' });
    readonly #body = h('div', { class: 'measured' });
    readonly #zoom: HTMLButtonElement;
    readonly #clear: HTMLButtonElement;
    #last = '';
    /** Milliseconds that the last measurement took. */
    #cost = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(
        private readonly view: View,
        private readonly context: Context,
    ) {
        const { words } = context;
        this.#zoom = button(
            { class: 'link', title: 'z' },
            () => {
                if (view.marked) view.show(view.marked);
            },
            words.text('viewer-measure-zoom'),
        );
        this.#clear = button(
            { class: 'link', title: 'Esc' },
            () => view.setMarkers(null, null),
            words.text('viewer-measure-clear'),
        );
        this.element = h(
            'section',
            { class: 'measure', tabindex: 0, 'aria-label': words.text('viewer-measure-stretch') },
            h('div', { class: 'measure-head' }, this.#title, this.#time, this.#zoom, this.#clear, this.#doubt),
            this.#body,
        );
    }

    /** Shows the stretch being dragged, otherwise the one between the two cursors, otherwise the visible one.
     *  `halfFor` returns its finest data. */
    show(halfFor: (range: Range) => HalfModel): void {
        if (this.#timer !== undefined) return;
        // Frames come first: an expensive measurement follows them.
        if (this.#cost <= COSTLY_MS) this.#write(halfFor);
        else
            this.#timer = setTimeout(() => {
                this.#timer = undefined;
                this.#write(halfFor);
            }, LATER_MS);
    }

    #write(halfFor: (range: Range) => HalfModel): void {
        const {
            view,
            context: { words, units },
        } = this;
        const range = view.brush ?? view.marked ?? view.time;
        const what = view.brush ? 'dragged' : view.marked ? 'marked' : 'stretch';
        const half = halfFor(range);
        const key = `${what} ${range.start} ${range.end} ${half.bin} ${String(view.markers)}`;
        if (key === this.#last) return;
        this.#last = key;
        // For the whole time, the cards above show the same numbers.
        this.element.classList.toggle('is-all', what === 'stretch' && view.isWhole);
        const step = tickStep(range.end - range.start, 1000);
        this.#title.textContent = words.text(`viewer-measure-${what}`);
        this.#time.textContent = unbroken(
            words.text('viewer-measure-time', {
                from: units.instant(range.start, step),
                to: units.instant(range.end, step),
                width: units.seconds(range.end - range.start),
            }),
        );
        this.#zoom.hidden = what !== 'marked';
        this.#clear.hidden = view.markers.every((marker) => marker === null);
        const begin = performance.now();
        const found = measure(half, range);
        fill(this.#body, ...this.#lines(half, found, what === 'marked'));
        this.#doubt.textContent = unbroken(this.#doubts(found));
        this.#cost = performance.now() - begin;
    }

    #lines(half: HalfModel, found: Measured, isMarked: boolean): HTMLElement[] {
        const { words, units } = this.context;
        const rate = (bytes: number): string =>
            found.seconds > 0 ? units.rate((bytes * 8) / found.seconds) : words.text('unknown');
        const about = found.bin > 0 ? '≈ ' : '';
        const text = (line: string): HTMLElement => h('p', {}, unbroken(line));
        const amounts = text(
            about +
                words.text(Number.isNaN(found.segments) ? 'viewer-measure-sent-about' : 'viewer-measure-sent', {
                    bytes: units.bytes(found.sent),
                    rate: rate(found.sent),
                    segments: count(found.segments),
                }) +
                words.text('fact-separator') +
                words.text('viewer-measure-acked', { bytes: units.bytes(found.acked), rate: rate(found.acked) }),
        );
        const rest = [text(this.#losses(found)), this.#limits(found)];
        // The cursors measure two lines, the amounts the segments between them.
        return isMarked ? [this.#cursors(half), ...rest, amounts] : [amounts, ...rest];
    }

    /** Why the numbers are not exact; empty if they are. */
    #doubts(found: Measured): string {
        const { words, units } = this.context;
        const doubts = [
            found.bin > 0 ? words.text('viewer-measure-about', { bin: units.seconds(found.bin) }) : '',
            found.isCoarsened ? words.text('viewer-measure-coarsened') : '',
        ];
        return doubts.filter((doubt) => doubt !== '').join(words.text('sentence-separator'));
    }

    /** Progress of the data and the acknowledgments between A and B, and their slopes. */
    #cursors(half: HalfModel): HTMLElement {
        const { words, units } = this.context;
        const [a, b] = this.view.markers as [number, number];
        const slope = (until: (half: HalfModel, time: number) => number): { bytes: string; rate: string } => {
            const bytes = until(half, b) - until(half, a);
            return { bytes: units.bytes(bytes), rate: units.rate((bytes * 8) / (b - a)) };
        };
        const sent = slope(sentUntil);
        const acked = slope(ackedUntil);
        return h(
            'p',
            { class: 'measure-cursors' },
            unbroken(
                words.text('viewer-measure-cursors', {
                    time: units.seconds(b - a),
                    sent: sent.bytes,
                    'sent-rate': sent.rate,
                    acked: acked.bytes,
                    'acked-rate': acked.rate,
                }),
            ),
        );
    }

    #losses(found: Measured): string {
        const { words, units } = this.context;
        const rtt =
            found.rtt === null
                ? words.text('viewer-measure-no-rtt')
                : words.text('viewer-measure-rtt', {
                      low: units.seconds(found.rtt.min),
                      median: units.seconds(found.rtt.median),
                      high: units.seconds(found.rtt.max),
                  });
        const all = found.sent + found.resent;
        const resent = words.text('viewer-measure-resent', {
            bytes: units.bytes(found.resent),
            n: count(found.resentSegments),
            share: units.share(all > 0 ? found.resent / all : 0),
        });
        return resent + words.text('fact-separator') + rtt;
    }

    #limits(found: Measured): HTMLElement {
        const { words, units, data } = this.context;
        const list = h('ul', { class: 'measure-limits' });
        const covered = found.limits.reduce((sum, seconds) => sum + seconds, 0);
        const order = [...found.limits.keys()].sort((x, y) => (found.limits[y] as number) - (found.limits[x] as number));
        for (const index of order) {
            const seconds = found.limits[index] as number;
            const look = data.limits[index];
            if (!look || seconds <= 0 || seconds < covered * LEAST_SHARE) continue;
            list.append(
                h(
                    'li',
                    {},
                    badge(this.context, look.id),
                    ' ',
                    unbroken(`${words.limit(look.id)} ${units.seconds(seconds)} · ${units.share(seconds / covered)}`),
                ),
            );
        }
        return list;
    }
}
