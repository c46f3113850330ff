// The page, with one task at a time.

import { App } from '../../viewer/src/app.js';
import { button, fill, h } from '../../viewer/src/base/dom.js';
import { Words } from '../../viewer/src/base/words.js';
import { checkData, Source } from '../../viewer/src/data/source.js';
import type { Language, ViewData } from '../../viewer/src/format.js';
import { calculator } from './calculator.js';
import { acceptDrops } from './drop.js';
import { Engine, Failure, fileName, type How, type Progress } from './engine.js';
import type { Pictures } from './picture.js';
import { STATUS } from './protocol.js';
import { Reading } from './reading.js';
import { type State, startPage } from './start.js';

/** Data that the build adds to the page besides the code. */
interface Contents {
    name: string;
    version: string;
    /** Messages by language: all of web.ftl, and those of units. */
    messages: Record<Language, Record<string, string>>;
    /** Names of the embedded samples, and the address of each one's case, if the page was built with the case
     *  book. */
    samples: { name: string; case: string | null }[];
    /** Address of the case book. */
    cases: string | null;
    pictures: Pictures;
}

/** The address of the calculator. */
const BUFFERS = '#buffers';
/** The state of a history entry without a report. */
const START = { isStart: true };

function text(bytes: ArrayBuffer): string {
    return new TextDecoder().decode(bytes);
}

/** Two captures are compared unless they are parts of one recording. */
function howToRead(files: readonly File[], isMerged: boolean): How {
    if (isMerged) return 'merged';
    return files.length === 2 ? 'compared' : 'each';
}

/** The page's language for a tag (`zh-TW`): the one with the same beginning, otherwise the first. */
function languageOf({ messages }: Contents, asked: string): Language {
    const tags = Object.keys(messages) as Language[];
    const primary = (tag: string): string => (tag.split('-')[0] ?? '').toLowerCase();
    return tags.find((tag) => primary(tag) === primary(asked)) ?? (tags[0] as Language);
}

/** The tool around the report. */
class Page {
    readonly #engine = new Engine();
    readonly #top = h('nav', { class: 'web-bar' });
    readonly #root = h('div', { id: 'tcpwhy-root' });
    /** Status above a report. */
    readonly #status = h('div', { class: 'web-status', hidden: true });
    #language: Language;
    #app: App | undefined;
    /** Messages about the captures of the report. */
    #messages: string[] = [];
    #names: string[] = [];
    /** Source of the report, and how it was read. */
    #files: File[] = [];
    #how: How = 'each';
    /** Shown on the start page while captures are read, even after it is rendered again. */
    #reading: HTMLElement | undefined;
    /** Number of tasks that were started, so that results of abandoned ones are not shown. */
    #turn = 0;
    /** The last report and its task: Back to the start page keeps it, Forward shows it again. */
    #kept: { readonly data: ViewData; readonly source: Source; readonly turn: number } | undefined;

