// The start page, where captures are opened.

import { button, h } from '../../viewer/src/base/dom.js';
import type { Words } from '../../viewer/src/base/words.js';
import type { Language } from '../../viewer/src/format.js';
import { copyButton } from '../../viewer/src/panels/copy.js';
import { embedded } from './engine.js';
import { curves, letter, type Pictures, strip } from './picture.js';
import { previewCard } from './preview.js';

/** A capture with the headers of every packet and without payload: enough for every answer. */
const CAPTURE_WITH = 'tcpdump -i any -s 128 -w slow.pcap tcp port 443';

interface Samples {
    samples: { name: string; case: string | null }[];
    cases: string | null;
    pictures: Pictures;
}

/** Actions of the page, and its messages. */
export interface State {
    explain(files: File[], isMerged: boolean): void;
    /** Reason why the last attempt failed. */
    error?: string | undefined;
    /** A message about the last action. */
    notice?: string | undefined;
    /** Replaces the drop zone while files are read. */
    reading?: HTMLElement | undefined;
}

/** The zone where files are dropped or chosen. */
function dropZone(words: Words, explain: State['explain']): HTMLElement {
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
    const zone = h(
        'section',
        { class: 'card web-drop', 'aria-label': words.text('web-drop') },
        h('span', { class: 'web-drop-icon', 'aria-hidden': 'true' }),
        // Both texts exist, and the style sheet shows one: the page is not rendered again during a drag.
        h('p', { class: 'web-drop-text web-drop-here' }, words.text('web-drop')),
        h('p', { class: 'web-drop-text web-drop-now' }, words.text('web-drop-now')),
        input,
        button({ id: 'choose', class: 'web-choose' }, () => input.click(), words.text('web-choose')),
        h('p', { class: 'soft' }, words.text('web-formats')),
        h('p', { class: 'web-merge' }, merge, ' ', h('label', { for: 'merge' }, words.text('web-merge'))),
    );
    // With a mouse, the whole zone acts as its button. The keyboard uses the button.
    zone.addEventListener('click', ({ target }) => {
        if (target instanceof Element && !target.closest('button, input, label')) input.click();
    });
    return zone;
}

function sampleCard(
    words: Words,
    { pictures }: Samples,
    { name, case: about }: Samples['samples'][number],
    open: (name: string) => void,
): HTMLElement {
    const picture = pictures.samples[name];
    return h(
        'li',
        {},
        button(
            { class: 'web-sample', 'data-sample': name },
            () => open(name),
            picture
                ? h('span', { class: 'web-sample-picture' }, curves(picture.curves, null), strip(picture, pictures.looks))
                : null,
            h(
                'span',
                { class: 'web-sample-text' },
                h('span', { class: 'web-sample-name' }, words.text(`web-sample-${name}`)),
                ' ',
                h('span', { class: 'web-sample-shows' }, words.text(`web-sample-${name}-shows`)),
                ' ',
                picture
                    ? h(
                          'span',
                          { class: 'web-sample-cause' },
                          letter(pictures.looks[picture.look]),
                          h('span', {}, picture.cause[words.language as Language]),
                          ' ',
                          h('strong', {}, picture.share),
                      )
                    : null,
            ),
        ),
        about === null ? null : h('a', { href: about, rel: 'noreferrer' }, words.text('web-case')),
    );
}

/** The page without captures, or while they are read. */
export function startPage(words: Words, contents: Samples, { explain, error, notice, reading }: State): HTMLElement {
    const { samples, cases, pictures } = contents;
    const open = (name: string): void => explain([new File([embedded(`sample-${name}`)], `${name}.pcap.gz`)], false);
    return h(
        'main',
        { id: 'main', class: 'web-start', tabindex: -1 },
        h(
            'div',
            { class: 'web-hero' },
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
            notice === undefined ? null : h('p', { class: 'web-notice', role: 'status' }, notice),
            reading
                ? h('section', { class: 'card web-drop is-reading', 'aria-label': words.text('web-drop') }, reading)
                : dropZone(words, explain),
            h('p', { class: 'web-private' }, words.text('web-private')),
            h(
                'div',
                { class: 'web-capture' },
                h('p', {}, words.text('web-capture-with')),
                h('p', { class: 'web-command' }, h('code', {}, CAPTURE_WITH), copyButton(CAPTURE_WITH, words)),
            ),
        ),
        previewCard(words, pictures, () => open(pictures.preview.sample)),
        h(
            'section',
            { class: 'web-samples-section', 'aria-labelledby': 'samples-title' },
            h('h2', { id: 'samples-title' }, words.text('web-samples')),
            h('p', { class: 'soft' }, words.text('web-samples-lead')),
            h('ul', { class: 'web-samples' }, ...samples.map((sample) => sampleCard(words, contents, sample, open))),
            cases === null ? null : h('p', {}, h('a', { href: cases, rel: 'noreferrer' }, words.text('web-case-book'))),
        ),
    );
}
