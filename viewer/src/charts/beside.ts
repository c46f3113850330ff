// The strips and curves of two transfers on one time axis, with the legends and the pointer of all charts.

import { button, h } from '../base/dom.js';
import { tickStep } from '../base/scale.js';
import type { Units } from '../base/units.js';
import type { Words } from '../base/words.js';
import type { HalfModel } from '../data/half.js';
import type { View } from '../view/view.js';
import { chartFont } from './axis.js';
import type { Context, Frame } from './frame.js';
import { colourOf, JointChart, type JointKind, type JointSide } from './joint.js';
import { onKey, takesKeys } from './keyboard.js';
import { Panel } from './panel.js';
import { attachPointer } from './pointer.js';
import { StripChart } from './strip.js';

/** The strip of one transfer with its letter before it. */
class LetteredStrip extends StripChart {
    constructor(
        half: HalfModel,
        words: Words,
        units: Units,
        private readonly letter: 'A' | 'B',
        hasTimes: boolean,
    ) {
        super(half, words, units, null, hasTimes);
    }

    override draw(frame: Frame): void {
        super.draw(frame);
        const { on, theme } = frame;
        frame.later(() => {
            chartFont(on);
            on.font = on.font.replace(/^.*?11px/, '700 15px');
            on.fillStyle = colourOf(this.letter, theme);
            on.textAlign = 'right';
            on.textBaseline = 'middle';
            on.fillText(this.letter, frame.left - 10, (frame.top + this.limitsBottom(frame)) / 2 + 0.5);
        });
    }

    override describe(): string {
        return `${this.letter}. ${super.describe()}`;
    }
}

/** Input of the charts. */
export interface BesideInput {
    readonly sides: readonly JointSide[];
    /** The charts below the strips, starting with the one that proves the answer. */
    readonly kinds: readonly JointKind[];
    /** Whether they are two transfers, each from its start; otherwise it is one connection at two places. */
    readonly isFromZero: boolean;
    readonly onHelp: () => void;
    /** Goes to the next or previous span of the highlighted limit. */
    readonly jump: (step: 1 | -1) => void;
}

export class Beside {
    readonly element: HTMLElement;
    readonly #strips: readonly LetteredStrip[];
    readonly #panels: readonly Panel[];
    readonly #state = h('p', { class: 'where', role: 'status' });
    readonly #reset: HTMLButtonElement;
    readonly #body: HTMLElement;
    readonly #abort = new AbortController();
    readonly #sizes: ResizeObserver;

    constructor(
        private readonly input: BesideInput,
        private readonly view: View,
        private readonly context: Context,
    ) {
        const { words, units } = context;
        const { sides } = input;
        const first = (sides[0] as JointSide).half;
        this.#strips = sides.map(({ letter, half }, i) => new LetteredStrip(half, words, units, letter, i === sides.length - 1));
        const strips = this.#strips.map((strip) => new Panel(strip, view, context, strip.half));
        const charts = input.kinds.map(
            (kind) => new Panel(new JointChart(kind, sides, words, units, input.isFromZero), view, context, first),
        );
        this.#panels = [...strips, ...charts];
        this.#reset = button({ class: 'reset', title: '0' }, () => view.reset(), words.text('viewer-zoom-reset'));
        const tools = h(
            'div',
            { class: 'chart-tools', role: 'toolbar', 'aria-label': words.text('viewer-tools') },
            button(
                { 'aria-label': words.text('viewer-zoom-in'), title: '+' },
                () => view.zoom(0.5, view.cursor ?? undefined),
                '+',
            ),
            button(
                { 'aria-label': words.text('viewer-zoom-out'), title: '−' },
                () => view.zoom(2, view.cursor ?? undefined),
                '−',
            ),
            this.#reset,
        );
        this.#body = h('div', { class: 'panels' }, ...charts.map((panel) => panel.element));
        this.element = h(
            'section',
            { class: 'charts card beside has-all-charts', id: 'beside', tabindex: 0, 'aria-label': words.text('viewer-charts') },
            h(
                'div',
                { class: 'charts-main' },
                h('div', { class: 'strip-head' }, this.#state, tools),
                ...strips.map((panel) => panel.element),
                this.#body,
            ),
        );
        for (const [i, panel] of this.#panels.entries()) this.#attach(panel, this.#strips[i] ?? null);
        view.listen((change) => {
            if (change.time || change.limit) this.#draw();
            else if (change.cursor) for (const panel of this.#panels) panel.drawOver();
            this.#tell();
        });
        this.#sizes = new ResizeObserver(() => this.#resize());
        this.#sizes.observe(this.#body);
        this.#listen();
    }

    /** Draws everything at once. */
    drawAll(): void {
        this.#draw();
    }

    /** Stops listening; the element is no longer shown. */
    close(): void {
        this.#abort.abort();
        this.#sizes.disconnect();
    }

    #attach(panel: Panel, strip: LetteredStrip | null): void {
        attachPointer(
            panel.stage,
            this.view,
            () => panel.time,
            (time) => {
                this.element.classList.add('is-active');
                this.view.setCursor(time);
                const limit = strip?.limitAt(time);
                if (limit) this.view.setLimit(this.view.limit === limit.id ? null : limit.id);
            },
        );
    }

    #listen(): void {
        const { signal } = this.#abort;
        const actions = { jump: this.input.jump, help: this.input.onHelp };
        document.addEventListener(
            'keydown',
            (event) => {
                if (takesKeys(event.target)) return;
                const target = event.target as Element;
                const isHere = target === document.body || target.closest('.compare-body') !== null;
                if (isHere && onKey(event, this.view, actions)) event.preventDefault();
            },
            { signal },
        );
        document.addEventListener(
            'pointerdown',
            (event) => {
                if (!this.element.contains(event.target as Node)) this.element.classList.remove('is-active');
            },
            { signal },
        );
    }

    #resize(): void {
        const width = this.#body.clientWidth;
        if (width === 0) return;
        for (const panel of this.#panels) panel.resize(width, window.devicePixelRatio || 1);
        this.#draw();
        this.#tell();
    }

    #draw(): void {
        // Each strip has its own limits.
        for (const panel of this.#panels) panel.draw(null);
    }

    /** Shows the stretch, and the limit of each transfer at the cursor, as text. */
    #tell(): void {
        const { words, units } = this.context;
        const { time, cursor } = this.view;
        const step = tickStep(time.end - time.start, 1000);
        const parts = [
            words.text('viewer-range', {
                from: units.instant(time.start, step),
                to: units.instant(time.end, step),
                width: units.seconds(time.end - time.start),
            }),
        ];
        if (cursor !== null) {
            const limits = this.#strips.map(
                (strip, i) => `${this.input.sides[i]?.letter}: ${strip.limitAt(cursor)?.text ?? '–'}`,
            );
            parts.push(words.text('viewer-at', { time: units.instant(cursor, step), limit: limits.join(' · ') }));
        }
        const text = parts.join('   ');
        if (this.#state.textContent !== text) this.#state.textContent = text;
        this.#reset.disabled = this.view.isWhole;
    }
}
