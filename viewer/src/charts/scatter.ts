// Many connections at a glance: bytes against duration, coloured by what held each back, larger where more time could be saved.

import { h, setVars } from '../base/dom.js';
import { Scale } from '../base/scale.js';
import { count } from '../base/units.js';
import { limitColour } from '../canvas/theme.js';
import type { Overview } from '../data/overview.js';
import { chartFont } from './axis.js';
import type { Context } from './frame.js';
import { arrange, type Place, type Spot } from './places.js';

const HEIGHT = 300;
const LEFT = 76;
const BOTTOM = 34;
/** Above the uppermost label of the axis stands what it shows. */
const TOP = 26;

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

/** What the chart asks of the page. */
export interface ScatterActions {
    describe(row: number): string;
    open(row: number): void;
    canOpen(row: number): boolean;
    /** Lists the connections of a dot that stands for several. */
    list(rows: readonly number[]): void;
}

/** The scatter chart. */
export class Scatter {
    readonly element: HTMLElement;
    readonly #canvas = h('canvas', { role: 'img' });
    readonly #tip = h('p', { class: 'scatter-tip', role: 'status' });
    #places: Place[] = [];
    #shown: Set<number> | null = null;
    #width = 0;

    constructor(
        private readonly overview: Overview,
        private readonly context: Context,
        private readonly actions: ScatterActions,
    ) {
        this.#canvas.setAttribute('aria-label', context.words.text('viewer-describe-scatter', { n: String(overview.rows) }));
        this.element = h('div', { class: 'scatter' }, this.#canvas, this.#tip);
        setVars(this.element, { '--height': `${HEIGHT}px` });
        new ResizeObserver(() => this.draw()).observe(this.element);
        this.#canvas.addEventListener('pointermove', (event) => {
            const place = this.#near(event);
            this.#tip.textContent = place === null ? '' : this.#describe(place);
            this.#canvas.classList.toggle(
                'is-link',
                place !== null && (place.rows.length > 1 || actions.canOpen(place.rows[0] as number)),
            );
        });
        this.#canvas.addEventListener('pointerleave', () => (this.#tip.textContent = ''));
        this.#canvas.addEventListener('click', (event) => {
            const place = this.#near(event);
            if (place === null) return;
            if (place.rows.length > 1) actions.list(place.rows);
            else actions.open(place.rows[0] as number);
        });
    }

    #describe(place: Place): string {
        const first = place.rows[0] as number;
        if (place.rows.length === 1) return this.actions.describe(first);
        const { words } = this.context;
        const verdict = this.overview.verdict(first);
        return words.text('viewer-scatter-many', {
            n: count(place.rows.length),
            limit: verdict ? words.limit(verdict.limit) : words.text('viewer-nothing'),
        });
    }

    /** Fades all but `rows`. */
    show(rows: readonly number[] | null): void {
        this.#shown = rows === null ? null : new Set(rows);
        this.draw();
    }

    #near(event: MouseEvent): Place | null {
        const box = this.#canvas.getBoundingClientRect();
        let best: Place | null = null;
        let distance = 14;
        for (const place of this.#places) {
            const away = Math.hypot(event.clientX - box.left - place.x, event.clientY - box.top - place.y) - place.radius;
            if (away < distance) {
                distance = away;
                best = place;
            }
        }
        return best;
    }

    draw(): void {
        const {
            context: { theme, units, words },
            overview,
        } = this;
        const ratio = window.devicePixelRatio || 1;
        this.#width = this.element.clientWidth;
        const on = this.#canvas.getContext('2d');
        if (!on || this.#width === 0) return;
        this.#canvas.width = Math.round(this.#width * ratio);
        this.#canvas.height = Math.round(HEIGHT * ratio);
        on.setTransform(ratio, 0, 0, ratio, 0, 0);
        on.clearRect(0, 0, this.#width, HEIGHT);
        const x = new Scale(decades(overview.bytes), LEFT, this.#width - 16);
        const y = new Scale(decades(overview.duration), HEIGHT - BOTTOM, TOP);
        chartFont(on);
        on.textBaseline = 'middle';
        const powers = ({ domain }: Scale): number => Math.floor(domain.end) - Math.ceil(domain.start) + 1;
        // Labels of bytes need some 60 pixels each.
        const every = Math.max(1, Math.ceil((powers(x) * 60) / Math.max(1, this.#width - LEFT)));
        for (let power = Math.ceil(x.domain.start); power <= x.domain.end; power += every) {
            on.fillStyle = theme.grid;
            on.fillRect(Math.round(x.at(power)), TOP, 1, HEIGHT - BOTTOM - TOP);
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
        on.fillText(words.text('viewer-axis-duration'), 4, 8);
        this.#places = this.#arrange(x, y);
        // Those that matter most are arranged first and drawn last.
        for (const place of [...this.#places].reverse()) this.#dot(on, place);
        on.globalAlpha = 1;
    }

    #arrange(x: Scale, y: Scale): Place[] {
        const { overview } = this;
        const largest = overview.lost.reduce((best, lost) => (lost > best ? lost : best), 1e-9);
        const spots: Spot[] = [];
        for (let row = 0; row < overview.rows; row++) {
            const isShown = this.#shown === null || this.#shown.has(row);
            const bytes = overview.bytes[row] as number;
            const duration = overview.duration[row] as number;
            if (!(bytes > 0) || !(duration > 0) || !isShown) continue;
            spots.push({
                row,
                x: x.at(Math.log10(bytes)),
                y: y.at(Math.log10(duration)),
                cause: overview.verdict(row)?.limit ?? '',
                share: Math.max(0, (overview.lost[row] as number) || 0) / largest,
            });
        }
        return arrange(spots, { left: LEFT, right: this.#width - 8, top: TOP - 6, bottom: HEIGHT - BOTTOM + 4 });
    }

    #dot(on: CanvasRenderingContext2D, place: Place): void {
        const {
            context: { theme, data },
            overview,
        } = this;
        const first = place.rows[0] as number;
        const verdict = overview.verdict(first);
        const look = data.limits.find((other) => other.id === verdict?.limit);
        // What cannot be opened is a ring.
        const isSolid = place.rows.length > 1 || this.actions.canOpen(first);
        const colour = verdict ? limitColour(look, theme) : theme.inkSoft;
        on.globalAlpha = 1;
        on.beginPath();
        on.arc(place.x, place.y, place.radius, 0, 2 * Math.PI);
        on.fillStyle = verdict && isSolid ? colour : theme.ground;
        on.fill();
        on.lineWidth = isSolid ? 1 : 1.5;
        on.strokeStyle = verdict && isSolid ? theme.ground : colour;
        on.stroke();
        const n = place.rows.length;
        const text = `${look?.letter ?? ''}${n === 1 ? '' : n > 999 ? `${Math.round(n / 1000)}k` : n}`;
        on.fillStyle = !isSolid
            ? theme.ink
            : !verdict || !look
              ? theme.ink
              : theme.name === 'dark'
                ? look.ink_dark
                : look.ink_light;
        on.textAlign = 'center';
        on.font = `600 ${n > 99 ? 8 : 9}px system-ui, sans-serif`;
        on.fillText(text, place.x, place.y + 0.5);
    }
}
