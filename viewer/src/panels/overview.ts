// The first page of a report of several connections: the problems, durations of requests, time by limit,
// servers, and the connections.

import { button, fill, h } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { WhenBars } from '../charts/when.js';
import { Bins } from '../data/bins.js';
import { GROUPINGS, type Grouping, groupsOf } from '../data/groups.js';
import { EVERYTHING, isAsked, type Narrowing } from '../data/narrow.js';
import { Overview, SORT_KEYS } from '../data/overview.js';
import type { Source } from '../data/source.js';
import type { Finding, Language, Relay } from '../format.js';
import type { ListAddress } from '../view/list.js';
import { evidence } from './answer.js';
import { ConnectionList, causeName, found } from './connections.js';
import { fixes } from './fixes.js';
import { groupName, groupTable } from './groups.js';
import { HistogramCard, isWorthBars } from './histogram.js';
import { type ProblemActions, Problems } from './problems.js';
import { ServiceTable } from './services.js';
import { spentCard } from './spent.js';
import { capturesLine } from './taken.js';

/** The overview; `open` shows the connection with that id. */
export function overviewPage(context: Context, source: Source, open: (id: number) => void, state: ListState): HTMLElement {
    return new OverviewPage(context, source, open, state).element;
}

/** Initial filters and order of the list, and a listener for changes. */
export interface ListState {
    readonly first: ListAddress;
    /** Called after each change; `isStep` if Back should undo it. */
    changed(list: ListAddress, isStep: boolean): void;
}

/** Groupings of connections above the list. */
type Gathering = 'service' | Grouping;
const GATHERINGS: readonly Gathering[] = ['service', ...GROUPINGS];

/** The filter toggles, by their names in the address. */
const TOGGLES = [
    ['failed', 'hasFailed'],
    ['interactive', 'isInteractive'],
    ['probe', 'isProbe'],
    ['open', 'isOpenable'],
] as const;

/** Name in the address for the group of connections without a limit. */
const NO_CAUSE = '-';

class OverviewPage {
    readonly element: HTMLElement;
    readonly #overview: Overview;
    readonly #bins: Bins;
    readonly #bars: WhenBars;
    readonly #list: ConnectionList;
    readonly #histogram: HistogramCard;
    readonly #services: ServiceTable;
    readonly #problems: Problems;
    readonly #chips = h('span', { class: 'chips' });
    readonly #status = h('span', { role: 'status', class: 'soft' });
    readonly #groups = h('div', { class: 'groups' });
    readonly #search: HTMLInputElement;
    readonly #toggles: HTMLElement;
    readonly #gatherings: HTMLElement;
    readonly #card: HTMLElement;
    #narrowing: Narrowing = EVERYTHING;
    #gathering: Gathering = 'service';
    readonly #canOpen: (id: number) => boolean;