    constructor(
        private readonly contents: Contents,
        body: HTMLElement,
    ) {
        const wanted = /[#&]lang=([\w-]+)/.exec(location.hash)?.[1];
        const asked = wanted ? [wanted] : navigator.languages;
        this.#language = languageOf(contents, asked[0] ?? '');
        const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
        const paint = (): void => {
            if (!this.#app) document.documentElement.dataset['theme'] = prefersDark.matches ? 'dark' : 'light';
        };
        prefersDark.addEventListener('change', paint);
        paint();
        // Next to the elements that contain module, worker and samples.
        body.append(this.#top, this.#root, this.#status);
        window.addEventListener('popstate', () => this.#travel());
        window.addEventListener('hashchange', () => {
            if (!this.#app) this.#begin();
        });
        acceptDrops(({ files, folders }) => {
            const refused = folders.map((name) => this.#words.text('web-folder', { name }));
            if (files.length > 0) void this.#explain(files, howToRead(files, this.#isMergeWanted), refused);
            else this.#refuse(refused.join('\n'));
        });
        // The report has its own language selection.
        new MutationObserver(() => {
            const language = document.documentElement.lang as Language;
            if (this.#app && language !== this.#language) {
                this.#language = language;
                this.#renderTop();
            }
        }).observe(document.documentElement, { attributeFilter: ['lang'] });
        this.#begin();
    }

    /** Shows the start page or the calculator, as an entry of the history with that state. */
    #begin(): void {
        this.#mark(location.hash);
        this.#render();
    }

    /** Marks the current entry as one without a report. */
    #mark(fragment: string): void {
        try {
            history.replaceState(START, '', location.pathname + location.search + fragment);
        } catch {
            // Some browsers forbid it for files: Back then does not change the report.
        }
    }

    /** Follows Back and Forward between the start page and the report. */
    #travel(): void {
        const state = history.state as { isStart?: boolean; report?: number } | null;
        if (this.#app && state?.isStart) {
            this.#app.close();
            this.#app = undefined;
            this.#done();
            this.#render();
        } else if (!this.#app && this.#kept && state?.report === this.#kept.turn) this.#showKept();
    }

    #showKept(): void {
        if (!this.#kept) return;
        const { data, source, turn } = this.#kept;
        fill(this.#root);
        this.#app = new App(data, this.#root, source, turn);
        this.#renderTop();
    }

    get #words(): Words {
        return new Words(this.#language, this.contents.messages[this.#language]);
    }

    get #isMergeWanted(): boolean {
        return document.querySelector<HTMLInputElement>('#merge')?.checked ?? false;
    }

    /** Shows the page without a report. */
    #render(state: Omit<State, 'explain'> = {}): void {
        const words = this.#words;
        document.documentElement.lang = this.#language;
        document.title = `${this.contents.name}: ${words.text('web-title')}`;
        this.#renderTop();
        const content = location.hash.startsWith(BUFFERS)
            ? calculator(words, (question) =>
                  this.#engine.ask({ ask: 'buffers', language: this.#language, ...question }).then(text),
              )
            : startPage(words, this.contents, {
                  explain: (files, isMerged) => void this.#explain(files, howToRead(files, isMerged)),
                  reading: this.#reading,
                  ...state,
              });
        fill(
            this.#root,
            content,
            this.#veil(),
            h('footer', {}, h('p', {}, words.text('web-made-by', { name: this.contents.name, version: this.contents.version }))),
        );
    }

    #renderTop(): void {
        const words = this.#words;
        this.#top.setAttribute('aria-label', this.contents.name);
        if (this.#app) {
            const notes =
                this.#messages.length === 0
                    ? null
                    : h(
                          'details',
                          { class: 'web-notes' },
                          h('summary', {}, `${words.text('web-notes')} (${this.#messages.length})`),
                          h('ul', {}, ...this.#messages.map((message) => h('li', {}, message))),
                      );
            fill(
                this.#top,
                this.#veil(),
                button({ class: 'web-again' }, () => this.#leave(), `‹ ${words.text('web-again')}`),
                this.#otherWay(),
                button({ class: 'web-save' }, () => void this.#save(), words.text('web-save-json')),
                notes,
            );
            return;
        }
        const languages = h(
            'select',
            { id: 'web-language', 'aria-label': words.text('web-language') },
            ...(Object.keys(this.contents.messages) as Language[]).map((tag) =>
                h(
                    'option',
                    { value: tag, lang: tag, selected: tag === this.#language },
                    this.contents.messages[tag]['viewer-language-name'] ?? tag,
                ),
            ),
        );
        languages.addEventListener('change', () => {
            this.#language = languages.value as Language;
            this.#render();
            document.getElementById('web-language')?.focus();
        });
        const isBuffers = location.hash.startsWith(BUFFERS);
        const tab = (href: string, id: string, isHere: boolean): HTMLElement =>
            h('a', { href, 'aria-current': isHere ? 'page' : null }, words.text(id));
        fill(
            this.#top,
            h('span', { class: 'brand' }, this.contents.name),
            tab('#', 'web-tab-explain', !isBuffers),
            tab(BUFFERS, 'web-tab-buffers', isBuffers),
            languages,
        );
    }

    /** Button for the other way to read two captures: as a comparison or one by one. */
    #otherWay(): HTMLElement | null {
        if (this.#files.length !== 2 || this.#how === 'merged') return null;
        const other = this.#how === 'compared' ? 'each' : 'compared';
        const words = other === 'each' ? 'web-explain-each' : 'web-compare';
        return button({ class: 'web-other-way' }, () => void this.#explain(this.#files, other), this.#words.text(words));
    }

    /** Overlay while files are dragged over the page. */
    #veil(): HTMLElement {
        return h('div', { class: 'web-veil', 'aria-hidden': 'true' }, h('p', {}, this.#words.text('web-drop-now')));
    }

    /** Returns to the start page, with a message about the reason. */
    #leave(notice?: string): void {
        this.#turn++;
        this.#engine.stop();
        this.#close();
        this.#done();
        this.#render({ notice });
        document.getElementById('choose')?.focus();
    }

    /** Reports captures that cannot be explained, and keeps the present report. */
    #refuse(line: string): void {
        if (this.#app) {
            this.#say(line);
            return;
        }
        this.#forgetAddress();
        this.#render({ error: line });
        window.scrollTo(0, 0);
    }

    #close(): void {
        this.#app?.close();
        this.#app = undefined;
        this.#kept = undefined;
        this.#forgetAddress();
    }

    #forgetAddress(): void {
        this.#mark('');
    }

    /** Explains or compares `files`; `refused` are messages about other dropped items. */
    async #explain(files: File[], how: How, refused: readonly string[] = []): Promise<void> {
        const turn = ++this.#turn;
        this.#close();
        this.#done();
        const words = this.#words;
        const names = files.map(fileName);
        const bytes = files.reduce((sum, file) => sum + file.size, 0);
        // The reader already looks at the place where the files were dropped.
        const reading = new Reading(
            words,
            words.text('web-reading', { name: names.join(', ') }),
            () => this.#leave(words.text('web-cancelled')),
            { count: how === 'merged' ? 1 : files.length, bytes },
        );
        this.#reading = reading.element;
        this.#render();
        window.scrollTo(0, 0);
        reading.element.querySelector('button')?.focus({ preventScroll: true });
        try {
            const progress = (reached: Progress): void => reading.show(reached);
            const answer = await this.#engine.open(files, how, this.#language, progress);
            if (turn !== this.#turn) return;
            const { messages, view } = JSON.parse(text(answer)) as { messages: string[]; view: unknown };
            this.#done();
            this.#messages = [...refused, ...messages];
            this.#names = names;
            [this.#files, this.#how] = [files, how];
            this.#forgetAddress();
            const data = checkData(view);
            this.#kept = { data, source: new Source(data, (url) => this.#chart(url)), turn };
            // Back from the report leads to the start page, not to another page.
            try {
                history.pushState(null, '');
            } catch {
                // Some browsers forbid it for files.
            }
            this.#showKept();
            window.scrollTo(0, 0);
        } catch (error) {
            if (turn !== this.#turn) return;
            this.#done();
            const why = error instanceof Error ? error.message : String(error);
            if (how === 'compared' && error instanceof Failure && error.status === STATUS.partsOfOne) {
                await this.#explain(files, 'merged', [...refused, words.text('web-parts-of-one')]);
                return;
            }
            // Captures that cannot be compared may have separate answers.
            if (how === 'compared' && error instanceof Failure && error.status === STATUS.failed) {
                await this.#explain(files, 'each', [...refused, words.text('web-not-compared', { reason: why })]);
                return;
            }
            this.#render({ error: [...refused, why].join('\n') });
        }
    }

    /** The answer that a server would give. */
    async #chart(url: string): Promise<Response> {
        const turn = this.#turn;
        const words = this.#words;
        const reading = this.#wait(words.text('web-second-look'), () => {
            this.#engine.stop();
            this.#done();
            location.hash = '#';
        });
        try {
            const answer = await this.#engine.ask({ ask: 'chart', query: url.slice(url.indexOf('?') + 1) }, (progress) =>
                reading.show(progress),
            );
            return new Response(answer);
        } finally {
            if (turn === this.#turn) this.#done();
        }
    }

    /** Saves the output of `tcpwhy --json`. */
    async #save(): Promise<void> {
        const words = this.#words;
        const turn = this.#turn;
        const reading = this.#wait(words.text('web-reading', { name: this.#names.join(', ') }), () => {
            this.#engine.stop();
            this.#done();
        });
        try {
            const bytes = await this.#engine.ask({ ask: 'document', language: this.#language, has_timeline: false }, (progress) =>
                reading.show(progress),
            );
            if (turn !== this.#turn) return;
            this.#done();
            const address = URL.createObjectURL(new Blob([bytes], { type: 'application/json' }));
            h('a', { href: address, download: `${this.#names[0] ?? 'captures'}.json` }).click();
            setTimeout(() => URL.revokeObjectURL(address), 60_000);
        } catch (error) {
            if (turn !== this.#turn) return;
            this.#done();
            this.#say(error instanceof Error ? error.message : String(error));
        }
    }

    /** Shows the running task above a report, with a button that ends it. */
    #wait(what: string, cancel: () => void): Reading {
        const reading = new Reading(this.#words, what, cancel, { count: 1, bytes: null });
        this.#status.hidden = false;
        fill(this.#status, reading.element);
        return reading;
    }

    /** Shows a message until the next one. */
    #say(line: string): void {
        this.#status.hidden = false;
        const close = button({ class: 'web-close' }, () => this.#done(), this.#words.text('web-close'));
        fill(this.#status, h('p', { role: 'alert' }, line), close);
    }

    #done(): void {
        this.#reading = undefined;
        this.#status.hidden = true;
        fill(this.#status);
    }
}

const contents = JSON.parse(document.getElementById('tcpwhy-contents')?.textContent ?? 'null') as Contents;
if (Engine.isSupported) new Page(contents, document.body);
else {
    const tag = languageOf(contents, navigator.language);
    fill(
        document.body,
        h('main', {}, h('p', { class: 'notice', role: 'alert' }, contents.messages[tag]['web-no-support'] ?? '')),
    );
}

// A host's copy works offline after its first visit. If the service worker is not available, it needs its
// host.
if (document.querySelector('link[rel=manifest]') && /^https?:$/.test(location.protocol) && 'serviceWorker' in navigator) {
    navigator.serviceWorker.register('offline.js').catch(() => undefined);
}
