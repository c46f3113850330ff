// Where the time of all connections went: one bar.

import { h, setVars } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { badge, dress } from './looks.js';

/** A part that is wide enough for its name. */
const NAMED = 0.14;
const NAMED_NARROW = 0.5;
const NARROW = '(max-width: 700px)';
/** A part that is wide enough for its letter. */
const LETTERED = 0.02;

/** The card; null where no connection carried data. */
export function spentCard(context: Context): HTMLElement | null {
    const { words, units, data } = context;
    const total = data.spent.reduce((sum, { seconds }) => sum + seconds, 0);
    const wrongClock =
        data.wrong_clock > 0
            ? h('p', { class: 'soft' }, words.text('viewer-spent-wrong-clock', { n: count(data.wrong_clock) }))
            : null;
    const waiting =
        data.waiting.connections > 0
            ? h(
                  'p',
                  { class: 'soft' },
                  words.text('viewer-spent-waiting', {
                      n: count(data.waiting.connections),
                      time: units.seconds(data.waiting.seconds),
                  }),
              )
            : null;
    if (!(total > 0)) {
        if (waiting === null && wrongClock === null) return null;
        const title = h('h2', { id: 'spent-title' }, words.text('viewer-where-time-went'));
        return h('section', { class: 'card', id: 'spent', 'aria-labelledby': 'spent-title' }, title, waiting, wrongClock);
    }
    // A phone has room for fewer names.
    const named = window.matchMedia(NARROW).matches ? NAMED_NARROW : NAMED;
    const parts = [...data.spent].sort((a, b) => b.seconds - a.seconds);
    const bar = h('div', { class: 'spent', 'aria-hidden': 'true' });
    const legend = h('ul', { class: 'legend' });
    for (const { limit, seconds } of parts) {
        const id = data.limits[limit]?.id ?? '';
        const share = seconds / total;
        const name = words.limit(id);
        const letter = data.limits[limit]?.letter ?? '';
        const text = share >= named ? `${letter} ${name}` : share >= LETTERED ? letter : '';
        const part = dress(h('span', { class: 'spent-part', title: name }, h('span', {}, text)), context, id);
        setVars(part, { '--share': String(share) });
        bar.append(part);
        legend.append(
            h(
                'li',
                { class: 'legend-key' },
                badge(context, id),
                h('span', {}, name),
                h('span', { class: 'legend-numbers' }, `${units.seconds(seconds)} · ${units.share(share)}`),
            ),
        );
    }
    return h(
        'section',
        { class: 'card', id: 'spent', 'aria-labelledby': 'spent-title' },
        h('h2', { id: 'spent-title' }, words.text('viewer-spent', { time: units.seconds(total) })),
        bar,
        legend,
        waiting,
        wrongClock,
    );
}
