// Notes that readers write into a report. They are saved in the file: the page saves a copy of itself with
// them.

/** Place of the notes in the page: `<script type="application/json" id="tcpwhy-notes">`, which browsers do
 * not run. */
const ELEMENT = 'tcpwhy-notes';

/** One note. */
export interface Note {
    readonly connection: number;
    /** Endpoint whose data was looked at. */
    readonly sender: number;
    /** The stretch that it is about, seconds from the start of the connection; null: all of it. */
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

/** The notes in the text of the page's element; what cannot be read is left out. */
export function parseNotes(json: string): Note[] {
    try {
        const value: unknown = JSON.parse(json);
        return Array.isArray(value) ? value.filter(isNote) : [];
    } catch {
        return [];
    }
}

/** JSON of which nothing ends the element that it stands in. */
export function notesJson(notes: readonly Note[]): string {
    return JSON.stringify(notes).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The notes of a page, and the page with them. */
export class Notes {
    #all: Note[];
    #isSaved = true;
    /** What the page showed before the viewer replaced it: the numbers as text, for readers without scripts. */
    readonly #before: readonly Node[];

    /** `root` is where the viewer will be; its content is kept. */
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

    /** The page as it was written, with the notes in it. Script, style and data are the same bytes: the policy names their hashes. */
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
