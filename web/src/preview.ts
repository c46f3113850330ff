// The answer that the page shows before a capture is opened: the real one, for a sample.

import { button, h, setVars } from '../../viewer/src/base/dom.js';
import type { Words } from '../../viewer/src/base/words.js';
import type { Language } from '../../viewer/src/format.js';
import { curves, letter, type Pictures, strip } from './picture.js';

/** The answer as a figure; `open` shows the whole report. */
export function previewCard(words: Words, { looks, preview }: Pictures, open: () => void): HTMLElement {
    const { picture, then, lines } = preview;
    const texts = preview.texts[words.language as Language];
    const row = (className: string, label: string, share: number, text: string): HTMLElement => {
        const fill = h('span', { class: 'then-fill' });
        setVars(fill, { '--share': String(share) });
        return h(
            'div',
            { class: `then-row ${className}` },
            h('span', { class: 'then-label' }, words.text(label)),
            h('span', { class: 'then-track', 'aria-hidden': 'true' }, fill),
            h('span', { class: 'then-text' }, text),
        );
    };
    const key = (className: string, text: string): HTMLElement =>
        h('li', {}, h('span', { class: `web-key ${className}`, 'aria-hidden': 'true' }), text);
    return h(
        'figure',
        { class: 'card web-preview', 'aria-labelledby': 'preview-title' },
        h(
            'figcaption',
            {},
            h('h2', { id: 'preview-title' }, words.text('web-preview')),
            h('span', { class: 'soft' }, words.text('web-preview-of')),
        ),
        h('p', { class: 'transfer' }, h('span', { class: 'ends' }, texts.ends), ' ', texts.transfer),
        h('div', { class: 'verdict' }, letter(looks[picture.look]), h('p', { class: 'web-verdict' }, texts.verdict)),
        h('p', { class: 'web-caption' }, words.text('web-preview-strip')),
        strip(picture, looks),
        h(
            'ul',
            { class: 'web-keys' },
            key('web-key-window', texts.window),
            key('web-key-flight', texts.flight),
            key('web-key-unused', words.text('web-chart-unused')),
        ),
        curves(picture.curves, words.text('web-chart-label', { window: texts.window, flight: texts.flight })),
        h(
            'p',
            { class: 'web-times', 'aria-hidden': 'true' },
            h('span', {}, words.text('unit-seconds', { n: '0' })),
            h('span', {}, texts.duration),
        ),
        h(
            'div',
            { class: 'prediction' },
            row('now', 'web-preview-now', 1, texts.now),
            row('then', 'web-preview-fixed', then[1], texts.then),
        ),
        h('p', { class: 'fix' }, h('span', { class: 'place' }, texts.place), ' ', texts.fix),
        ...lines.map((line) => h('code', {}, line)),
        button({ class: 'web-open' }, open, words.text('web-preview-open')),
    );
}
