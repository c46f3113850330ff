// Copies text, also in pages that were opened as files.

import { button, h } from '../base/dom.js';
import type { Words } from '../base/words.js';

async function write(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Not allowed here: the older method works within a click.
        const area = h('textarea', { class: 'hidden-visually', readonly: true });
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand('copy');
        area.remove();
        return done;
    }
}

/** A button that copies `text` and confirms it. */
export function copyButton(text: string, words: Words): HTMLButtonElement {
    const label = words.text('viewer-copy');
    const element = button(
        { class: 'copy', 'aria-label': words.text('viewer-copy-line', { line: text }), title: label },
        () => {
            void write(text).then((done) => {
                element.textContent = words.text(done ? 'viewer-copied' : 'viewer-copy-failed');
                setTimeout(() => (element.textContent = label), 1600);
            });
        },
        label,
    );
    return element;
}
