// A chart on the page: a heading with legend and values, a canvas for the data, and another above it for the
// crosshair.

import { h, setVars } from '../base/dom.js';
import { Scale } from '../base/scale.js';
import { Grid } from '../canvas/grid.js';
import { snap } from '../canvas/paint.js';
import { Raster } from '../canvas/raster.js';
import type { HalfModel } from '../data/half.js';
import type { View } from '../view/view.js';
import { chartFont } from './axis.js';
import type { Chart, Context, Frame, Key } from './frame.js';
import { LimitColumns } from './limits.js';
import { paintNote } from './note.js';
import { type Caption, draw } from './picture.js';

/** Inner edges that all charts share, so that their times are aligned. */
export interface Margins {
    readonly left: number;
    readonly right: number;
}

/** Margins for a page `width` pixels wide. */
export function margins(width: number): Margins {
    return width < NARROW ? { left: 58, right: 6 } : { left: 84, right: 14 };
}

/** Smallest width of a saved picture, so that one from a phone shows as much as one from a desktop. */
const LEAST_PICTURE = 800;

/** Charts narrower than this have no axis titles. */
const NARROW = 560;

/** Share of the window's height for the first chart, within bounds in pixels. */
const LEAD_SHARE = 0.44;
const LEAST_LEAD = 320;
const MOST_LEAD = 620;

const TOP = 4;
const BOTTOM = 4;

function canvas(className: string): HTMLCanvasElement {
    return h('canvas', { class: className });
}

/** One chart and its elements. */
export class Panel {
    readonly element: HTMLElement;
    /** The element that gets pointer events: the part with the canvases. */
    readonly stage: HTMLElement;
    readonly #base = canvas('base');
    readonly #over = canvas('over');
    readonly #missing = h('p', { class: 'chart-missing', role: 'status', hidden: true });
    readonly #values = new Map<string, HTMLElement>();
    readonly #legend = h('ul', { class: 'keys-of-chart' });
    #keys: Key[] = [];
    #width = 0;
    #height = 0;
    #ratio = 1;
    #isSeen = true;
    #isStale = true;
    #isOverEmpty = true;
    #ink: Raster | null = null;
    #frame: Frame | null = null;

