// The page: what can be done here, one thing at a time.

import { App } from '../../viewer/src/app.js';
import { button, fill, h } from '../../viewer/src/base/dom.js';
import { Units } from '../../viewer/src/base/units.js';
import { Words } from '../../viewer/src/base/words.js';
import { checkData, Source } from '../../viewer/src/data/source.js';
import type { Language } from '../../viewer/src/format.js';
import { calculator } from './calculator.js';
import { Engine, type Progress } from './engine.js';
import { startPage } from './start.js';

/** What the build put into the page besides the code. */
interface Contents {
    name: string;
    version: string;
    /** Words by language: all of web.ftl, and those of units. */
    messages: Record<Language, Record<string, string>>;
    /** Names of the embedded samples, and the address of the case of each, if the page was built with one. */
    samples: { name: string; case: string | null }[];
    /** Address of the case book. */
    cases: string | null;
}

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', 'zh-CN': '中文' };
/** The address of the calculator. */
const BUFFERS = '#buffers';

function text(bytes: ArrayBuffer): string {
    return new TextDecoder().decode(bytes);
}

/** The tool around the report. */
class Page {
    readonly #engine = new Engine();
    readonly #top = h('nav', { class: 'web-bar' });
    readonly #root = h('div', { id: 'tcpwhy-root' });
    readonly #status = h('div', { class: 'web-status', hidden: true });
    #language: Language;
    #app: App | undefined;
    /** Lines on the captures of the report. */
    #messages: string[] = [];
    #names: string[] = [];
    /** Counts what was begun, so that what was left is not shown. */
    #turn = 0;

