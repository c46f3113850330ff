// The answer: the limit of the transfer, its time, the evidence, the fix, and the predicted speed.

import { button, h, setVars } from '../base/dom.js';
import { unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { swatchOf } from '../data/swatch.js';
import type { Finding, Half } from '../format.js';
import type { View } from '../view/view.js';
import { fixesFirst } from './fixes.js';
import { badge, dress } from './looks.js';

/** Bars below this share of the time are summed. */
const LEAST_SHARE = 0.001;

/** More bars than this would push the charts out of sight; a table has all. */
const MOST_BARS = 5;

/** A prediction above this share of the present time is no noticeable gain. */
const LITTLE = 0.93;

/** The amount and time of one direction, in one line. */
export function transferLine(context: Context, half: Half): string {
    const { words, units } = context;
    const args = { bytes: units.bytes(half.bytes), time: units.seconds(half.span.duration_s) };
    return half.goodput_bits_per_s === null
        ? words.text('viewer-transfer-no-rate', args)
        : words.text('viewer-transfer', { ...args, rate: units.rate(half.goodput_bits_per_s) });
}

/** A button that highlights limit `id` everywhere; another click ends that. */
export function limitToggle(
    view: View,
    id: string,
    attributes: Record<string, string>,
    ...children: (Node | string)[]
): HTMLButtonElement {
    const element = button(
        { ...attributes, 'data-limit': id, 'aria-pressed': String(view.limit === id) },
        () => {
            view.setLimit(view.limit === id ? null : id);
        },
        ...children,
    );
    view.listen((change) => {
        if (change.limit) element.setAttribute('aria-pressed', String(view.limit === id));
    });
    return element;
}

function bars(context: Context, half: Half, view: View): HTMLElement {
    const { words, units } = context;
    const list = h('ul', { class: 'bars' });
    const shown = half.limits.filter((entry, i) => i === 0 || (i < MOST_BARS && entry.share >= LEAST_SHARE));
    for (const entry of shown) {
        const id = swatchOf(context.data, entry.limit, entry.detail);
        const fill = dress(h('span', { class: 'bar-fill' }), context, id);
        setVars(fill, { '--share': String(entry.share) });
        list.append(
            h(
                'li',
                {},
                limitToggle(
                    view,
                    id,
                    { class: 'bar-row' },
                    badge(context, id),
                    h('span', { class: 'bar-name' }, words.limit(entry.limit, entry.detail)),
                    ' ',
                    h('span', { class: 'bar-seconds' }, units.secondsInColumn(entry.seconds, half.span.duration_s)),
                    ' ',
                    h('span', { class: 'bar-share' }, units.share(entry.share)),
                    h('span', { class: 'bar-track' }, fill),
                ),
            ),
        );
    }
    const rest = half.limits.filter((entry) => !shown.includes(entry));
    if (rest.length > 0) {
        const seconds = rest.reduce((sum, entry) => sum + entry.seconds, 0);
        const share = rest.reduce((sum, entry) => sum + entry.share, 0);
        list.append(
            h(
                'li',
                { class: 'bar-row bar-rest' },
                h('span', { class: 'bar-name' }, words.text('viewer-bars-rest')),
                ' ',
                h('span', { class: 'bar-seconds' }, units.secondsInColumn(seconds, half.span.duration_s)),
                ' ',
                h('span', { class: 'bar-share' }, units.share(share)),
            ),
        );
    }
    return list;
}

/** A factor with two digits. */
function times(value: number): string {
    return String(Number(value.toPrecision(2)));
}

/** The present and the predicted duration, as two bars. */
export function prediction(context: Context, finding: Finding, half: Half): HTMLElement | null {
    const { words, units } = context;
    if (!finding.prediction) return null;
    const { low, value: likely, high: most } = finding.prediction.seconds;
    const isRange = likely !== undefined && most !== undefined;
    // Without a range, only the low end is claimed.
    const value = likely ?? low;
    const high = most ?? low;
    const now = half.span.duration_s;
    const scale = Math.max(now, high, 1e-9);
    const row = (className: string, label: string, seconds: number, text: string): HTMLElement => {
        const fill = h('span', { class: 'then-fill' });
        setVars(fill, { '--share': String(seconds / scale), '--low': String(low / scale), '--high': String(high / scale) });
        const track = h('span', { class: 'then-track', 'aria-hidden': 'true' }, fill);
        if (className === 'then' && isRange) {
            const range = h('span', { class: 'then-range' });
            setVars(range, { '--low': String(low / scale), '--high': String(high / scale) });
            track.append(range);
        }
        return h(
            'div',
            { class: `then-row ${className}` },
            h('span', { class: 'then-label' }, label),
            track,
            h('span', { class: 'then-text' }, text),
        );
    };
    const isLittle = value > now * LITTLE;
    return h(
        'div',
        { class: `prediction${isLittle ? ' is-little' : ''}` },
        row('now', words.text('viewer-now'), now, units.seconds(now)),
        row(
            'then',
            words.text(isRange ? 'viewer-then' : 'viewer-then-best'),
            value,
            unbroken(
                words.text(isLittle ? 'viewer-then-little' : isRange ? 'viewer-then-text' : 'viewer-then-at-best', {
                    times: times(finding.prediction.times_at_most),
                    then: units.roughSeconds(value),
                    low: units.roughSeconds(low),
                    high: units.roughSeconds(high),
                }),
            ),
        ),
        h('p', { class: 'next' }, words.text('viewer-next-limit', { limit: words.limit(finding.prediction.next_limit) })),
    );
}

/** Evidence of a finding as a table. */
export function evidence(context: Context, finding: Finding): HTMLElement | null {
    if (finding.evidence.length === 0) return null;
    const { words } = context;
    const body = h('tbody');
    for (const fact of finding.evidence) {
        const basis = `basis-${fact.basis.replaceAll('_', '-')}`;
        body.append(
            h(
                'tr',
                {},
                h('th', { scope: 'row' }, fact.label ?? fact.name.replaceAll('_', ' ')),
                h('td', { class: 'number' }, fact.text ?? String(fact.value)),
                h('td', { class: 'basis' }, words.has(basis) ? words.text(basis) : fact.basis),
            ),
        );
    }
    return h('table', { class: 'evidence' }, h('caption', { class: 'hidden-visually' }, words.text('viewer-evidence')), body);
}

/** The top of the page for one direction: the terminal's first lines, and the prediction. */
export function answer(context: Context, half: Half, head: { from: string; to: string }, taken: HTMLElement): HTMLElement {
    const { words, data } = context;
    const { verdict, answer: lines } = half;
    const leading = leadingFinding(half);
    const then = leading && lines.has_gain ? prediction(context, leading, half) : null;
    return h(
        'section',
        { class: 'answer card', id: 'answer', tabindex: -1, 'aria-labelledby': 'verdict' },
        h(
            'div',
            { class: 'answer-text' },
            h(
                'p',
                { class: 'transfer' },
                h('span', { class: 'ends' }, words.text('viewer-direction', head)),
                ' ',
                h('span', {}, transferLine(context, half)),
            ),
            taken,
            h(
                'div',
                { class: 'verdict' },
                lines.is_limit ? badge(context, swatchOf(data, verdict.limit, verdict.detail)) : null,
                h('h1', { id: 'verdict' }, unbroken(lines.why)),
            ),
            lines.fix === undefined ? null : h('p', { class: 'answer-fix' }, unbroken(lines.fix)),
            lines.but === undefined ? null : h('p', { class: 'notice' }, unbroken(lines.but)),
            lines.below.length === 0
                ? null
                : h('p', { class: 'answer-below' }, unbroken(lines.below.join(words.text('sentence-separator')))),
        ),
        then,
    );
}

/** The finding behind the answer; undefined if there is nothing to change. */
export function leadingFinding(half: Half): Finding | undefined {
    return half.answer.is_change && half.leading !== null ? half.findings[half.leading] : undefined;
}

/** Fixes, and the time by limit. */
export function reasons(context: Context, half: Half, view: View): HTMLElement {
    const { words, units } = context;
    const finding = leadingFinding(half);
    const grid = h('div', { class: 'answer-grid' });
    if (finding && finding.fixes.length > 0) {
        grid.append(
            h(
                'section',
                { class: 'card what', 'aria-labelledby': 'what' },
                h(
                    'div',
                    { class: 'card-head' },
                    h('h2', { id: 'what' }, words.text('viewer-what-to-change')),
                    h(
                        'span',
                        { class: 'soft' },
                        words.text('viewer-confidence', { confidence: units.share(finding.confidence) }),
                    ),
                ),
                fixesFirst(context, finding),
            ),
        );
    }
    grid.append(
        h(
            'section',
            { class: 'card', 'aria-labelledby': 'where-time-went' },
            h('h2', { id: 'where-time-went' }, words.text('viewer-where-time-went')),
            bars(context, half, view),
        ),
    );
    return grid;
}
