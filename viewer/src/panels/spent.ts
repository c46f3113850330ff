// The time of all connections by limit, in one bar.

import { h, setVars } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { badge, dress } from './looks.js';

/** Least share of a part with room for its name. */
const NAMED = 0.14;
const NAMED_NARROW = 0.5;
const NARROW = '(max-width: 700px)';
/** Least share of a part with room for its letter. */
const LETTERED = 0.02;

/** Number of limits named below the bar: more would push the rest of the page out of sight. */
const MOST_NAMES = 5;
/** Least number of remaining limits that are summed: a sum of one is less useful than its name. */
const LEAST_SUMMED = 2;

/** A part of the bar. */
interface Part {
    /** Id of a limit; null for connections that mostly waited. */
    readonly limit: string | null;
    readonly name: string;
    readonly seconds: number;
    /** Whether no change could have saved this time: a person took it, or there was no data to send. */
    readonly isPale: boolean;
}

/** The parts, longest first; pale ones last. */
export function spentParts({ words, data }: Pick<Context, 'words' | 'data'>): Part[] {
    const limits = data.spent.map(({ limit, seconds }): Part => {
        const id = data.limits[limit]?.id ?? '';
        return { limit: id, name: words.limit(id), seconds, isPale: id === 'idle' };
    });
    const { connections, seconds, person_s } = data.waiting;
    const n = count(connections);
    const waited = [
        { limit: null, name: words.text('viewer-spent-person'), seconds: person_s, isPale: true },
        { limit: null, name: words.text('viewer-spent-waited', { n }), seconds: seconds - person_s, isPale: true },
    ];
    return [...limits, ...waited]
        .filter((part) => part.seconds > 0)
        .sort((a, b) => Number(a.isPale) - Number(b.isPale) || b.seconds - a.seconds);
}

/** The card; null if no connection carried data. */
export function spentCard(context: Context): HTMLElement | null {
    const { words, units, data } = context;
    const parts = spentParts(context);
    const total = parts.reduce((sum, { seconds }) => sum + seconds, 0);
    const wrongClock =
        data.wrong_clock > 0
            ? h('p', { class: 'soft' }, words.text('viewer-spent-wrong-clock', { n: count(data.wrong_clock) }))
            : null;
    if (!(total > 0)) {
        if (wrongClock === null) return null;
        const title = h('h2', { id: 'spent-title' }, words.text('viewer-where-time-went'));
        return h('section', { class: 'card', id: 'spent', 'aria-labelledby': 'spent-title' }, title, wrongClock);
    }
    // A phone has room for fewer names.
    const named = window.matchMedia(NARROW).matches ? NAMED_NARROW : NAMED;
    const bar = h('div', { class: 'spent', 'aria-hidden': 'true' });
    const legend = h('ul', { class: 'legend' });
    const limits = parts.filter(({ isPale }) => !isPale);
    const rest = limits.length >= MOST_NAMES + LEAST_SUMMED ? limits.slice(MOST_NAMES) : [];
    const key = (swatch: HTMLElement, name: string, seconds: number): HTMLElement =>
        h(
            'li',
            { class: 'legend-key' },
            swatch,
            h('span', {}, name),
            h('span', { class: 'legend-numbers' }, `${units.seconds(seconds)} · ${units.share(seconds / total)}`),
        );
    for (const { limit, name, seconds, isPale } of parts) {
        const share = seconds / total;
        const letter = data.limits.find((look) => look.id === limit)?.letter ?? '';
        const text = share >= named ? `${letter} ${name}`.trim() : share >= LETTERED ? letter : '';
        const part = h('span', { class: `spent-part${isPale ? ' is-pale' : ''}`, title: name }, h('span', {}, text));
        if (limit !== null && !isPale) dress(part, context, limit);
        setVars(part, { '--share': String(share) });
        bar.append(part);
        if (rest.some((one) => one.limit === limit && !isPale)) continue;
        const swatch =
            limit !== null && !isPale
                ? badge(context, limit)
                : h('span', { class: 'badge is-pale', 'aria-hidden': 'true' }, letter);
        legend.append(key(swatch, name, seconds));
    }
    if (rest.length > 0) {
        const seconds = rest.reduce((sum, one) => sum + one.seconds, 0);
        const swatch = h('span', { class: 'badge is-pale', 'aria-hidden': 'true' }, '…');
        legend.append(key(swatch, words.text('viewer-bars-rest'), seconds));
    }
    return h(
        'section',
        { class: 'card', id: 'spent', 'aria-labelledby': 'spent-title' },
        h('h2', { id: 'spent-title' }, words.text('viewer-spent', { time: units.seconds(total) })),
        bar,
        legend,
        wrongClock,
    );
}
