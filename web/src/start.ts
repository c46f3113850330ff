// Where captures come in.

import { button, h } from '../../viewer/src/base/dom.js';
import type { Words } from '../../viewer/src/base/words.js';
import { embedded } from './engine.js';

/** A capture with the head of every packet and nothing of what it carries: enough for every answer. */
const CAPTURE_WITH = 'tcpdump -i any -s 100 -w slow.pcap tcp port 443';

interface Samples {
    samples: { name: string; case: string | null }[];
    cases: string | null;
}

interface Actions {
    explain(files: File[], isMerged: boolean): void;
    /** Why the last attempt failed. */
    error: string | undefined;
}

/** The page without captures. */
export function startPage(words: Words, { samples, cases }: Samples, { explain, error }: Actions): HTMLElement {
    const input = h('input', {
        type: 'file',
        id: 'files',
        multiple: true,
        class: 'hidden-visually',
        tabindex: -1,
        'aria-hidden': 'true',
    });
    const merge = h('input', { type: 'checkbox', id: 'merge' });
    input.addEventListener('change', () => {
        const files = [...(input.files ?? [])];
        if (files.length > 0) explain(files, merge.checked);
    });
    const sample = ({ name, case: about }: Samples['samples'][number]): HTMLElement =>
        h(
            'li',
            {},
            button(
                { class: 'web-sample' },
                () => explain([new File([embedded(`sample-${name}`)], `${name}.pcap.gz`)], false),
                words.text(`web-sample-${name}`),
            ),
            about === null ? null : h('a', { href: about, rel: 'noreferrer' }, words.text('web-case')),
        );
    return h(
        'main',
        { id: 'main', class: 'web-start', tabindex: -1 },
        h('h1', {}, words.text('web-title')),
        h('p', { class: 'web-lead' }, words.text('web-lead')),
        error === undefined
            ? null
            : h(
                  'div',
                  { class: 'notice', role: 'alert' },
                  h('h2', {}, words.text('web-failed')),
                  ...error.split('\n').map((line) => h('p', {}, line)),
              ),
        h(
            'section',
            { class: 'card web-drop', 'aria-label': words.text('web-drop') },
            h('p', { class: 'web-drop-here' }, words.text('web-drop')),
            input,
            button({ id: 'choose', class: 'web-choose' }, () => input.click(), words.text('web-choose')),
            h('p', { class: 'soft' }, words.text('web-formats')),
            h('p', {}, merge, ' ', h('label', { for: 'merge' }, words.text('web-merge'))),
        ),
        h('p', {}, words.text('web-capture-with'), ' ', h('code', {}, CAPTURE_WITH)),
        h(
            'section',
            { class: 'card', 'aria-labelledby': 'samples-title' },
            h('h2', { id: 'samples-title' }, words.text('web-samples')),
            h('p', { class: 'soft' }, words.text('web-samples-lead')),
            h('ul', { class: 'web-samples' }, ...samples.map(sample)),
            cases === null ? null : h('p', {}, h('a', { href: cases, rel: 'noreferrer' }, words.text('web-case-book'))),
        ),
    );
}