    constructor(
        private readonly context: Context,
        source: Source,
        open: (id: number) => void,
        private readonly state: ListState,
    ) {
        const { words, data } = context;
        this.#overview = new Overview(data.overview, data);
        this.#bins = new Bins(data.bins);
        const held = new Set(source.ids());
        this.#canOpen = (id) => source.hasServer || held.has(id);
        this.#bars = new WhenBars(this.#overview, source, context);
        this.#list = new ConnectionList(context, this.#overview, this.#bars, this.#canOpen, open, () => this.#change());
        const document = data.documents[words.language as Language];
        this.#problems = new Problems(context, document.problems ?? [], this.#overview, this.#bars, this.#problemActions);
        const first = this.#problems.first;
        const spokenOf = first === null ? null : this.#problems.service(first);
        this.#histogram = new HistogramCard(context, data.services, spokenOf, ({ service, bins }) => {
            this.#problems.mark(null);
            this.#narrow({ service, bins, problem: null });
        });
        this.#services = new ServiceTable(context, data.services, this.#overview, this.#bars, (service) =>
            this.#narrow({ service: this.#narrowing.service === service ? null : service, bins: null, problem: null }, true),
        );
        this.#search = h('input', {
            type: 'search',
            id: 'search',
            autocomplete: 'off',
            placeholder: words.text(this.#overview.hasCaptures ? 'viewer-search-hint-captures' : 'viewer-search-hint'),
        });
        this.#search.addEventListener('input', () => this.#change());
        this.#begin(state.first);
        this.#gatherings = this.#makeGatherings();
        this.#toggles = h('span', { class: 'choices' });
        this.#card = this.#connectionsCard();
        const histogram = isWorthBars(data.services) ? this.#histogram.element : null;
        const spent = spentCard(context);
        this.element = h(
            'section',
            { class: 'overview', id: 'overview', tabindex: -1, 'aria-labelledby': 'overview-title' },
            this.#problems.head(capturesLine(context, document.captures, this.#totals())),
            this.#problems.card(),
            spent || histogram ? h('div', { class: 'overview-first' }, spent, histogram) : null,
            ...relays(context, document.legs ?? [], (id) => this.#list.openId(id)),
            ...across(context, document.across_connections ?? []),
            h('section', { class: 'card', 'aria-labelledby': 'servers-title' }, this.#gatherings, this.#groups),
            this.#card,
        );
        if (this.#overview.rows === 0) {
            // Without connections, there is nothing to list or to draw.
            for (const card of [...this.element.children].slice(1)) card.remove();
            return;
        }
        this.#problems.mark(first);
        this.#update();
    }

    readonly #problemActions: ProblemActions = {
        list: (problem) => this.#narrow({ ...EVERYTHING, problem }, true),
        open: (id) => this.#list.openId(id),
        select: (problem) => {
            const service = this.#problems.service(problem);
            if (service === null) return;
            this.#problems.mark(problem);
            this.#histogram.select(service);
            if (this.#narrowing.bins !== null) this.#narrow({ service: null, bins: null });
        },
        listProbes: () => this.#narrow({ ...EVERYTHING, isProbe: true }, true),
        listInteractive: () => this.#narrow({ ...EVERYTHING, isInteractive: true }, true),
    };

    /** `130 connections, 285 MB` */
    #totals(): string {
        const { words, units, data } = this.context;
        return words.text('viewer-overview-totals', {
            n: count(data.overview.connections),
            bytes: units.bytes(this.#overview.allBytes),
        });
    }

    #makeGatherings(): HTMLElement {
        const { words } = this.context;
        // A single capture is no grouping.
        const all = GATHERINGS.filter((one) => one !== 'capture' || this.#overview.hasCaptures);
        return h(
            'div',
            { class: 'card-head' },
            h('h2', { id: 'servers-title' }, words.text('viewer-group-by')),
            h(
                'span',
                { class: 'choices', role: 'group', 'aria-labelledby': 'servers-title' },
                ...all.map((one) =>
                    button(
                        { 'data-group': one },
                        () => {
                            this.#gathering = one;
                            this.#change();
                        },
                        words.text(`viewer-group-${one}`),
                    ),
                ),
            ),
        );
    }

    #connectionsCard(): HTMLElement {
        const { context } = this;
        const { words, units, data } = context;
        const { omitted } = data.overview;
        const opened = [...this.#overview.id].filter((id) => this.#canOpen(id)).length;
        const hasUpperBounds = [...this.#overview.id.keys()].some((row) => this.#overview.isUpperBound(row));
        return h(
            'section',
            { class: 'card', id: 'connections', 'aria-labelledby': 'connections-title' },
            h(
                'div',
                { class: 'card-head' },
                h('h2', { id: 'connections-title' }, words.text('viewer-connections')),
                this.#chips,
                this.#toggles,
                h('label', { for: 'search', class: 'hidden-visually' }, words.text('viewer-search')),
                this.#search,
                this.#status,
            ),
            opened < this.#overview.rows
                ? h(
                      'p',
                      { class: 'soft partial' },
                      words.text('viewer-partial', { n: count(opened), all: count(this.#overview.rows) }),
                  )
                : null,
            this.#list.element,
            hasUpperBounds ? h('p', { class: 'soft' }, words.text('saving-upper-bound')) : null,
            omitted.connections > 0
                ? h(
                      'p',
                      { class: 'soft' },
                      words.text('viewer-omitted', { n: count(omitted.connections), bytes: units.bytes(omitted.bytes) }),
                  )
                : null,
        );
    }

    /** Filters the list; `isFar` if it is not visible from the clicked element. */
    #narrow(by: Partial<Narrowing>, isFar = false): void {
        this.#narrowing = { ...this.#narrowing, ...by };
        this.#update();
        this.state.changed(this.#address(), true);
        if (isFar) {
            this.#card.scrollIntoView({ block: 'start' });
            this.#search.focus({ preventScroll: true });
        }
    }

    readonly #causeName = (row: number): string => causeName(this.context, this.#overview, row);

    /** Applies the filters and order of `list`, if the report has what it names. */
    #begin(list: ListAddress): void {
        const { data } = this.context;
        const service = data.services.findIndex((one) => one.server === list.service);
        const by = GROUPINGS.find((one) => one === list.group?.by);
        const isOn = (name: (typeof TOGGLES)[number][0]): boolean => list.only?.includes(name) ?? false;
        this.#narrowing = {
            problem: list.problem ?? null,
            service: service < 0 ? null : service,
            bins: list.bins ?? null,
            group: by && list.group ? { by, key: list.group.key === NO_CAUSE ? '' : list.group.key } : null,
            hasFailed: isOn('failed'),
            isInteractive: isOn('interactive'),
            isProbe: isOn('probe'),
            isOpenable: isOn('open'),
        };
        this.#gathering = GATHERINGS.find((one) => one === list.by) ?? 'service';
        this.#search.value = list.query ?? '';
        const key = SORT_KEYS.find((one) => one === list.sort?.key);
        if (key && list.sort) this.#list.sortBy(key, list.sort.isDescending);
    }

    /** The address from which `#begin` restores the filters. */
    #address(): ListAddress {
        const { problem, service, bins, group } = this.#narrowing;
        const { key, isDescending } = this.#list.sort;
        const only = TOGGLES.filter(([, name]) => this.#narrowing[name]).map(([name]) => name);
        return {
            problem: problem ?? undefined,
            service: service === null ? undefined : this.context.data.services[service]?.server,
            bins: bins ?? undefined,
            group: group ? { by: group.by, key: group.key || NO_CAUSE } : undefined,
            only: only.length > 0 ? only : undefined,
            query: this.#search.value || undefined,
            sort: key === 'rank' ? undefined : { key, isDescending },
            by: this.#gathering === 'service' ? undefined : this.#gathering,
        };
    }

    #change(): void {
        this.#update();
        this.state.changed(this.#address(), false);
    }

    #update(): void {
        const { context } = this;
        const overview = this.#overview;
        const { key, isDescending } = this.#list.sort;
        const canOpen = (row: number): boolean => this.#canOpen(overview.id[row] as number);
        const query = this.#search.value;
        const named = overview.select(query, key, isDescending, this.#causeName);
        const shown = named.filter((row) => isAsked(overview, this.#bins, this.#narrowing, canOpen, row));
        this.#list.show(shown);
        const unknown = overview.unknownWords(query, this.#causeName);
        fill(
            this.#status,
            found(context, shown.length, overview.rows),
            unknown.length === 0
                ? null
                : h(
                      'span',
                      { class: 'unknown-words' },
                      context.words.text('viewer-search-unknown', {
                          words: unknown.join(context.words.text('list-separator')),
                      }),
                  ),
        );
        this.#histogram.show(this.#narrowing.service, this.#narrowing.bins);
        this.#services.show(this.#narrowing.service);
        fill(this.#chips, ...this.#chipList());
        fill(this.#toggles, ...this.#toggleList());
        for (const one of this.#gatherings.querySelectorAll('button'))
            one.setAttribute('aria-pressed', String(one.dataset['group'] === this.#gathering));
        const by = this.#gathering;
        if (by === 'service') fill(this.#groups, this.#services.element);
        else
            fill(
                this.#groups,
                groupTable(context, by, groupsOf(overview, [...overview.id.keys()], by), (chosen) =>
                    this.#narrow({ group: { by, key: chosen } }, true),
                ),
            );
    }

    /** The active filters, each with a button that removes it. */
    #chipList(): HTMLElement[] {
        const { words, units, data } = this.context;
        const { problem, service, bins, group } = this.#narrowing;
        const chip = (name: string, without: Partial<Narrowing>): HTMLElement =>
            h(
                'span',
                { class: 'chip' },
                name,
                ' ',
                button(
                    { class: 'link', 'aria-label': words.text('viewer-all-again', { what: name }) },
                    () => this.#narrow(without),
                    '✕',
                ),
            );
        const chips: HTMLElement[] = [];
        if (problem !== null) chips.push(chip(words.text('viewer-chip-problem', { n: String(problem + 1) }), { problem: null }));
        if (service !== null) chips.push(chip(data.services[service]?.server ?? '', { service: null, bins: null }));
        if (bins !== null) {
            const range = { from: units.seconds(this.#bins.start(bins.from)), to: units.seconds(this.#bins.end(bins.to)) };
            chips.push(chip(words.text('viewer-chip-time', range), { bins: null }));
        }
        if (group !== null) chips.push(chip(groupName(this.context, group.by, group.key), { group: null }));
        return chips;
    }

    /** Toggles for failed, interactive and detailed connections: for each kind that some, but not all
     *  connections have. */
    #toggleList(): HTMLElement[] {
        const { words } = this.context;
        const overview = this.#overview;
        const rows = [...overview.id.keys()];
        const toggles = [
            ['hasFailed', 'viewer-only-failed', (row: number) => overview.failure(row) !== null],
            ['isProbe', 'viewer-only-probe', (row: number) => overview.probe[row] === 1],
            ['isInteractive', 'viewer-only-interactive', (row: number) => overview.interactive[row] === 1],
            ['isOpenable', 'viewer-only-open', (row: number) => this.#canOpen(overview.id[row] as number)],
        ] as const;
        return toggles.flatMap(([name, message, test]) => {
            const n = rows.filter(test).length;
            if (n === 0 || n === rows.length) return [];
            const isOn = this.#narrowing[name];
            return [
                button(
                    { 'aria-pressed': String(isOn), 'data-only': name },
                    () => this.#narrow({ [name]: !isOn }),
                    words.text(message, { n: count(n) }),
                ),
            ];
        });
    }
}

/** Connections that continue as other connections, and the slow leg of the two. */
function relays(context: Context, all: readonly Relay[], open: (id: number) => void): HTMLElement[] {
    if (all.length === 0) return [];
    const { words } = context;
    const leg = (id: number): HTMLElement => button({ class: 'link' }, () => open(id), `#${id}`);
    return [
        h(
            'section',
            { class: 'card', id: 'legs', 'aria-labelledby': 'legs-title' },
            h('h2', { id: 'legs-title' }, words.text('viewer-legs')),
            ...all.map((relay) =>
                h('p', {}, relay.sentence ?? '', ' ', leg(relay.outer.example), ' → ', leg(relay.inner.example)),
            ),
        ),
    ];
}

/** Findings across connections, folded except for their sentence. */
function across(context: Context, findings: readonly Finding[]): HTMLElement[] {
    if (findings.length === 0) return [];
    const { words } = context;
    const details = findings.map((finding) =>
        h(
            'details',
            { class: 'across' },
            h('summary', {}, h('strong', {}, finding.title ?? finding.rule), ' ', finding.sentence),
            evidence(context, finding),
            ...fixes(context, finding),
        ),
    );
    return [h('div', { class: 'card', id: 'across' }, h('h2', {}, words.text('viewer-across')), ...details)];
}