    constructor(
        public chart: Chart,
        private readonly view: View,
        private readonly context: Context,
        private half: HalfModel,
        extra: readonly HTMLElement[] = [],
        /** The sentence on the chart that proves the cause, in the text colour; null on the others. */
        private readonly note: string | null = null,
        /** Whether it is the first chart, which takes most of the height. */
        private readonly isLead = false,
    ) {
        const { words } = context;
        const title = words.text(`viewer-chart-${chart.id}`);
        this.#base.setAttribute('role', 'img');
        this.#over.setAttribute('aria-hidden', 'true');
        this.stage = h('div', { class: 'stage' }, this.#base, this.#over, this.#missing);
        this.element = h(
            'figure',
            { class: `chart chart-${chart.id}${isLead ? ' is-lead' : ''}`, 'data-chart': chart.id },
            chart.id === 'strip'
                ? null
                : h('figcaption', {}, h('h2', {}, title), this.#legend, h('div', { class: 'chart-actions' }, ...extra)),
            this.stage,
        );
        this.setChart(chart, half);
    }

    /** Shows the same kind of chart in another level of detail. The elements stay, so that a drag can
     *  continue. */
    setChart(chart: Chart, half: HalfModel): void {
        this.chart = chart;
        this.half = half;
        this.#isStale = true;
        const title = this.context.words.text(`viewer-chart-${chart.id}`);
        this.#base.setAttribute('aria-label', `${title}. ${chart.describe()}`);
        this.#keys = chart.keys();
        this.#values.clear();
        this.#legend.replaceChildren();
        for (const key of this.#keys) {
            const swatch = h('span', { class: `swatch swatch-${key.swatch}`, 'aria-hidden': 'true' });
            setVars(swatch, { '--colour': key.colour(this.context.theme) });
            const value = key.value ? h('output', { class: 'value', 'data-key': key.id }) : null;
            if (value) this.#values.set(key.id, value);
            this.#legend.append(h('li', {}, swatch, h('span', {}, key.label), value));
        }
    }

    /** Draws a chart only when it becomes visible. */
    setSeen(isSeen: boolean): void {
        this.#isSeen = isSeen;
        if (isSeen && this.#isStale) this.draw(null);
    }

    /** The chart as SVG, in its present state. */
    picture(caption: Caption): string {
        const width = Math.max(this.#width, LEAST_PICTURE);
        return draw(this.chart, this.context, this.half, this.view.time, this.view.limit, caption, width, margins(width));
    }

    /** Fits the canvases to the page. */
    resize(width: number, ratio: number): void {
        const height = this.#heightAt(width);
        this.#isStale = true;
        if (width === this.#width && height === this.#height && ratio === this.#ratio) return;
        [this.#width, this.#height, this.#ratio] = [width, height, ratio];
        for (const element of [this.#base, this.#over]) {
            element.width = Math.round(width * ratio);
            element.height = Math.round(height * ratio);
        }
        setVars(this.stage, { '--height': `${height}px` });
    }

    /** Height of the chart; the first one uses the height of a high screen. */
    #heightAt(width: number): number {
        const { narrow, wide } = this.chart.height;
        const own = width < NARROW ? narrow : wide;
        if (!this.isLead || this.chart.isLow) return own;
        const room = window.innerHeight * LEAD_SHARE;
        return Math.round(Math.min(Math.max(own, room, LEAST_LEAD), MOST_LEAD));
    }

    /** The mapping of the shown time to pixels. */
    get time(): Scale {
        const { left, right } = margins(this.#width);
        return new Scale(this.view.time, left, Math.max(left + 1, this.#width - right));
    }

    /** Draws the data. `limits` may be shared by charts of the same width; returns those that were used. */
    draw(limits: LimitColumns | null): LimitColumns | null {
        this.#isStale = true;
        if (!this.#isSeen || this.#width === 0) return limits;
        const on = this.#base.getContext('2d', { alpha: false });
        if (!on) return limits;
        this.#isStale = false;
        const { time } = this;
        const grid = new Grid(time, this.#ratio);
        const columns = limits ?? new LimitColumns(this.half.timeline, grid);
        if (this.#ink?.width !== this.#base.width || this.#ink.height !== this.#base.height || this.#ink.ratio !== this.#ratio) {
            this.#ink = new Raster(this.#base.width, this.#base.height, this.#ratio);
        }
        const ink = this.#ink;
        ink.clip();
        ink.clear(this.context.theme.ground);
        const above: (() => void)[] = [];
        const frame: Frame = {
            ...this.context,
            ink,
            on,
            later: (draw) => above.push(draw),
            half: this.half,
            grid,
            time,
            limits: columns,
            chosen: this.view.limit,
            left: time.from,
            right: time.to,
            top: TOP,
            bottom: this.#height - BOTTOM,
        };
        this.chart.draw(frame);
        this.#title(frame, on);
        if (this.note !== null && !this.#isEmpty()) {
            const { x, y } = this.chart.notePlace?.(frame) ?? { x: (frame.left + frame.right) / 2, y: frame.top + 26 };
            paintNote(frame, this.note, x, y, this.context.theme.ink);
        }
        ink.flush(on);
        on.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
        for (const draw of above) draw();
        this.#frame = frame;
        this.#tellMissing();
        this.drawOver();
        return columns;
    }

    #isEmpty(): boolean {
        return this.chart.missing(this.view.time) !== null;
    }

    /** Title along the vertical axis. */
    #title(frame: Frame, on: CanvasRenderingContext2D): void {
        const { axis } = this.chart;
        if (axis === null || this.#width < NARROW) return;
        const { theme } = frame;
        frame.later(() => {
            on.save();
            chartFont(on);
            on.fillStyle = theme.inkSoft;
            on.textAlign = 'center';
            on.textBaseline = 'middle';
            on.translate(9, (frame.top + frame.bottom) / 2);
            on.rotate(-Math.PI / 2);
            on.fillText(this.context.words.text(axis), 0, 0, frame.bottom - frame.top);
            on.restore();
        });
    }

    /** Shows which data is missing if the visible stretch has none. */
    #tellMissing(): void {
        const message = this.chart.missing(this.view.time);
        const text = message === null ? '' : this.context.words.text(message);
        if (this.#missing.textContent !== text) this.#missing.textContent = text;
        this.#missing.hidden = text === '';
    }

    /** Draws the two cursors, the range between them, and the slope of the data from one to the other. */
    #drawMarkers(on: CanvasRenderingContext2D, frame: Frame): void {
        const {
            view,
            context: { theme },
        } = this;
        if (view.marked) {
            on.fillStyle = theme.brush;
            const from = Math.max(frame.left, frame.time.at(view.marked.start));
            const to = Math.min(frame.right, frame.time.at(view.marked.end));
            if (to > from) on.fillRect(from, frame.top, to - from, frame.bottom - frame.top);
        }
        const places = view.markers.map((time) =>
            time === null ? null : { x: snap(frame.time.at(time), this.#ratio), y: this.chart.level?.(time) ?? null },
        );
        const [a, b] = places;
        on.save();
        on.beginPath();
        on.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
        on.clip();
        on.strokeStyle = theme.marker;
        on.fillStyle = theme.marker;
        if (a && b && a.y !== null && b.y !== null) {
            on.lineWidth = 1.5;
            on.setLineDash([6, 3]);
            on.beginPath();
            on.moveTo(a.x, a.y);
            on.lineTo(b.x, b.y);
            on.stroke();
            on.setLineDash([]);
        }
        on.font = '600 11px system-ui, sans-serif';
        on.textBaseline = 'top';
        on.textAlign = 'center';
        for (const [i, place] of places.entries()) {
            if (!place) continue;
            on.fillStyle = theme.marker;
            on.fillRect(place.x - 0.5, frame.top, 2, frame.bottom - frame.top);
            on.fillRect(place.x - 6, frame.top, 13, 14);
            on.fillStyle = theme.ground;
            on.fillText(i === 0 ? 'A' : 'B', place.x + 0.5, frame.top + 2);
        }
        on.restore();
    }

    /** Draws crosshair and brush, and writes the values at the cursor. */
    drawOver(): void {
        const on = this.#over.getContext('2d');
        const frame = this.#frame;
        if (!on || !frame || !this.#isSeen) return;
        const {
            view,
            context: { theme },
        } = this;
        const isEmpty = view.cursor === null && view.brush === null && view.markers.every((marker) => marker === null);
        // Drawing on an empty canvas would make the browser compose it again.
        if (isEmpty && this.#isOverEmpty) return;
        this.#isOverEmpty = isEmpty;
        on.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
        on.clearRect(0, 0, this.#width, this.#height);
        const { cursor, brush } = view;
        if (brush) {
            on.fillStyle = theme.brush;
            const from = frame.time.at(brush.start);
            on.fillRect(from, frame.top, frame.time.at(brush.end) - from, frame.bottom - frame.top);
        }
        this.#drawMarkers(on, frame);
        const isShown = cursor !== null && cursor >= view.time.start && cursor <= view.time.end;
        if (isShown) {
            const x = snap(frame.time.at(cursor), this.#ratio);
            on.fillStyle = theme.cursor;
            on.globalAlpha = 0.7;
            on.fillRect(x, frame.top, 1, frame.bottom - frame.top);
            on.globalAlpha = 1;
            for (const dot of this.chart.dots(cursor)) {
                if (dot.y < frame.top - 2 || dot.y > frame.bottom + 2) continue;
                on.beginPath();
                on.arc(x + 0.5, dot.y, 4, 0, 2 * Math.PI);
                on.fillStyle = dot.colour;
                on.fill();
                on.lineWidth = 1.5;
                on.strokeStyle = theme.ground;
                on.stroke();
            }
        }
        for (const key of this.#keys) {
            const element = this.#values.get(key.id);
            const text = isShown ? (key.value?.(cursor) ?? '–') : '';
            if (element && element.textContent !== text) element.textContent = text;
        }
    }
}
