// Details at the cursor: the limit, its reason, the supporting numbers, and the alternative.

import { fill, h } from '../base/dom.js';
import { unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { HalfModel } from '../data/half.js';
import { badge } from './looks.js';

/** Resolution of an interval's ends, seconds: packets are microseconds apart. */
const STEP = 1e-6;

/** A number in the unit at the end of its name. */
function valueText({ units }: Context, measure: string, value: number): string {
    if (measure.endsWith('_bytes')) return units.bytes(value);
    if (measure.endsWith('_us')) return units.seconds(value / 1e6);
    if (measure.endsWith('_share')) return units.share(value);
    return units.rate(value);
}

function message(family: string, id: string): string {
    return `${family}-${id.replaceAll('_', '-')}`;
}

/** The readout of one direction. It keeps its last content, so that it can be read after the pointer has
 *  left. */
export class WhyReadout {
    readonly element: HTMLElement;
    readonly #body: HTMLElement;
    #row = -1;

    constructor(
        private readonly half: HalfModel,
        private readonly context: Context,
    ) {
        const { words } = context;
        this.#body = h('div', { role: 'status' }, h('p', { class: 'soft' }, words.text('viewer-why-hint')));
        this.element = h(
            'section',
            { class: 'why-here', tabindex: 0, 'aria-label': words.text('viewer-why-here') },
            h('h2', {}, words.text('viewer-why-here')),
            this.#body,
        );
    }

    /** Shows the longest interval of `limit` until the reader points at an instant. */
    begin(limit: string): void {
        const { timeline } = this.half;
        let longest = -1;
        let most = 0;
        for (let row = 0; row < timeline.length; row++) {
            const length = timeline.endOf(row) - (timeline.start[row] as number);
            if (timeline.limitId(row) === limit && length > most) [longest, most] = [row, length];
        }
        if (longest >= 0) this.show(timeline.start[longest] as number);
    }

    /** Shows the interval at `time`. */
    show(time: number): void {
        const row = this.half.timeline.at(time);
        if (row < 0 || row === this.#row) return;
        this.#row = row;
        fill(this.#body, this.#head(row), this.#sentence(row), this.#values(row), this.#alternative(row));
    }

    #head(row: number): HTMLElement {
        const { timeline } = this.half;
        const { words, units } = this.context;
        const start = timeline.start[row] as number;
        const end = timeline.endOf(row);
        const confidence = timeline.confidence[row] as number;
        const text = words.text('viewer-why-line', {
            limit: words.limit(timeline.limitId(row), timeline.detail(row)),
            from: units.instant(start, STEP),
            to: units.instant(end, STEP),
            length: units.seconds(end - start),
            confidence: Number.isNaN(confidence) ? words.text('unknown') : units.share(confidence / 100),
        });
        return h('p', { class: 'why-limit' }, badge(this.context, timeline.limitId(row)), ' ', unbroken(text));
    }

    #sentence(row: number): HTMLElement | null {
        const { timeline } = this.half;
        const { words, units } = this.context;
        const why = timeline.why(row);
        if (!why) return null;
        const length = units.seconds(timeline.endOf(row) - (timeline.start[row] as number));
        return h(
            'p',
            { class: 'why-reason', 'data-reason': why.reason },
            unbroken(words.text(message('why', why.reason), { length })),
        );
    }

    #values(row: number): HTMLElement | null {
        const { words } = this.context;
        const values = this.half.timeline.why(row)?.values ?? [];
        if (values.length === 0) return null;
        const texts = values.map(({ measure, value }) =>
            words.text('moment-label-value', {
                label: words.text(message('evidence', measure)),
                value: valueText(this.context, measure, value),
            }),
        );
        return h('p', { class: 'why-values' }, unbroken(texts.join(words.text('fact-separator'))));
    }

    #alternative(row: number): HTMLElement | null {
        const { words } = this.context;
        const other = this.half.timeline.alternative(row);
        if (!other) return null;
        const sentences = [
            words.text('verdict-alternative', {
                other: words.limit(other.limit),
                decider: words.text(message('decider', other.decider)),
            }),
            words.text(message('alternative', other.limit)),
        ];
        return h('p', { class: 'why-other' }, sentences.join(words.text('sentence-separator')));
    }
}
