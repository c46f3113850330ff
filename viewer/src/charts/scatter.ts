// Many connections at a glance: bytes against duration, coloured by what held each back, larger where more time was lost.

import { h, setVars } from '../base/dom.js';
import { Scale } from '../base/scale.js';
import { limitColour } from '../canvas/theme.js';
import type { Overview } from '../data/overview.js';
import { chartFont } from './axis.js';
import type { Context } from './frame.js';

const HEIGHT = 260;
const LEFT = 76;
const BOTTOM = 34;

/** Powers of ten that cover the known positive values. */
function decades(values: Float64Array): { start: number; end: number } {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values) {
        if (!(value > 0)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
    }
    if (!(low <= high)) return { start: 0, end: 1 };
    const start = Math.log10(low) - 0.15;
    const end = Math.log10(high) + 0.15;
    return end - start < 1 ? { start: (start + end) / 2 - 0.5, end: (start + end) / 2 + 0.5 } : { start, end };
}

/** The scatter chart. `open` is called with the row that was clicked. */
export class Scatter {
    readonly element: HTMLElement;
    readonly #canvas = h('canvas', { role: 'img' });
    readonly #tip = h('p', { class: 'scatter-tip', role: 'status' });
    #places: { row: number; x: number; y: number; radius: number }[] = [];
    #shown: Set<number> | null = null;
    #width = 0;

    constructor(private readonly overview: Overview, private readonly context: Context, describe: (row: number) => string, open: (row: number) => void) {
        this.#canvas.setAttribute('aria-label', context.words.text('viewer-describe-scatter', { n: String(overview.rows) }));
        this.element = h('div', { class: 'scatter' }, this.#canvas, this.#tip);
        setVars(this.element, { '--height': `${HEIGHT}px` });
        new ResizeObserver(() => this.draw()).observe(this.element);
        this.#canvas.addEventListener('pointermove', (event) => {
            const row = this.#near(event);
            this.#tip.textContent = row === null ? '' : describe(row);
            this.#canvas.classList.toggle('is-link', row !== null);
        });
        this.#canvas.addEventListener('pointerleave', () => (this.#tip.textContent = ''));
        this.#canvas.addEventListener('click', (event) => {
            const row = this.#near(event);
            if (row !== null) open(row);
        });
    }

    /** Fades all but `rows`. */
    show(rows: readonly number[] | null): void {
        this.#shown = rows === null ? null : new Set(rows);
        this.draw();
    }

    #near(event: MouseEvent): number | null {
        const box = this.#canvas.getBoundingClientRect();
        let best: number | null = null;
        let distance = 14;
        for (const place of this.#places) {
            const away = Math.hypot(event.clientX - box.left - place.x, event.clientY - box.top - place.y) - place.radius;
            if (away < distance) {
                distance = away;
                best = place.row;
            }
        }
        return best;
    }

    draw(): void {
        const { context: { theme, units, words, data }, overview } = this;
        const ratio = window.devicePixelRatio || 1;
        this.#width = this.element.clientWidth;
        const on = this.#canvas.getContext('2d');
        if (!on || this.#width === 0) return;
        this.#canvas.width = Math.round(this.#width * ratio);
        this.#canvas.height = Math.round(HEIGHT * ratio);
        on.setTransform(ratio, 0, 0, ratio, 0, 0);
        on.clearRect(0, 0, this.#width, HEIGHT);
        const x = new Scale(decades(overview.bytes), LEFT, this.#width - 16);
        const y = new Scale(decades(overview.duration), HEIGHT - BOTTOM, 10);
        chartFont(on);
        on.textBaseline = 'middle';
        for (let power = Math.ceil(x.domain.start); power <= x.domain.end; power++) {
            on.fillStyle = theme.grid;
            on.fillRect(Math.round(x.at(power)), 10, 1, HEIGHT - BOTTOM - 10);
            on.fillStyle = theme.inkSoft;
            on.textAlign = 'center';
            on.fillText(units.bytes(10 ** power), x.at(power), HEIGHT - BOTTOM + 11);
        }
        for (let power = Math.ceil(y.domain.start); power <= y.domain.end; power++) {
            on.fillStyle = theme.grid;
            on.fillRect(LEFT, Math.round(y.at(power)), this.#width - LEFT - 16, 1);
            on.fillStyle = theme.inkSoft;
            on.textAlign = 'right';
            on.fillText(units.seconds(10 ** power), LEFT - 6, y.at(power));
        }
        on.textAlign = 'right';
        on.fillText(words.text('viewer-axis-bytes'), this.#width - 16, HEIGHT - 8);
        on.textAlign = 'left';
        on.fillText(words.text('viewer-axis-duration'), 4, 12);
        const largest = overview.lost.reduce((best, lost) => (lost > best ? lost : best), 1e-9);
        this.#places = [];
        // Those that lost least first, so that the others lie above.
        for (let row = overview.rows - 1; row >= 0; row--) {
            const bytes = overview.bytes[row] as number;
            const duration = overview.duration[row] as number;
            if (!(bytes > 0) || !(duration > 0)) continue;
            const lost = overview.lost[row] as number;
            const radius = 3.5 + 9 * Math.sqrt(Math.max(0, lost || 0) / largest);
            const place = { row, x: x.at(Math.log10(bytes)), y: y.at(Math.log10(duration)), radius };
            const verdict = overview.verdict(row);
            const look = data.limits.find((other) => other.id === verdict?.limit);
            const isShown = this.#shown === null || this.#shown.has(row);
            on.globalAlpha = isShown ? 0.85 : 0.12;
            on.beginPath();
            on.arc(place.x, place.y, radius, 0, 2 * Math.PI);
            on.fillStyle = verdict ? limitColour(look, theme) : theme.ground;
            on.fill();
            on.lineWidth = 1;
            on.strokeStyle = verdict ? theme.ground : theme.inkSoft;
            on.stroke();
            if (look && radius >= 7 && isShown) {
                on.globalAlpha = 1;
                on.fillStyle = theme.name === 'dark' ? look.ink_dark : look.ink_light;
                on.textAlign = 'center';
                on.fillText(look.letter, place.x, place.y + 0.5);
            }
            if (isShown) this.#places.push(place);
        }
        on.globalAlpha = 1;
    }
}
