// The problems of the capture, the most severe first. Each has its rank, its text, its numbers, its
// connections over time, and the durations of its server's requests.

import { button, fill, h } from '../base/dom.js';
import { count, unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { WhenBars } from '../charts/when.js';
import type { Overview } from '../data/overview.js';
import type { Headline, Language, Problem, ServiceLine } from '../format.js';
import { causeName } from './connections.js';
import { dots } from './dots.js';
import { type MiniRange, miniHistogram, miniRange } from './histogram.js';

/** Problems shown at first below the heading. */
const FIRST = 4;
const DOTS_WIDTH = 220;

/** Actions for a problem. */
export interface ProblemActions {
    /** Lists its connections. */
    list(problem: number): void;
    /** Opens a connection. */
    open(id: number): void;
    /** Shows the histogram of its server. */
    select(problem: number): void;
    /** Lists the interactive sessions. */
    listInteractive(): void;
    /** Lists the connections that only checked whether a host answers. */
    listProbes(): void;
}

/** The affected server, named as in the list of services. */
function serverOf(problem: Problem): string | null {
    if (problem.port === null) return null;
    return `${problem.address.includes(':') ? `[${problem.address}]` : problem.address}:${problem.port}`;
}

/** Whether no user waited for its connections. */
function isOfProbes(problem: Problem): boolean {
    return problem.kind === 'probed' || problem.kind === 'scanned';
}

/** The problems of the page: the main one in the heading, all others in a list. */
export class Problems {
    readonly #rows: ReadonlyMap<number, number[]>;
    /** All small histograms share one scale, so that bars at the same position mean the same time. */
    readonly #range: MiniRange;
    readonly #elements = new Map<number, HTMLElement>();
    readonly #headline: Headline;
    #selected: number | null = null;

    constructor(
        private readonly context: Context,
        private readonly problems: readonly Problem[],
        private readonly overview: Overview,
        private readonly axis: WhenBars,
        private readonly actions: ProblemActions,
    ) {
        const { data, words } = context;
        this.#headline = data.headlines[words.language as Language];
        const rows = new Map<number, number[]>();
        for (const problem of problems.keys()) rows.set(problem, []);
        for (let row = 0; row < overview.rows; row++)
            for (const problem of overview.problemsOf(row)) rows.get(problem)?.push(row);
        this.#rows = rows;
        const services = [...problems.keys()].flatMap((problem) => this.#serviceLine(problem) ?? []);
        this.#range = miniRange(services);
    }

    /** Number of the server of `problem` among the services; null if none. */
    service(problem: number): number | null {
        const server = this.problems[problem] && serverOf(this.problems[problem]);
        const service = this.context.data.services.findIndex((one) => one.server === server);
        return service < 0 ? null : service;
    }

    #serviceLine(problem: number): ServiceLine | null {
        const service = this.service(problem);
        return service === null ? null : (this.context.data.services[service] ?? null);
    }

    /** The problem that is marked initially: that of the heading, otherwise the first one. */
    get first(): number | null {
        return this.#headline.problem ?? (this.problems.length > 0 ? 0 : null);
    }

    /** Marks the problem whose server is shown. */
    mark(selected: number | null): void {
        this.#selected = selected;
        for (const [problem, element] of this.#elements) {
            element.classList.toggle('is-selected', problem === selected && this.#elements.size > 1);
            element.querySelector('.problem-select')?.setAttribute('aria-pressed', String(problem === selected));
        }
    }

    /** The first lines of the terminal as the heading of the overview, with the numbers of their problem. */
    head(taken: HTMLElement): HTMLElement {
        const { answer, problem: index } = this.#headline;
        const problem = index === null ? undefined : this.problems[index];
        const element = h(
            'header',
            { class: `overview-head card problem-first severity-${answer.severity ?? 'none'}` },
            h(
                'div',
                { class: 'overview-answer' },
                taken,
                h(
                    'div',
                    { class: 'overview-sentence' },
                    problem && index !== null ? this.#number(index) : null,
                    h('h1', { id: 'overview-title' }, unbroken(answer.why)),
                ),
                answer.fix !== undefined && answer.is_shown ? h('p', { class: 'overview-fix' }, unbroken(answer.fix)) : null,
                answer.but === undefined ? null : h('p', { class: 'notice' }, unbroken(answer.but)),
                problem ? this.#evidence(problem) : null,
                index === null ? null : this.#largest(index),
            ),
            index !== null && problem ? this.#figures(problem, index) : null,
            index !== null && problem ? this.#buttons(problem, index) : null,
        );
        if (index !== null && problem) this.#selectable(element, index);
        return element;
    }

    /** The connection with most bytes, if it is not part of the heading's problem: a reader may be looking
     *  for it. */
    #largest(index: number): HTMLElement | null {
        const { context, overview } = this;
        const { words, units } = context;
        let row = 0;
        for (let other = 1; other < overview.rows; other++)
            if ((overview.bytes[other] as number) > (overview.bytes[row] as number)) row = other;
        if (!((overview.bytes[row] as number) > 0) || overview.isOf(row, index)) return null;
        const text = words.text('viewer-largest', {
            ends: overview.ends(row),
            bytes: units.bytes(overview.bytes[row] as number),
            time: units.seconds(overview.time[row] as number),
            cause: causeName(context, overview, row),
        });
        return h('p', { class: 'problem-evidence' }, h('a', { href: `#c${overview.id[row]}` }, unbroken(text)));
    }

    /** The problems not in the heading, then the harmless connections; null if there are none. */
    card(): HTMLElement | null {
        const { words } = this.context;
        const sum = (all: Float64Array): number => all.reduce((before, one) => before + (one === 1 ? 1 : 0), 0);
        const [interactive, probes] = [sum(this.overview.interactive), sum(this.overview.probe)];
        const others = [...this.problems.entries()].filter(([index]) => index !== this.#headline.problem);
        const real = others.filter(([, problem]) => !isOfProbes(problem));
        const pale = others.filter(([, problem]) => isOfProbes(problem));
        if (others.length === 0 && interactive === 0 && probes === 0) return null;
        const list = h('ol', { class: 'problems' });
        const show = (most: number): void => {
            const rest = real.length - most;
            fill(
                list,
                ...real.slice(0, most).map(([index, problem]) => this.#item(problem, index)),
                rest > 0
                    ? h(
                          'li',
                          { class: 'problem-more' },
                          button(
                              { class: 'link' },
                              () => show(real.length),
                              words.text('viewer-problems-more', { n: count(rest) }),
                          ),
                      )
                    : null,
                ...pale.map(([index, problem]) => this.#item(problem, index)),
                probes > 0 ? this.#paleItem('probes', probes, this.actions.listProbes) : null,
                interactive > 0 ? this.#paleItem('interactive', interactive, this.actions.listInteractive) : null,
            );
            this.mark(this.#selected);
        };
        show(FIRST);
        return h(
            'section',
            { class: 'card', id: 'problems', 'aria-labelledby': 'problems-title' },
            h(
                'div',
                { class: 'card-head' },
                h('h2', { id: 'problems-title' }, words.text('viewer-problems')),
                real.length > 0 ? h('span', { class: 'soft' }, words.text('viewer-problems-order')) : null,
            ),
            list,
            this.#headline.problems_omitted > 0
                ? h('p', { class: 'soft' }, words.text('viewer-problems-omitted', { n: count(this.#headline.problems_omitted) }))
                : null,
        );
    }

    #item(problem: Problem, index: number): HTMLElement {
        const change = problem.answer.is_change ? problem.answer.fix : undefined;
        const isPale = isOfProbes(problem);
        const element = h(
            'li',
            { class: `problem severity-${problem.severity}${isPale ? ' is-no-problem' : ''}` },
            isPale ? dash() : this.#number(index),
            h(
                'div',
                { class: 'problem-text' },
                h('p', { class: 'problem-sentence' }, unbroken(problem.sentence ?? problem.cause)),
                change === undefined ? null : h('p', { class: 'problem-fix' }, unbroken(change)),
                isPale ? null : this.#evidence(problem),
            ),
            this.#figures(problem, index),
            this.#buttons(problem, index),
        );
        this.#selectable(element, index);
        return element;
    }

    #number(index: number): HTMLElement {
        const { words } = this.context;
        const severity = this.problems[index]?.severity ?? 'info';
        return h(
            'span',
            { class: `problem-number is-${severity}`, title: words.text(`severity-${severity}`) },
            String(index + 1),
        );
    }

    /** Its severity, number of connections, lost time, and the numbers of the example. */
    #evidence(problem: Problem): HTMLElement {
        const { words, units } = this.context;
        const n = count(problem.connections);
        const facts = [
            problem.of_connections == null
                ? words.text('viewer-problem-connections', { n })
                : words.text('viewer-problem-of', { n, all: count(problem.of_connections) }),
            problem.lost_s > 0 ? words.text('viewer-problem-lost', { time: units.seconds(problem.lost_s) }) : null,
            problem.evidence ?? null,
        ].filter((fact) => fact !== null);
        return h(
            'p',
            { class: 'problem-evidence' },
            h('span', { class: `problem-severity is-${problem.severity}` }, words.text(`severity-${problem.severity}`)),
            ' · ',
            unbroken(facts.join(' · ')),
        );
    }

    /** Its connections over time, and the durations of its server's requests. */
    #figures(problem: Problem, index: number): HTMLElement {
        const { context } = this;
        const { words } = context;
        const rows = this.#rows.get(index) ?? [];
        const service = this.#serviceLine(index);
        const mini = service ? miniHistogram(context, service, this.#range) : null;
        const isFailure = rows.some((row) => this.overview.failure(row) !== null);
        return h(
            'div',
            { class: 'problem-figures' },
            rows.length === 0
                ? null
                : h(
                      'figure',
                      { class: 'problem-dots' },
                      dots(context, this.overview, this.axis, rows, DOTS_WIDTH),
                      h(
                          'figcaption',
                          {},
                          words.text(isFailure ? 'viewer-problem-dots-failed' : 'viewer-problem-dots', { n: count(rows.length) }),
                      ),
                  ),
            service && mini
                ? button(
                      {
                          class: 'problem-select',
                          'aria-pressed': 'false',
                          'aria-label': words.text('viewer-problem-select', {
                              server: serverOf(problem) ?? '',
                              spread: mini.text,
                          }),
                          title: words.text('viewer-problem-select', { server: serverOf(problem) ?? '', spread: mini.text }),
                      },
                      () => this.actions.select(index),
                      mini.element,
                      h('span', { class: 'mini-text' }, mini.text),
                  )
                : null,
        );
    }

    /** Buttons that list the connections of a problem, and open its example. */
    #buttons(problem: Problem, index: number): HTMLElement {
        const { words } = this.context;
        return h(
            'div',
            { class: 'problem-actions' },
            problem.connections === 1
                ? null
                : button(
                      { class: 'problem-list' },
                      () => this.actions.list(index),
                      words.text('viewer-problem-show', { n: count(problem.connections) }),
                  ),
            button(
                { class: 'problem-example' },
                () => this.actions.open(problem.example),
                words.text(problem.connections === 1 ? 'viewer-problem-open' : 'viewer-problem-example', {
                    id: String(problem.example),
                }),
            ),
        );
    }

    /** Makes a click anywhere in the row select its server; for keys, the small histogram is a button. */
    #selectable(element: HTMLElement, index: number): void {
        this.#elements.set(index, element);
        if (this.service(index) === null) return;
        element.classList.add('is-selectable');
        element.addEventListener('click', (event) => {
            const isOwn = (event.target as Element).closest('a, button') !== null;
            if (!isOwn && String(getSelection()) === '') this.actions.select(index);
        });
    }

    #paleItem(what: 'interactive' | 'probes', n: number, list: () => void): HTMLElement {
        const { words } = this.context;
        return h(
            'li',
            { class: 'problem is-no-problem' },
            dash(),
            h('div', { class: 'problem-text' }, h('p', {}, words.text(`viewer-${what}`, { n: count(n) }))),
            h('div', { class: 'problem-actions' }, button({ 'data-list': what }, list, words.text('viewer-problem-show-all'))),
        );
    }
}

/** The dash in place of a number for entries that are no problem. */
function dash(): HTMLElement {
    return h('span', { class: 'problem-number', 'aria-hidden': 'true' }, '–');
}
