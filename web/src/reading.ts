// Progress of reading files, with a button that ends it.

import { button, fill, h } from '../../viewer/src/base/dom.js';
import { count, Units } from '../../viewer/src/base/units.js';
import type { Words } from '../../viewer/src/base/words.js';
import type { Progress } from './engine.js';

/** The files being read, as an element that shows the progress. */
export class Reading {
    readonly element: HTMLElement;
    readonly #title: HTMLElement;
    readonly #bar: HTMLProgressElement;
    readonly #read = h('p', { class: 'web-read' });
    readonly #seen = h('p', { class: 'web-seen' });

    /** `what` is the title, unless there are several files, whose names follow one another. */
    constructor(
        private readonly words: Words,
        what: string,
        cancel: () => void,
        /** Number of files, and their bytes. */
        private readonly all: { count: number; bytes: number | null },
    ) {
        // Role status, so that a screen reader reports the file and not each step.
        this.#title = h('p', { class: 'web-reading-what', role: 'status' }, what);
        this.#bar = h('progress', { 'aria-label': what });
        this.element = h(
            'div',
            { class: 'web-reading' },
            this.#title,
            this.#bar,
            h('div', { class: 'web-reading-numbers' }, this.#read, this.#seen),
            button({ class: 'web-cancel' }, cancel, words.text('web-cancel')),
        );
    }

    show({ read, total, name, file, packets, connections }: Progress): void {
        const { words } = this;
        const units = new Units(words);
        const whole = this.all.bytes ?? total;
        this.#bar.max = Math.max(1, whole);
        this.#bar.value = read;
        if (this.all.count > 1) {
            const args = { name, number: count(file + 1), count: count(this.all.count) };
            const what = words.text('web-reading-file', args);
            if (this.#title.textContent !== what) fill(this.#title, what);
        }
        this.#read.textContent = words.text('web-read-of', { read: units.bytes(read), total: units.bytes(whole) });
        this.#seen.textContent =
            packets === 0 ? '' : words.text('web-seen', { packets: count(packets), connections: count(connections) });
    }
}
