// `tcpwhy buffers` as a calculator.

import { fill, h } from '../../viewer/src/base/dom.js';
import type { Words } from '../../viewer/src/base/words.js';

/** What is typed. */
export type Question = Record<'kernel' | 'sndbuf' | 'rcvbuf' | 'window' | 'rtt' | 'bandwidth' | 'bytes' | 'settings', string>;

/** Pause before an answer follows what is typed. */
const ANSWER_AFTER_MS = 200;
/** What stands in the fields at first: a path on which the answer matters. */
const AT_FIRST: Question = {
    kernel: '6.18',
    sndbuf: '',
    rcvbuf: '256KiB',
    window: '',
    rtt: '20ms',
    bandwidth: '1gbit',
    bytes: '',
    settings: '',
};
const HINTS: Partial<Question> = {
    window: '2MiB',
    rtt: '20ms',
    bandwidth: '100mbit',
    bytes: '22MB',
    settings: 'net.core.wmem_max = 16777216',
};

/** Remembers what was typed when the language changes. */
let typed: Question = { ...AT_FIRST };

/** The page; `ask` answers with JSON, or fails with a line that says what cannot be read. */
export function calculator(words: Words, ask: (question: Question) => Promise<string>): HTMLElement {
    const answer = h('section', { class: 'card', 'aria-label': words.text('web-buffers-answer'), 'aria-live': 'polite' });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let turn = 0;
    const update = async (): Promise<void> => {
        const mine = ++turn;
        try {
            const told = JSON.parse(await ask(typed)) as { text: string; svg: string };
            if (mine !== turn) return;
            const picture = btoa(String.fromCodePoint(...new TextEncoder().encode(told.svg)));
            fill(
                answer,
                h('pre', { class: 'web-answer', tabindex: 0 }, told.text),
                h('img', {
                    class: 'web-curve',
                    alt: words.text('web-buffers-curve'),
                    src: `data:image/svg+xml;base64,${picture}`,
                }),
            );
        } catch (error) {
            if (mine === turn)
                fill(answer, h('p', { class: 'notice', role: 'alert' }, error instanceof Error ? error.message : String(error)));
        }
    };
    const field = (name: keyof Question): HTMLElement => {
        const attributes = { id: `buffers-${name}`, autocomplete: 'off', spellcheck: 'false', placeholder: HINTS[name] ?? '' };
        const input =
            name === 'settings' ? h('textarea', { ...attributes, rows: 3 }) : h('input', { ...attributes, type: 'text' });
        if (name === 'sndbuf' || name === 'rcvbuf') input.placeholder = words.text('web-buffers-auto');
        input.value = typed[name];
        input.addEventListener('input', () => {
            typed = { ...typed, [name]: input.value };
            clearTimeout(timer);
            timer = setTimeout(() => void update(), ANSWER_AFTER_MS);
        });
        return h(
            'div',
            { class: `web-field web-field-${name}` },
            h('label', { for: `buffers-${name}` }, words.text(`web-buffers-${name}`)),
            input,
        );
    };
    void update();
    return h(
        'main',
        { id: 'main', class: 'web-start', tabindex: -1 },
        h('h1', {}, words.text('web-buffers-title')),
        h('p', { class: 'web-lead' }, words.text('web-buffers-lead')),
        h(
            'section',
            { class: 'card web-form', 'aria-label': words.text('web-buffers-title') },
            ...(['kernel', 'sndbuf', 'rcvbuf', 'window', 'rtt', 'bandwidth', 'bytes', 'settings'] as const).map(field),
        ),
        answer,
    );
}
