// A small strip of the whole time, which shows the position of the visible stretch and has a handle to move
// it.

import { h, setVars } from '../base/dom.js';
import { Scale } from '../base/scale.js';
import { Grid } from '../canvas/grid.js';
import type { HalfModel } from '../data/half.js';
import type { View } from '../view/view.js';
import type { Context, Frame } from './frame.js';
import { LimitColumns } from './limits.js';
import { margins } from './panel.js';
import { paintLimits } from './strip.js';

const HEIGHT = 12;

export class Minimap {
    readonly element: HTMLElement;
    readonly #canvas = h('canvas', { 'aria-hidden': 'true' });
    readonly #window = h('div', { class: 'minimap-window' });
    #width = 0;
    #ratio = 1;

    constructor(
        private readonly view: View,
        private readonly context: Context,
        private readonly half: HalfModel,
    ) {
        this.element = h('div', { class: 'minimap' }, this.#canvas, this.#window);
        setVars(this.element, { '--height': `${HEIGHT}px` });
        let grip: number | null = null;
        const jump = (event: PointerEvent): void => {
            const time = this.#scale().invert(event.clientX - this.element.getBoundingClientRect().left);
            view.moveTo(time - (grip ?? 0));
        };
        this.element.addEventListener('pointerdown', (event) => {
            const time = this.#scale().invert(event.clientX - this.element.getBoundingClientRect().left);
            const { start, end } = view.time;
            grip = time >= start && time <= end ? time - start : (end - start) / 2;
            this.element.setPointerCapture(event.pointerId);
            jump(event);
        });
        this.element.addEventListener('pointermove', (event) => {
            if (grip !== null) jump(event);
        });
        for (const name of ['pointerup', 'pointercancel'] as const) this.element.addEventListener(name, () => (grip = null));
        this.element.addEventListener('dblclick', () => view.reset());
    }

    #scale(): Scale {
        const { left, right } = margins(this.#width);
        return new Scale(this.view.bounds, left, Math.max(left + 1, this.#width - right));
    }

    resize(width: number, ratio: number): void {
        [this.#width, this.#ratio] = [width, ratio];
        this.#canvas.width = Math.round(width * ratio);
        this.#canvas.height = Math.round(HEIGHT * ratio);
        this.draw();
    }

    /** Draws the limits of the whole time. */
    draw(): void {
        const on = this.#canvas.getContext('2d');
        if (!on || this.#width === 0) return;
        on.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
        on.clearRect(0, 0, this.#width, HEIGHT);
        const time = this.#scale();
        const grid = new Grid(time, this.#ratio);
        const limits = new LimitColumns(this.half.timeline, grid);
        const frame: Omit<Frame, 'ink' | 'later'> = {
            ...this.context,
            on,
            half: this.half,
            grid,
            time,
            limits,
            chosen: this.view.limit,
            left: time.from,
            right: time.to,
            top: 0,
            bottom: HEIGHT,
        };
        paintLimits(frame, 2, HEIGHT - 2, true);
        this.place();
    }

    /** Positions the window at the visible stretch. */
    place(): void {
        const scale = this.#scale();
        const from = scale.at(this.view.time.start);
        const width = Math.max(4, scale.at(this.view.time.end) - from);
        setVars(this.#window, { '--from': `${from}px`, '--width': `${width}px` });
        this.element.classList.toggle('is-whole', this.view.isWhole);
    }
}
