// The notes of a report: reading, writing, and saving with the page.

import { button, h } from '../base/dom.js';
import { tickStep } from '../base/scale.js';
import type { Context } from '../charts/frame.js';
import { saveBlob } from '../charts/picture.js';
import type { Note, Notes } from '../data/notes.js';
import { formatAddress } from '../view/address.js';
import type { View } from '../view/view.js';

/** The file name of the copy with the notes. */
function fileName(): string {
    const own = decodeURIComponent(location.pathname.split('/').at(-1) ?? '').replace(/(-notes)?\.html?$/i, '');
    return `${own === '' ? 'tcpwhy-report' : own}-notes.html`;
}

/** What is shown while a note is written. */
export interface Subject {
    readonly connection: number;
    readonly sender: number;
    readonly view: View;
}

/** The card with the notes of `subject`'s connection, or of all. `changed` is called after a change of the
 *  notes. */
export function notesCard(context: Context, notes: Notes, subject: Subject | null, changed: () => void): HTMLElement | null {
    const { words, units } = context;
    const shown = notes.all.filter((note) => subject === null || note.connection === subject.connection);
    if (subject === null && shown.length === 0) return null;
    const stretchText = (stretch: Note['stretch']): string => {
        if (stretch === null) return words.text('viewer-note-all');
        const step = tickStep(stretch.end - stretch.start, 1000);
        return words.text('viewer-range', {
            from: units.instant(stretch.start, step),
            to: units.instant(stretch.end, step),
            width: units.seconds(stretch.end - stretch.start),
        });
    };
    const list = h(
        'ul',
        { class: 'note-list' },
        ...shown.map((note) =>
            h(
                'li',
                {},
                h('p', { class: 'note-text' }, note.text),
                h(
                    'p',
                    { class: 'soft' },
                    h(
                        'a',
                        {
                            href:
                                formatAddress({
                                    connection: note.connection,
                                    sender: note.sender,
                                    time: note.stretch ?? undefined,
                                }) || '#',
                        },
                        subject === null ? `#${note.connection} ${stretchText(note.stretch)}` : stretchText(note.stretch),
                    ),
                    ` · ${note.written.slice(0, 16).replace('T', ' ')} UTC `,
                    button(
                        { class: 'link', 'aria-label': words.text('viewer-note-remove') },
                        () => {
                            notes.remove(note);
                            changed();
                        },
                        '✕',
                    ),
                ),
            ),
        ),
    );
    const status = h('span', { role: 'status', class: 'soft' }, notes.isSaved ? '' : words.text('viewer-note-unsaved'));
    const save = button(
        { class: 'save-notes', disabled: notes.all.length === 0 && notes.isSaved },
        () => {
            saveBlob(new Blob([notes.html()], { type: 'text/html' }), fileName());
            notes.saved();
            status.textContent = words.text('viewer-note-saved');
        },
        words.text('viewer-note-save'),
    );
    return h(
        'section',
        { class: 'card notes', id: 'notes', 'aria-labelledby': 'notes-title' },
        h(
            'div',
            { class: 'card-head' },
            h('h2', { id: 'notes-title' }, words.text('viewer-notes')),
            h('span', { class: 'soft' }, words.text('viewer-notes-hint')),
        ),
        shown.length > 0 ? list : null,
        subject === null ? null : form(context, notes, subject, changed),
        h('div', { class: 'note-save' }, save, status),
    );
}

function form(context: Context, notes: Notes, { connection, sender, view }: Subject, changed: () => void): HTMLElement {
    const { words } = context;
    const text = h('textarea', {
        id: 'note',
        rows: 2,
        'aria-label': words.text('viewer-note-text'),
        placeholder: words.text('viewer-note-text'),
    });
    const add = (): void => {
        if (text.value.trim() === '') return;
        const stretch = view.marked ?? (view.isWhole ? null : view.time);
        notes.add({
            connection,
            sender,
            stretch: stretch && { start: stretch.start, end: stretch.end },
            text: text.value.trim(),
            written: new Date().toISOString(),
        });
        changed();
    };
    const element = h(
        'form',
        { class: 'note-form' },
        text,
        button({ type: 'submit' }, () => undefined, words.text('viewer-note-add')),
    );
    element.addEventListener('submit', (event) => {
        event.preventDefault();
        add();
    });
    text.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            add();
        }
    });
    return element;
}
