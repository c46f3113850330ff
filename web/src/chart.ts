// A chart of the calculator: rate or time over the round-trip time or the size, on logarithmic axes.

import { h } from '../../viewer/src/base/dom.js';
import { s } from './picture.js';

/** The best estimate, the lowest and the highest value. */
export type Range = readonly [value: number, low: number, high: number];

/** Position on the axis, bits per second there, and seconds of the transfer. */
export type Point = readonly [at: number, bitsPerSecond: Range, seconds: Range | null];

/** Rates that one limit allows. */
export interface Curve {
    readonly limit: 'send' | 'receive' | 'window' | 'autotuned' | 'line';
    readonly points: readonly Point[];
    /** The point for the present fields. */
    readonly here: Point | null;
}

/** Contents of a chart. */
export interface Plot {
    readonly title: string;
    readonly curves: readonly { readonly curve: Curve; readonly name: string }[];
    /** Whether the vertical axis is the time of the transfer; otherwise it is the rate. */
    readonly isTime: boolean;
    /** Names of the axes. */
    readonly across: string;
    readonly up: string;
    /** Texts for values of the axes. */
    readonly acrossText: (value: number) => string;
    readonly upText: (value: number) => string;
    /** Positions of the labels of the horizontal axis. */
    readonly acrossTicks: (low: number, high: number) => number[];
    /** Text at the marked point. */
    readonly hereText: (at: number, range: Range) => string;
    /** Name of the tinted area. */
    readonly rangeName: string;
}

/** Pixels of the picture. It is drawn for its actual width, so that its text keeps its size. */
const HEIGHT = 260;
const [LEFT, RIGHT, TOP, BOTTOM] = [82, 28, 30, 44];
/** Pixels that a label of the horizontal axis needs. */
const LABEL = 62;
/** Pixels between the marked point and its text. */
const GAP = 11;
/** Most powers of ten on the vertical axis. */
const DECADES = 6;
/** Ranges narrower than this factor are not drawn, because they would not be visible. */
const NARROW = 1.05;

/** Approximate pixels of a text in the chart's font: Chinese characters are as wide as they are high. */
function textWidth(text: string): number {
    return [...text].reduce((sum, letter) => sum + (letter > '\u2fff' ? 13.5 : 7.6), 0);
}

/** Powers of ten that cover `low` to `high`. */
function decades(low: number, high: number): [number, number] {
    const bottom = Math.floor(Math.log10(low) + 1e-9);
    const top = Math.max(bottom + 1, Math.ceil(Math.log10(high) - 1e-9));
    return [10 ** Math.max(bottom, top - DECADES), 10 ** top];
}

const isWide = ([, low, high]: Range): boolean => high > low * NARROW;

/** The value of a point in `plot`. */
function ranged({ isTime }: Plot, [, rate, seconds]: Point): Range {
    return isTime ? (seconds ?? [NaN, NaN, NaN]) : rate;
}

