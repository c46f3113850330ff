// The numbers of two transfers in a table, with the changes.

import { h } from '../base/dom.js';
import { count, type Units } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { swatchOf } from '../data/swatch.js';
import type { Half } from '../format.js';
import { badge } from './looks.js';

/** Limits with less than this share of the time in both get no row, and a smaller change of a time is
 *  none. */
const LEAST_SHARE = 0.005;

/** From this ratio on, a change is shown as a multiple, below it as a percentage. */
const MULTIPLE = 2;

const UNKNOWN = '–';

/** Ratio of `b` to `a`: `×2.6`, `+18%`, `−38%`; `=` for a difference of less than half a percent. */
export function ratioText(a: number | null, b: number | null): string {
    if (a === null || b === null || !(a > 0) || !(b >= 0)) return '';
    const ratio = b / a;
    if (ratio >= MULTIPLE) return `×${ratio >= 10 ? count(ratio) : ratio.toFixed(1)}`;
    const percent = Math.round((ratio - 1) * 100);
    if (percent === 0) return '=';
    return `${percent > 0 ? '+' : '−'}${Math.abs(percent)}%`;
}

/** Difference of counts: `+3`, `−31`, `=`. */
export function differenceText(a: number, b: number): string {
    if (a === b) return '=';
    return `${b > a ? '+' : '−'}${count(Math.abs(b - a))}`;
}

/** Difference of times: `+4.99 s`. */
function secondsText(units: Units, a: number, b: number): string {
    if (Math.abs(b - a) <= LEAST_SHARE * Math.max(a, b)) return '=';
    return `${b > a ? '+' : '−'}${units.seconds(Math.abs(b - a))}`;
}

/** The table; `halves`: of A and of B, undefined if one is not on the page. */
export function comparedNumbers(context: Context, halves: readonly [Half | undefined, Half | undefined]): HTMLElement {
    const { words, units } = context;
    const line = (head: HTMLElement, cells: readonly string[], change: string): HTMLElement =>
        h(
            'tr',
            {},
            head,
            ...cells.map((cell) => h('td', { class: 'number' }, cell)),
            h('td', { class: 'number change' }, change),
        );
    const row = (
        id: string,
        of: (half: Half) => number | null,
        text: (value: number, half: Half) => string,
        change: (a: number | null, b: number | null) => string = ratioText,
    ): HTMLElement | null => {
        const values = halves.map((half) => (half ? of(half) : null));
        if (values.every((value) => value === null)) return null;
        const cells = values.map((value, i) => (value === null ? UNKNOWN : text(value, halves[i] as Half)));
        const [a = null, b = null] = values;
        return line(h('th', { scope: 'row' }, words.text(id)), cells, change(a, b));
    };
    const keys = new Set(halves.flatMap((half) => half?.limits.map((one) => `${one.limit}/${one.detail ?? ''}`) ?? []));
    const limitRow = (key: string): HTMLElement | null => {
        const [limit = '', form = ''] = key.split('/');
        const detail = form === '' ? null : form;
        const entries = halves.map((half) => half?.limits.find((one) => one.limit === limit && one.detail === detail));
        if (entries.every((entry) => !entry || entry.share < LEAST_SHARE)) return null;
        const [a = 0, b = 0] = entries.map((entry) => entry?.seconds ?? 0);
        return line(
            h(
                'th',
                { scope: 'row', class: 'compare-limit' },
                badge(context, swatchOf(context.data, limit, detail)),
                ' ',
                words.limit(limit, detail),
            ),
            entries.map((entry) =>
                entry && entry.seconds > 0 ? `${units.seconds(entry.seconds)} · ${units.share(entry.share)}` : UNKNOWN,
            ),
            secondsText(units, a, b),
        );
    };
    const bytes = (value: number): string => units.bytes(value);
    const counted = (a: number | null, b: number | null): string => (a === null || b === null ? '' : differenceText(a, b));
    return h(
        'section',
        { class: 'card compare-numbers', 'aria-labelledby': 'compare-numbers' },
        h('h2', { id: 'compare-numbers' }, words.text('viewer-numbers')),
        h(
            'table',
            {},
            h(
                'thead',
                {},
                h(
                    'tr',
                    {},
                    h('td', {}),
                    ...['A', 'B', words.text('viewer-compare-change')].map((text) =>
                        h('th', { scope: 'col', class: 'number' }, text),
                    ),
                ),
            ),
            h(
                'tbody',
                {},
                row('viewer-fact-bytes', (half) => half.bytes, bytes),
                row(
                    'viewer-column-duration',
                    (half) => half.span.duration_s,
                    (value) => units.seconds(value),
                ),
                row(
                    'viewer-fact-rate',
                    (half) => half.goodput_bits_per_s,
                    (value) => units.rate(value),
                ),
                row(
                    'viewer-fact-resent',
                    (half) => half.retransmitted_segments,
                    (value, half) => `${units.bytes(half.retransmitted_bytes)} (${count(value)})`,
                    counted,
                ),
                row(
                    'viewer-compare-rtt',
                    (half) => half.rtt_us?.median ?? null,
                    (value) => units.seconds(value / 1e6),
                ),
                row('viewer-compare-flight', (half) => half.flight_bytes?.median ?? null, bytes),
                row('viewer-compare-window', (half) => half.receive_window_bytes?.median ?? null, bytes),
                ...[...keys].map(limitRow),
            ),
        ),
    );
}
