// Notes that readers write into a report. They are stored in the file: the page saves a copy of itself that
// contains them.

/** Id of their element in the page, `<script type="application/json" id="tcpwhy-notes">`, which no browser
 *  runs. */
const ELEMENT = 'tcpwhy-notes';

/** One note. */
export interface Note {
    readonly connection: number;
    /** Endpoint whose data was shown. */
    readonly sender: number;
    /** The stretch of time concerned, seconds from the start of the connection; null for all of it. */
    readonly stretch: { readonly start: number; readonly end: number } | null;
    readonly text: string;
    /** When it was written, `2026-11-20T13:02:11.532Z`. */
    readonly written: string;
}

function isNote(value: unknown): value is Note {
    if (typeof value !== 'object' || value === null) return false;
    const { connection, sender, stretch, text, written } = value as Record<string, unknown>;
    const isTime = (time: unknown): boolean => typeof time === 'number' && Number.isFinite(time);
    const isStretch =
        stretch === null ||
        (typeof stretch === 'object' &&
            isTime((stretch as Record<string, unknown>)['start']) &&
            isTime((stretch as Record<string, unknown>)['end']));
    return (
        Number.isInteger(connection) &&
        (sender === 0 || sender === 1) &&
        isStretch &&
        typeof text === 'string' &&
        typeof written === 'string'
    );
}

/** The notes in the page's element; unreadable ones are omitted. */
export function parseNotes(json: string): Note[] {
    try {
        const value: unknown = JSON.parse(json);
        return Array.isArray(value) ? value.filter(isNote) : [];
    } catch {
        return [];
    }
}

/** JSON that cannot end its script element. */
export function notesJson(notes: readonly Note[]): string {
    return JSON.stringify(notes).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The notes of a page, and the page with them. */
export class Notes {
    #all: Note[];
    #isSaved = true;
    /** The page's content before the viewer replaced it: the numbers as text, for readers without scripts. */
    readonly #before: readonly Node[];

    /** `root` is the viewer's element, whose original content is kept. */
    constructor(
        private readonly page: Document,
        root: HTMLElement,
    ) {
        this.#all = parseNotes(page.getElementById(ELEMENT)?.textContent ?? '[]');
        this.#before = [...root.childNodes].map((node) => node.cloneNode(true));
    }

    get all(): readonly Note[] {
        return this.#all;
    }

    /** Whether every note is in a file. */
    get isSaved(): boolean {
        return this.#isSaved;
    }

    add(note: Note): void {
        this.#all = [...this.#all, note];
        this.#isSaved = false;
    }

    remove(note: Note): void {
        this.#all = this.#all.filter((other) => other !== note);
        this.#isSaved = false;
    }

    /** The original page with the notes. Script, style and data must be the same bytes, because the policy
     *  contains their hashes. */
    html(): string {
        const copy = this.page.documentElement.cloneNode(true) as HTMLElement;
        copy.removeAttribute('data-theme');
        copy.querySelector('#tcpwhy-root')?.replaceChildren(...this.#before.map((node) => node.cloneNode(true)));
        let element = copy.querySelector(`#${ELEMENT}`);
        if (!element) {
            element = this.page.createElement('script');
            element.setAttribute('type', 'application/json');
            element.id = ELEMENT;
            copy.querySelector('#tcpwhy-data')?.before(element);
        }
        element.textContent = notesJson(this.#all);
        return `<!doctype html>\n${copy.outerHTML}\n`;
    }

    saved(): void {
        this.#isSaved = true;
    }
}