    constructor(
        private readonly contents: Contents,
        body: HTMLElement,
    ) {
        const wanted = /[#&]lang=([\w-]+)/.exec(location.hash)?.[1];
        const asked = wanted ? [wanted] : navigator.languages;
        this.#language = (asked[0] ?? '').toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
        const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
        const paint = (): void => {
            if (!this.#app) document.documentElement.dataset['theme'] = prefersDark.matches ? 'dark' : 'light';
        };
        prefersDark.addEventListener('change', paint);
        paint();
        // Beside the elements that hold module, worker and samples.
        body.append(this.#top, this.#root, this.#status);
        window.addEventListener('hashchange', () => {
            if (!this.#app) this.#render();
        });
        // Anywhere on the page: what misses the field would otherwise replace the page.
        window.addEventListener('dragover', (event) => {
            event.preventDefault();
            document.body.classList.add('is-dragging');
        });
        window.addEventListener('dragleave', (event) => {
            if (event.relatedTarget === null) document.body.classList.remove('is-dragging');
        });
        window.addEventListener('drop', (event) => {
            event.preventDefault();
            document.body.classList.remove('is-dragging');
            const files = [...(event.dataTransfer?.files ?? [])];
            if (files.length > 0) void this.#explain(files, this.#isMergeWanted);
        });
        // The report has its own choice of language.
        new MutationObserver(() => {
            const language = document.documentElement.lang as Language;
            if (this.#app && language !== this.#language) {
                this.#language = language;
                this.#renderTop();
            }
        }).observe(document.documentElement, { attributeFilter: ['lang'] });
        this.#render();
    }

    get #words(): Words {
        return new Words(this.#language, this.contents.messages[this.#language]);
    }

    get #isMergeWanted(): boolean {
        return document.querySelector<HTMLInputElement>('#merge')?.checked ?? false;
    }

    /** The page without a report. */
    #render(error?: string): void {
        const words = this.#words;
        document.documentElement.lang = this.#language;
        document.title = `${this.contents.name}: ${words.text('web-title')}`;
        this.#renderTop();
        const content = location.hash.startsWith(BUFFERS)
            ? calculator(words, (question) =>
                  this.#engine.ask({ ask: 'buffers', language: this.#language, ...question }).then(text),
              )
            : startPage(words, this.contents, {
                  explain: (files, isMerged) => void this.#explain(files, isMerged),
                  error,
              });
        fill(
            this.#root,
            content,
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
                button({ class: 'web-again' }, () => this.#leave(), `‹ ${words.text('web-again')}`),
                button({ class: 'web-save' }, () => void this.#save(), words.text('web-save-json')),
                notes,
            );
            return;
        }
        const languages = h(
            'select',
            { id: 'web-language', 'aria-label': words.text('web-language') },
            ...(Object.keys(this.contents.messages) as Language[]).map((tag) =>
                h('option', { value: tag, lang: tag, selected: tag === this.#language }, LANGUAGE_NAMES[tag]),
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

    /** Back to the start. */
    #leave(): void {
        this.#turn++;
        this.#engine.stop();
        this.#close();
        this.#done();
        this.#render();
        document.getElementById('choose')?.focus();
    }

    #close(): void {
        this.#app?.close();
        this.#app = undefined;
        this.#forgetAddress();
    }

    #forgetAddress(): void {
        try {
            history.replaceState(null, '', location.pathname + location.search);
        } catch {
            // Some browsers forbid it for files: the old view then stands in the address, and names nothing.
        }
    }

    async #explain(files: File[], isMerged: boolean): Promise<void> {
        const turn = ++this.#turn;
        this.#close();
        this.#render();
        const words = this.#words;
        this.#wait(words.text('web-reading', { name: files.map(({ name }) => name).join(', ') }), () => {
            this.#leave();
            this.#say(words.text('web-cancelled'));
        });
        const size = files.reduce((sum, file) => sum + file.size, 0);
        try {
            const progress = ({ read, name }: Progress): void => this.#progress({ read, total: size, name });
            const answer = await this.#engine.explain(files, isMerged, this.#language, progress);
            if (turn !== this.#turn) return;
            const { messages, view } = JSON.parse(text(answer)) as { messages: string[]; view: unknown };
            this.#done();
            this.#messages = messages;
            this.#names = files.map(({ name }) => name);
            this.#forgetAddress();
            const data = checkData(view);
            fill(this.#root);
            this.#app = new App(data, this.#root, new Source(data, (url) => this.#chart(url)));
            this.#renderTop();
        } catch (error) {
            if (turn !== this.#turn) return;
            this.#done();
            this.#render(error instanceof Error ? error.message : String(error));
        }
    }

    /** What a server would answer. */
    async #chart(url: string): Promise<Response> {
        const turn = this.#turn;
        const words = this.#words;
        this.#wait(words.text('web-second-look'), () => {
            this.#engine.stop();
            this.#done();
            location.hash = '#';
        });
        try {
            const answer = await this.#engine.ask({ ask: 'chart', query: url.slice(url.indexOf('?') + 1) }, (progress) =>
                this.#progress(progress),
            );
            return new Response(answer);
        } finally {
            if (turn === this.#turn) this.#done();
        }
    }

    /** Saves what `tcpwhy --json` writes. */
    async #save(): Promise<void> {
        const words = this.#words;
        const turn = this.#turn;
        this.#wait(words.text('web-reading', { name: this.#names.join(', ') }), () => {
            this.#engine.stop();
            this.#done();
        });
        try {
            const bytes = await this.#engine.ask({ ask: 'document', language: this.#language, has_timeline: false }, (progress) =>
                this.#progress(progress),
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

    /** Shows what is being done, and a way to end it. */
    #wait(what: string, cancel: () => void): void {
        this.#status.hidden = false;
        this.#status.setAttribute('role', 'status');
        const bar = h('progress', { 'aria-label': what });
        fill(
            this.#status,
            h('p', {}, what),
            bar,
            h('p', { class: 'web-read' }),
            button({ class: 'web-cancel' }, cancel, this.#words.text('web-cancel')),
        );
    }

    #progress({ read, total }: Progress): void {
        const bar = this.#status.querySelector('progress');
        const line = this.#status.querySelector('.web-read');
        if (!bar || !line) return;
        const units = new Units(this.#words);
        bar.max = total;
        bar.value = read;
        line.textContent = this.#words.text('web-read-of', { read: units.bytes(read), total: units.bytes(total) });
    }

    /** A line that stays until something else is said. */
    #say(line: string): void {
        this.#status.hidden = false;
        fill(this.#status, h('p', {}, line));
    }

    #done(): void {
        this.#status.hidden = true;
        fill(this.#status);
    }
}

const contents = JSON.parse(document.getElementById('tcpwhy-contents')?.textContent ?? 'null') as Contents;
if (Engine.isSupported) new Page(contents, document.body);
else {
    const tag: Language = navigator.language.startsWith('zh') ? 'zh-CN' : 'en';
    fill(
        document.body,
        h('main', {}, h('p', { class: 'notice', role: 'alert' }, contents.messages[tag]['web-no-support'] ?? '')),
    );
}

// A host's copy opens without a network from its second visit on. If that cannot be had, it works as long as its host does.
if (document.querySelector('link[rel=manifest]') && /^https?:$/.test(location.protocol) && 'serviceWorker' in navigator) {
    navigator.serviceWorker.register('offline.js').catch(() => undefined);
}
