// The page: the shown connection, the language and theme, and the address that contains them.

import { wallClockRange } from './base/clock.js';
import { button, fill, h } from './base/dom.js';
import { isolated } from './base/isolate.js';
import { Units } from './base/units.js';
import { Words } from './base/words.js';
import { Patterns } from './canvas/pattern.js';
import { type Theme, type ThemeName, theme as themeOf } from './canvas/theme.js';
import type { Context } from './charts/frame.js';
import { type Proof, proofOf } from './charts/proof.js';
import { Stack } from './charts/stack.js';
import { afterOf } from './data/after.js';
import { ExchangeModel } from './data/exchanges.js';
import type { HalfModel } from './data/half.js';
import { namedEnd } from './data/names.js';
import { Notes } from './data/notes.js';
import { Source } from './data/source.js';
import type { Connection, ConnectionChart, Half, Language, ViewData } from './format.js';
import { afterText, homeOf } from './panels/after.js';
import { answer, reasons, transferLine } from './panels/answer.js';
import { type BarActions, bar, ends, helpDialog } from './panels/bar.js';
import { clocksCard } from './panels/clocks.js';
import { ComparePage } from './panels/compare.js';
import { dataless } from './panels/dataless.js';
import { eventList } from './panels/events.js';
import { mechanism } from './panels/mechanism.js';
import { notesCard, type Subject } from './panels/notes.js';
import { allFindings, captures, numbers } from './panels/numbers.js';
import { overviewPage } from './panels/overview.js';
import { packetList } from './panels/packets.js';
import { requestsCard, slowestCard } from './panels/requests.js';
import { takenLine, vantageNotice } from './panels/taken.js';
import { type Address, formatAddress, parseAddress } from './view/address.js';
import { Folds } from './view/folds.js';
import type { ListAddress } from './view/list.js';
import { type Entry, type Place, placeNow, readEntry, scrollTo } from './view/place.js';
import { View } from './view/view.js';

/** Pause before the address is updated with the view. */
const ADDRESS_AFTER_MS = 250;

/** Pause before the history is updated after scrolling: browsers ignore an address that changes too often. */
const PLACE_AFTER_MS = 150;

const TOP: Place = { y: 0, list: 0 };

export class App {
    readonly #source: Source;
    #language: Language;
    #theme: ThemeName;
    /** Whether the reader chose language and theme: only chosen ones are part of the address. */
    #isLanguageChosen = false;
    #isThemeChosen = false;
    #isPrinting = false;
    #connection: number | null = null;
    #sender: number | null = null;
    #view: View | null = null;
    #stack: Stack | null = null;
    #compare: ComparePage | null = null;
    /** Number of the pair in a comparison. */
    #pair = 0;
    #addressTimer: ReturnType<typeof setTimeout> | undefined;
    readonly #patterns = new Patterns();
    /** The view of a connection, which survives a change of language or theme. */
    #wanted: Address = {};
    /** Filters and order of the overview's list. */
    #list: ListAddress = {};
    /** Target of "all connections": address and scroll position of the list. */
    #back: Entry['back'] = null;
    /** Where to scroll after the page is built; null does not scroll. */
    #place: Place | null = null;
    /** Whether details are loading: until then the address does not change. */
    #isLoading = false;
    #placeTimer: ReturnType<typeof setTimeout> | undefined;
    readonly #folds: Folds;
    #cursor: number | null = null;
    /** Whether the reader has just switched to the other direction of the connection. */
    #isOtherDirection = false;

    /** Whether the reasons are shown next to the charts. */
    readonly #drawer = { isOpen: false };

    /** Removes the page's listeners. */
    readonly #end = new AbortController();

    /** Notes are stored in the file, so a page whose details come from a server has none. */
    readonly #notes: Notes | null;