/** Draws `plot` for `width` pixels. */
function drawn(plot: Plot, width: number): SVGElement {
    const range = (point: Point): Range => ranged(plot, point);
    const value = (point: Point): number => range(point)[0];
    const points = plot.curves.flatMap(({ curve }) => curve.points).filter((point) => value(point) > 0);
    const places = points.map(([at]) => at);
    const [left, right] = [Math.min(...places), Math.max(...places)];
    const values = points.flatMap(range).filter((of) => of > 0);
    const [low, high] = decades(Math.min(...values), Math.max(...values));
    const x = (at: number): number => LEFT + (Math.log(at / left) / Math.log(right / left)) * (width - LEFT - RIGHT);
    const y = (of: number): number =>
        HEIGHT - BOTTOM - (Math.log(Math.max(of, low) / low) / Math.log(high / low)) * (HEIGHT - TOP - BOTTOM);
    const round = (number: number): number => Math.round(number * 10) / 10;
    const place = (point: Point): string => `${round(x(point[0]))} ${round(y(value(point)))}`;
    const children: SVGElement[] = [];
    const text = (className: string, at: [number, number], anchor: string, words: string): void => {
        const [across, down] = at.map(round) as [number, number];
        children.push(s('text', { class: className, x: across, y: down, 'text-anchor': anchor }, words));
    };
    const [floor, ceiling] = [HEIGHT - BOTTOM, TOP];
    for (let tick = low; tick <= high * 1.001; tick *= 10) {
        const at = round(y(tick));
        children.push(s('path', { class: 'web-grid', d: `M${LEFT} ${at}H${width - RIGHT}` }));
        text('web-tick', [LEFT - 8, at + 4], 'end', plot.upText(tick));
    }
    const ticks = plot.acrossTicks(left, right);
    const every = Math.max(1, Math.ceil((ticks.length * LABEL) / (width - LEFT - RIGHT)));
    ticks.forEach((tick, i) => {
        if (i % every !== 0) return;
        const at = round(x(tick));
        children.push(s('path', { class: 'web-grid', d: `M${at} ${ceiling}V${floor}` }));
        text('web-tick', [at, floor + 17], 'middle', plot.acrossText(tick));
    });
    text('web-axis', [(LEFT + width - RIGHT) / 2, HEIGHT - 6], 'middle', plot.across);
    text('web-axis', [LEFT - 8, 11], 'end', plot.up);
    for (const { curve } of plot.curves) {
        const wide = curve.limit === 'autotuned' ? [] : curve.points.filter((point) => isWide(range(point)));
        if (wide.length > 1) {
            const edge = (of: 1 | 2): string[] => wide.map((point) => `${round(x(point[0]))} ${round(y(range(point)[of]))}`);
            const d = `M${[...edge(1), ...edge(2).reverse()].join('L')}Z`;
            children.push(s('path', { class: `web-range web-range-${curve.limit}`, d }));
        }
        const d = curve.points.filter((point) => value(point) > 0).map(place);
        children.push(s('path', { class: `web-line web-line-${curve.limit}`, d: `M${d.join('L')}` }));
    }
    const marked = plot.curves.flatMap(({ curve }) =>
        curve.here && value(curve.here) > 0 ? [{ ...curve, here: curve.here }] : [],
    );
    const own = marked.filter(({ limit }) => limit !== 'line' && limit !== 'autotuned');
    // The lowest limit decides.
    const worst = own.sort((a, b) => (plot.isTime ? value(b.here) - value(a.here) : value(a.here) - value(b.here)))[0];
    if (worst) {
        const [at, up] = [x(worst.here[0]), y(value(worst.here))];
        children.push(s('path', { class: 'web-here', d: `M${round(at)} ${ceiling}V${floor}` }));
        for (const { here, limit } of own)
            children.push(
                s('circle', { class: `web-point web-point-${limit}`, cx: round(x(here[0])), cy: round(y(value(here))), r: 5.5 }),
            );
        const words = plot.hereText(worst.here[0], range(worst.here));
        // A rising line has room above it on the left, a falling one on the right.
        const wide = textWidth(words) + GAP;
        const [first, last] = [worst.points[0], worst.points.at(-1)].map((point) => (point ? value(point) : 0)) as [
            number,
            number,
        ];
        const fitsLeft = at - LEFT > wide;
        const fitsRight = width - at > wide;
        const isLeft = fitsLeft && (last > first || !fitsRight);
        const isHigh = up < ceiling + 30;
        const across = isLeft ? at - GAP : fitsRight ? at + GAP : width - 4;
        text('web-here-text', [across, up + (isHigh ? 22 : -GAP)], isLeft || !fitsRight ? 'end' : 'start', words);
    }
    const label = [plot.title, worst ? plot.hereText(worst.here[0], range(worst.here)) : null];
    return s(
        'svg',
        {
            class: 'web-chart',
            viewBox: `0 0 ${width} ${HEIGHT}`,
            height: HEIGHT,
            role: 'img',
            'aria-label': label.filter(Boolean).join('. '),
            // Position of the marked point, for tests.
            'data-here': worst ? place(worst.here) : null,
        },
        ...children,
    );
}

/** A chart with its title and legend, redrawn when its width changes. */
export function chart(plot: Plot, widths: ResizeObserver): HTMLElement {
    const keys = plot.curves.map(({ curve, name }) =>
        h('li', {}, h('span', { class: `web-key web-key-${curve.limit}`, 'aria-hidden': 'true' }), name),
    );
    const hasRange = plot.curves.some(
        ({ curve }) => curve.limit !== 'autotuned' && curve.points.filter((point) => isWide(ranged(plot, point))).length > 1,
    );
    if (hasRange) {
        const own = plot.curves.find(({ curve }) => curve.points.some((point) => isWide(ranged(plot, point))))?.curve.limit;
        keys.push(
            h('li', {}, h('span', { class: `web-key web-key-range web-key-${own}`, 'aria-hidden': 'true' }), plot.rangeName),
        );
    }
    const box = h('div', { class: 'web-chart-box' });
    const element = h(
        'figure',
        { class: 'web-plot' },
        h('figcaption', {}, plot.title),
        h('ul', { class: 'web-keys' }, ...keys),
        box,
    );
    let last = 0;
    onWidth.set(box, (width) => {
        if (width === last || width < LEFT + RIGHT + LABEL) return;
        last = width;
        box.replaceChildren(drawn(plot, width));
    });
    widths.observe(box);
    return element;
}

/** Callbacks for changes of a box's width. */
const onWidth = new WeakMap<Element, (width: number) => void>();

/** Draws charts for their actual width. */
export function observer(): ResizeObserver {
    return new ResizeObserver((entries) => {
        for (const { target, contentRect } of entries) onWidth.get(target)?.(Math.floor(contentRect.width));
    });
}

/** Powers of ten from `low` to `high`. */
export function decimalTicks(low: number, high: number): number[] {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) ticks.push(10 ** power);
    return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

/** Powers of four from `low` to `high`. */
export function binaryTicks(low: number, high: number): number[] {
    const ticks: number[] = [];
    for (let power = Math.ceil(Math.log2(low) - 1e-9); power <= Math.log2(high) + 1e-9; power += 2) ticks.push(2 ** power);
    return ticks;
}