    constructor(
        readonly data: ViewData,
        private readonly root: HTMLElement,
        source?: Source,
        /** Number of the report, if a page shows several in turn. */
        private readonly report = 0,
    ) {
        this.#notes = data.server === null && source === undefined ? new Notes(document, root) : null;
        this.#source = source ?? new Source(data);
        this.#language = data.language;
        const { signal } = this.#end;
        const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
        this.#theme = prefersDark.matches ? 'dark' : 'light';
        prefersDark.addEventListener(
            'change',
            () => {
                if (this.#isThemeChosen) return;
                this.#theme = prefersDark.matches ? 'dark' : 'light';
                this.#again();
            },
            { signal },
        );
        this.#folds = new Folds(root, () => this.#writeAddress(), signal);
        // Otherwise the browser would scroll before the page is rebuilt.
        history.scrollRestoration = 'manual';
        window.addEventListener('hashchange', () => this.#enter(), { signal });
        const onScroll = (): void => {
            clearTimeout(this.#placeTimer);
            this.#placeTimer = setTimeout(() => this.#writeAddress(), PLACE_AFTER_MS);
        };
        document.addEventListener('scroll', onScroll, { capture: true, passive: true, signal });
        window.addEventListener('pagehide', () => this.#writeAddress(), { signal });
        root.addEventListener('click', (event) => this.#onLink(event), { signal });
        root.addEventListener(
            'input',
            (event) => {
                if ((event.target as Element).id === 'packet-filter') this.#writeAddressSoon();
            },
            { signal },
        );
        window.addEventListener(
            'beforeunload',
            (event) => {
                if (this.#notes?.isSaved === false) event.preventDefault();
            },
            { signal },
        );
        window.addEventListener('beforeprint', () => this.#print(true), { signal });
        window.addEventListener('afterprint', () => this.#print(false), { signal });
        const entry = readEntry(report);
        this.#back = entry?.back ?? null;
        this.#place = entry?.place ?? null;
        this.#follow(parseAddress(location.hash));
    }

    /** Shows the current entry of the history. */
    #enter(): void {
        clearTimeout(this.#placeTimer);
        const entry = readEntry(this.report);
        // An entry without state was just made by the page, or somebody typed an address.
        if (entry) this.#back = entry.back;
        this.#place = entry?.place ?? this.#place ?? TOP;
        this.#follow(parseAddress(location.hash));
    }

    /** Opens another connection or list, with a new entry of the history. */
    #go(address: Address, place: Place = TOP): void {
        this.#writeAddress();
        clearTimeout(this.#placeTimer);
        if (this.#connection === null) this.#back = { fragment: location.hash, place: placeNow(this.root) };
        this.#place = place;
        const fragment = formatAddress({ ...address, ...this.#choices() }) || '#';
        if (fragment === (location.hash || '#')) this.#enter();
        else location.hash = fragment;
    }

    /** Follows a link to a connection, keeping the language and the way back. Opening in another window is
     *  left to the browser. */
    #onLink(event: MouseEvent): void {
        const link = event.target instanceof Element ? event.target.closest('a[href^="#c"]') : null;
        if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        this.#go(parseAddress(link.getAttribute('href') ?? ''));
    }

    /** Closes the page, so that other content can replace it. */
    close(): void {
        this.#end.abort();
        clearTimeout(this.#addressTimer);
        clearTimeout(this.#placeTimer);
        this.#stack?.close();
        this.#compare?.close();
        this.#view?.close();
        fill(this.root);
    }

    /** Prints with the light theme, since paper is light. */
    #print(isPrinting: boolean): void {
        this.#isPrinting = isPrinting;
        document.documentElement.dataset['theme'] = isPrinting ? 'light' : this.#theme;
        this.#stack?.drawAll();
        this.#compare?.drawAll();
    }

    /** Shows the content of an address. */
    #follow(address: Address): void {
        if (address.language !== undefined && Object.hasOwn(this.data.messages, address.language)) {
            this.#language = address.language as Language;
            this.#isLanguageChosen = true;
        }
        if (address.theme !== undefined) {
            this.#theme = address.theme;
            this.#isThemeChosen = true;
        }
        this.#connection = address.connection ?? this.#only();
        this.#sender = address.sender ?? null;
        this.#wanted = address;
        this.#list = address.list ?? {};
        this.#render();
        this.#writeAddress();
    }

    /** Id of the connection if the report has exactly one. */
    #only(): number | null {
        return this.data.overview.connections === 1 ? (this.#source.ids()[0] ?? null) : null;
    }

    /** Renders again with the view kept. */
    #again(): void {
        this.#wanted = this.#seen();
        this.#cursor = this.#view?.cursor ?? null;
        this.#render();
        this.#writeAddress();
    }

    /** The state of the shown connection, to restore it later. */
    #seen(): Address {
        const view = this.#view ?? this.#compare?.view;
        return {
            time: view?.isWhole === false ? view.time : undefined,
            marked: view?.marked ?? undefined,
            limit: view?.limit ?? undefined,
            folds: this.#folds.names,
            filter: this.root.querySelector<HTMLInputElement>('#packet-filter')?.value || undefined,
            pair: this.#compare ? this.#pair || undefined : undefined,
        };
    }

    get #context(): Context {
        const words = new Words(this.#language, this.data.messages[this.#language]);
        const themeNow = (): Theme => themeOf(this.#isPrinting ? 'light' : this.#theme);
        return {
            data: this.data,
            words,
            units: new Units(words),
            patterns: this.#patterns,
            get theme() {
                return themeNow();
            },
        };
    }

    readonly #actions: BarActions = {
        overview: () => this.#go(parseAddress(this.#back?.fragment ?? ''), this.#back?.place),
        connection: (id) => this.#go({ connection: id }),
        sender: (sender) => {
            this.#sender = sender;
            this.#wanted = this.#seen();
            this.#cursor = this.#view?.cursor ?? null;
            this.#isOtherDirection = true;
            this.#render();
            this.#isOtherDirection = false;
            this.#writeAddress();
            document.getElementById('direction')?.focus();
        },
        language: (language) => {
            this.#language = language;
            this.#isLanguageChosen = true;
            this.#again();
            document.getElementById('language')?.focus();
        },
        theme: (theme) => {
            this.#theme = theme;
            this.#isThemeChosen = true;
            this.#again();
            this.root.querySelector<HTMLElement>('.theme')?.focus();
        },
        help: () => this.root.querySelector('dialog')?.showModal(),
    };

    #choices(): Address {
        return {
            language: this.#isLanguageChosen ? this.#language : undefined,
            theme: this.#isThemeChosen ? this.#theme : undefined,
        };
    }

    #writeAddressSoon(): void {
        clearTimeout(this.#addressTimer);
        this.#addressTimer = setTimeout(() => this.#writeAddress(), ADDRESS_AFTER_MS);
    }

    /** Writes the shown state into the current entry of the history; `isStep` adds an entry. */
    #writeAddress(isStep = false): void {
        if (this.#isLoading) return;
        clearTimeout(this.#addressTimer);
        clearTimeout(this.#placeTimer);
        const seen = this.#seen();
        const hasSeen = Object.values(seen).some((one) => one !== undefined && (one as unknown[]).length !== 0);
        const isNamed = this.data.overview.connections > 1 || hasSeen || this.#sender !== null;
        const isList = this.#connection === null;
        const address = formatAddress({
            connection: this.#connection !== null && isNamed ? this.#connection : undefined,
            sender: isList ? undefined : (this.#sender ?? undefined),
            list: isList ? this.#list : undefined,
            ...seen,
            ...this.#choices(),
        });
        const entry: Entry = { report: this.report, place: placeNow(this.root), back: this.#back };
        try {
            if (isStep && address !== location.hash) history.pushState(entry, '', address || '#');
            else history.replaceState(entry, '', address || (location.hash === '' ? null : '#'));
        } catch {
            // Some browsers forbid it for files, or if it is done often: the address is then outdated.
        }
    }

    #render(): void {
        this.#stack?.close();
        this.#compare?.close();
        this.#view?.close();
        this.#isLoading = false;
        this.#compare = null;
        this.#stack = null;
        this.#view = null;
        document.documentElement.lang = this.#language;
        document.documentElement.dataset['theme'] = this.#theme;
        const context = this.#context;
        document.title = `${this.data.documents[this.#language].captures.map((capture) => isolated(capture.path)).join(', ')} – ${this.data.tool.name}`;
        if (this.#connection === null) this.#renderOverview(context);
        else this.#renderConnection(context, this.#connection);
        if (!this.#isLoading) this.#settle();
    }

    /** Restores open folds and the scroll position. */
    #settle(): void {
        const { folds, filter } = this.#wanted;
        this.#wanted = {};
        this.#folds.restore(folds ?? []);
        const input = this.root.querySelector<HTMLInputElement>('#packet-filter');
        if (input && filter !== undefined) {
            input.value = filter;
            input.dispatchEvent(new Event('input'));
        }
        if (this.#place) scrollTo(this.root, this.#place);
        this.#place = null;
    }

    #page(context: Context, shown: Parameters<typeof bar>[3], ...content: (HTMLElement | null)[]): void {
        const { words } = context;
        fill(
            this.root,
            h('a', { class: 'skip', href: '#main' }, words.text('viewer-skip')),
            bar(this.data, words, this.#theme, shown, this.#actions),
            h('main', { id: 'main', tabindex: -1 }, ...content),
            h(
                'footer',
                {},
                captures(context, this.data.documents[this.#language].captures),
                h('p', {}, words.text('viewer-made-by', { name: this.data.tool.name, version: this.data.tool.version })),
            ),
            helpDialog(words),
        );
        // The address contains the view, so a jump within the page must not replace it.
        this.root.querySelector('.skip')?.addEventListener('click', (event) => {
            event.preventDefault();
            document.getElementById('main')?.focus();
        });
    }

    #renderOverview(context: Context): void {
        const open = this.#actions.connection;
        if (this.data.comparison) {
            this.#pair = this.#wanted.pair ?? 0;
            const actions = {
                open,
                help: this.#actions.help,
                paired: (pair: number) => {
                    this.#pair = pair;
                    this.#writeAddress(true);
                    this.#listenTo(compare.view);
                },
            };
            const compare = new ComparePage(context, this.#source, this.data.comparison, actions, this.#pair);
            this.#compare = compare;
            this.#page(context, null, compare.element, this.#notesCard(context, null));
            if (compare.view) this.#restore(compare.view, undefined);
            this.#listenTo(compare.view);
            return;
        }
        const changed = (list: ListAddress, isStep: boolean): void => {
            this.#list = list;
            if (isStep) this.#writeAddress(true);
            else this.#writeAddressSoon();
        };
        const overview = overviewPage(context, this.#source, open, { first: this.#list, changed });
        this.#page(context, null, overview, this.#notesCard(context, null));
    }

    #renderConnection(context: Context, id: number): void {
        const { connection, chart } = this.#source.known(id, this.#language);
        if (!chart && this.#source.hasServer) {
            this.#page(context, null, h('p', { role: 'status' }, context.words.text('viewer-loading')));
            this.#isLoading = true;
            const isStill = (): boolean => this.#connection === id && !this.#end.signal.aborted;
            this.#source.ask(id).then(
                () => {
                    if (isStill()) this.#render();
                    if (isStill()) this.#writeAddress();
                },
                () => {
                    if (!isStill()) return;
                    this.#isLoading = false;
                    this.#renderMissing(context, id);
                },
            );
            return;
        }
        if (!connection && !chart) {
            this.#renderMissing(context, id);
            return;
        }
        this.#renderKnown(context, id, connection, chart);
    }

    #renderMissing(context: Context, id: number): void {
        const { words } = context;
        this.#page(
            context,
            null,
            h('h1', {}, `#${id}`),
            h('p', { class: 'notice', role: 'alert' }, words.text('viewer-not-included', { id: String(id) })),
            h(
                'p',
                {},
                button(
                    {},
                    this.#actions.overview,
                    words.text('viewer-all-connections', { n: String(this.data.overview.connections) }),
                ),
            ),
        );
    }

    #renderKnown(context: Context, id: number, connection: Connection | undefined, chart: ConnectionChart | undefined): void {
        const { words } = context;
        const neighbours = this.#neighbours(id);
        const senders = chart ? chart.halves.map((half) => half.sender) : (connection?.halves.map((half) => half.sender) ?? []);
        const summaryOf = (sender: number): Half | undefined => connection?.halves.find((half) => half.sender === sender);
        const names = ends(connection, chart);
        // The first direction is the one that lost most, as in the overview.
        const principal = this.#source.principal(id);
        const main =
            senders.find((one) => names[one] === principal) ??
            [...senders].sort((a, b) => (summaryOf(b)?.bytes ?? 0) - (summaryOf(a)?.bytes ?? 0))[0];
        const sender = senders.find((one) => one === this.#sender) ?? main;
        const direction = (from: number, most = Infinity): { from: string; to: string } => ({
            from: namedEnd(this.data, names[from] ?? '?', id, most),
            to: namedEnd(this.data, names[1 - from] ?? '?', id, most),
        });
        const labels = senders.map((one) => {
            const summary = summaryOf(one);
            // The widest entry determines the width of the list: a long name would push the other address out
            // of sight.
            const text = words.text('viewer-direction', direction(one, 16));
            return { sender: one, label: summary ? `${text}: ${transferLine(context, summary)}` : text };
        });
        const shown = { connection: id, sender: sender ?? 0, senders: labels, neighbours };
        if (sender === undefined) {
            const from = connection?.initiator ?? 0;
            const taken = takenLine(context, this.#source.captures(this.#language), connection, chart, undefined, from);
            this.#page(context, shown, ...dataless(context, direction(from), taken, connection, chart));
            return;
        }
        const all = this.#source.captures(this.#language);
        const summary = summaryOf(sender);
        const model = chart ? this.#source.models(chart).find((half) => half.chart.sender === sender) : undefined;
        const other = chart ? (this.#source.models(chart).find((half) => half.chart.sender !== sender) ?? null) : null;
        const duration = Math.max(chart?.duration_s ?? connection?.duration_s ?? 0, model?.chart.span.to_s ?? 0, 1e-6);
        const after = chart ? afterOf(this.#source.models(chart), duration) : null;
        const view = new View({ start: 0, end: duration }, undefined, undefined, homeOf(after, duration));
        this.#view = view;
        const tooMany = this.#source.hasServer ? 'viewer-packets-zoom' : 'viewer-too-many-packets';
        let packets =
            chart && model
                ? chart.packets
                    ? packetList(context, chart.packets, model, view)
                    : eventList(context, model, view, words.text(tooMany, { n: String(chart.packet_count) }))
                : null;
        // If there are too many packets for the whole time, the detail of a stretch contains its own.
        const onDetail = (detail: ConnectionChart): void => {
            if (!detail.packets || !model || chart?.packets) return;
            const list = packetList(context, detail.packets, model, view);
            packets?.replaceWith(list);
            packets = list;
        };
        const when = chart ? wallClockRange(chart.start_ns, chart.duration_s) : null;
        const caption = {
            title: words.text('viewer-direction', direction(sender)),
            fileName: `tcpwhy-c${id}-${sender}`,
            source: [...all.map((capture) => isolated(capture.path)).slice(0, 3), ...(when === null ? [] : [when])].join(' · '),
        };
        const exchanges = chart?.exchanges ? new ExchangeModel(chart.exchanges) : null;
        const proof: Proof = model ? proofOf(model, this.#language) : { chart: 'sequence', text: null };
        const requests = connection ? requestsCard(context, connection) : null;
        // If a limit is the answer, the charts that prove it come before the bar of requests.
        const isOfRequests = summary?.answer.is_limit === false;
        const below = [
            isOfRequests ? null : requests,
            summary ? reasons(context, summary, view) : null,
            connection ? slowestCard(context, connection, exchanges, view) : null,
            connection ? allFindings(context, summary, connection) : null,
            summary && !isOfRequests ? mechanism(context, summary, model, view) : null,
            connection && summary ? clocksCard(context, connection, summary) : null,
        ];
        const stack = model
            ? new Stack(
                  {
                      base: model,
                      opposite: other,
                      summary,
                      connection: id,
                      source: this.#source,
                      caption,
                      startNs: chart?.start_ns ?? '',
                      exchanges,
                      after: after ? { from: after.from, text: afterText(context, after, connection, chart) } : null,
                      proof,
                      drawer: this.#drawer,
                      below,
                      onHelp: this.#actions.help,
                      onDetail,
                  },
                  view,
                  context,
              )
            : null;
        this.#stack = stack;
        this.#page(
            context,
            shown,
            vantageNotice(context, all, connection),
            summary
                ? answer(context, summary, direction(sender), takenLine(context, all, connection, chart, model, sender))
                : null,
            isOfRequests ? requests : null,
            ...(stack ? [stack.element] : [h('p', { class: 'notice' }, words.text('viewer-no-charts')), ...below]),
            packets,
            summary ? numbers(context, summary, model, view) : null,
            this.#notesCard(context, { connection: id, sender, view }),
        );
        this.#restore(view, model);
        this.#listenTo(view);
    }

    /** Updates the address after changes of the view. */
    #listenTo(view: View | null): void {
        view?.listen((change) => {
            if (!change.time && !change.limit && view.marked === null && !/[#&]ab=/.test(location.hash)) return;
            this.#writeAddressSoon();
        });
    }

    /** The ids before and after `id` in the order of the overview, among connections that can be shown. */
    #neighbours(id: number): [number | null, number | null] {
        const ids = this.#source.ordered();
        const at = ids.indexOf(id);
        return [ids[at - 1] ?? null, at < 0 ? null : (ids[at + 1] ?? null)];
    }

    #notesCard(context: Context, subject: Subject | null): HTMLElement | null {
        if (!this.#notes) return null;
        const card = notesCard(context, this.#notes, subject, () => {
            const next = this.#notesCard(context, subject);
            if (next) card?.replaceWith(next);
            else card?.remove();
            document.getElementById('note')?.focus();
        });
        return card;
    }

    /** Restores the stretch, limit and cursors, if there is data in that stretch. */
    #restore(view: View, model: HalfModel | undefined): void {
        const { time, limit, marked } = this.#wanted;
        // The other direction may have been silent in that stretch: then the whole time is better than an
        // empty chart.
        if (time && !(this.#isOtherDirection && model && !model.isActive(time.start, time.end))) view.fit(time);
        if (marked) view.setMarkers(marked.start, marked.end);
        const isLimit = limit !== undefined && this.data.limits.some((look) => look.id === limit);
        const hasLimit = !this.#isOtherDirection || (model?.timeline.span(limit ?? '', -Infinity, 1) ?? null) !== null;
        if (isLimit && hasLimit) view.setLimit(limit);
        if (this.#cursor !== null && this.#cursor >= view.time.start && this.#cursor <= view.time.end)
            view.setCursor(this.#cursor);
        this.#cursor = null;
    }
}
