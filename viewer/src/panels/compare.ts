// Two captures, or the two ends of a connection, beside each other on one axis of time.

import { button, fill, h, setVars } from '../base/dom.js';
import { unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import { type Proof, proofOf } from '../charts/proof.js';
import { Stack } from '../charts/stack.js';
import { HalfModel } from '../data/half.js';
import { namedEnd } from '../data/names.js';
import type { Source } from '../data/source.js';
import { swatchOf } from '../data/swatch.js';
import type { Compared, ComparedPair, Connection, ConnectionChart, Half, Language } from '../format.js';
import { View } from '../view/view.js';
import { transferLine } from './answer.js';
import { badge } from './looks.js';

const LETTERS = ['A', 'B'] as const;

/** One connection of a pair. */
interface Side {
    readonly letter: 'A' | 'B';
    readonly capture: string;
    readonly id: number;
    readonly connection: Connection | undefined;
    readonly chart: ConnectionChart | undefined;
    readonly half: Half | undefined;
    readonly model: HalfModel | undefined;
}

/** What the page can do besides. */
export interface CompareActions {
    open(id: number): void;
    help(): void;
    /** Called when another pair is shown. */
    paired(index: number): void;
}

export class ComparePage {
    readonly element: HTMLElement;
    readonly #body = h('div', { class: 'compare-body' });
    readonly #title = h('h1', { id: 'compare-title' });
    #stacks: Stack[] = [];
    #view: View | null = null;

    constructor(
        private readonly context: Context,
        private readonly source: Source,
        private readonly compared: Compared,
        private readonly actions: CompareActions,
        /** The pair to show first. */
        first = 0,
    ) {
        const { words } = context;
        const { heads, changes } = compared.words[words.language as Language];
        const [head, ...rest] = heads;
        this.element = h(
            'section',
            { class: 'overview compare', id: 'compare', tabindex: -1, 'aria-labelledby': 'compare-title' },
            h(
                'header',
                { class: 'card' },
                h('p', { class: 'taken' }, LETTERS.map((letter, i) => `${letter}: ${compared.captures[i]}`).join(' · ')),
                this.#title,
                h('p', { class: 'soft' }, head ?? ''),
                ...rest.map((line) => h('p', { class: 'soft' }, line)),
                changes.length > 0
                    ? h('ul', { class: 'compare-changes' }, ...changes.map((change) => h('li', {}, unbroken(change))))
                    : null,
                this.#choice(compared.pairs[first] ? first : 0),
            ),
            this.#body,
        );
        this.#show(compared.pairs[first] ? first : 0);
    }

    /** The stretch that both are shown in. */
    get view(): View | null {
        return this.#view;
    }

    /** Stops listening. */
    close(): void {
        for (const stack of this.#stacks) stack.close();
        this.#view?.close();
        this.#stacks = [];
        this.#view = null;
    }

    /** Draws all charts, in sight or not. */
    drawAll(): void {
        for (const stack of this.#stacks) stack.drawAll();
    }

    /** Which pair is shown, where there are several. */
    #choice(first: number): HTMLElement | null {
        const { pairs, count, alike } = this.compared;
        if (pairs.length < 2) return null;
        const { words } = this.context;
        const select = h(
            'select',
            { id: 'pair', 'aria-label': words.text('viewer-compare-pair') },
            ...pairs.map((pair, i) => h('option', { value: i, selected: i === first }, this.#name(pair))),
        );
        select.addEventListener('change', () => {
            this.#show(Number(select.value));
            this.actions.paired(Number(select.value));
        });
        return h(
            'p',
            { class: 'choices' },
            select,
            h(
                'span',
                { class: 'soft' },
                words.text('viewer-compare-shown', { n: String(pairs.length), all: String(count), alike: String(alike) }),
            ),
        );
    }

    #name(pair: ComparedPair): string {
        const { words, units } = this.context;
        const [a, b] = [0, 1].map((i) => this.#side(pair, i as 0 | 1)) as [Side, Side];
        const time = (side: Side): string => units.seconds(side.half?.span.duration_s ?? NaN);
        return words.text('viewer-compare-times', { ends: this.#ends(a, pair.senders[0]), a: time(a), b: time(b) });
    }

    #side(pair: ComparedPair, i: 0 | 1): Side {
        const id = pair.connections[i];
        const { connection, chart } = this.source.known(id, this.context.words.language as Language);
        const sender = pair.senders[i];
        const half = chart?.halves.find((one) => one.sender === sender);
        return {
            letter: LETTERS[i],
            capture: this.compared.captures[i],
            id,
            connection,
            chart,
            half: connection?.halves.find((one) => one.sender === sender),
            model: half ? new HalfModel(half, this.context.data, i === 1 ? pair.shift_s : 0) : undefined,
        };
    }

    #ends({ connection, id }: Side, sender: number | undefined): string {
        const { words, data } = this.context;
        const end = (i: number): string => {
            const one = connection?.endpoints[i];
            if (!one) return '?';
            const address = one.address.includes(':') ? `[${one.address}]` : one.address;
            return namedEnd(data, `${address}:${one.port}`, id);
        };
        return words.text('viewer-direction', { from: end(sender ?? 0), to: end(1 - (sender ?? 0)) });
    }

    #show(index: number): void {
        this.close();
        const pair = this.compared.pairs[index];
        const { words, context } = { words: this.context.words, context: this.context };
        if (!pair) {
            fill(this.#body);
            return;
        }
        const sides = [this.#side(pair, 0), this.#side(pair, 1)] as const;
        this.#title.textContent = this.#answer(sides);
        const together = this.compared.words[words.language as Language].together[index] ?? [];
        const end = Math.max(...sides.map((side) => side.model?.chart.span.to_s ?? 0), 1e-6);
        const start = Math.min(0, pair.shift_s);
        const view = new View({ start, end });
        this.#view = view;
        // One order of charts, whatever proves each answer, so that the same charts are side by side.
        const lead = sides.find((side) => side.half)?.letter;
        const order = this.#proof(sides.find((side) => side.letter === lead) ?? sides[0])?.chart;
        this.#stacks = sides.flatMap((side, i) => this.#stack(side, view, i === 1, order));
        fill(
            this.#body,
            h('div', { class: 'compare-sides' }, ...sides.map((side, i) => this.#card(side, pair.senders[i], sides))),
            together.length > 0
                ? h(
                      'section',
                      { class: 'card', 'aria-labelledby': 'together-title' },
                      h('h2', { id: 'together-title' }, words.text('viewer-compare-together')),
                      ...together.map((line) => h('p', {}, unbroken(line))),
                  )
                : null,
            numbers(context, sides),
            ...this.#stacks.flatMap((stack, i) => [
                h('h2', { class: 'compare-heading' }, `${LETTERS[i]}: ${sides[i]?.capture ?? ''}`),
                stack.element,
            ]),
        );
    }

    /** Both transfers in one line each: bytes, time, and what limited them. */
    #answer(sides: readonly [Side, Side]): string {
        const { words } = this.context;
        return sides
            .map(({ letter, half }) =>
                words.text('viewer-compare-title', {
                    letter,
                    transfer: half ? transferLine(this.context, half) : words.text('unknown'),
                    limit: half ? words.limit(half.verdict.limit, half.verdict.detail) : words.text('unknown'),
                }),
            )
            .join(words.text('sentence-separator'));
    }

    #proof({ half, model, connection }: Side): Proof | null {
        const { words, units } = this.context;
        return half && model ? proofOf({ half, model, connection, words, units }, false) : null;
    }

    /** `order`: the chart to put first. */
    #stack(side: Side, view: View, isSecond: boolean, order: Proof['chart'] = 'sequence'): Stack[] {
        const { model, half, chart } = side;
        if (!model || !chart) return [];
        const proof = this.#proof(side);
        return [
            new Stack(
                {
                    base: model,
                    opposite: null,
                    summary: half,
                    connection: side.id,
                    source: this.source,
                    caption: { title: side.capture, fileName: `tcpwhy-${side.letter}`, source: side.capture },
                    startNs: chart.start_ns,
                    exchanges: null,
                    after: null,
                    proof: { chart: order, text: proof?.chart === order ? proof.text : null },
                    place: isSecond ? 'second' : 'first',
                    onHelp: () => this.actions.help(),
                    onDetail: () => {},
                },
                view,
                this.context,
            ),
        ];
    }

    /** The answer about one side, with its time as a bar beside the other's. */
    #card(side: Side, sender: number | undefined, sides: readonly [Side, Side]): HTMLElement {
        const { words, units, data } = this.context;
        // Transfers of other sizes compare by their rates.
        const rate = (one: Side): number => one.half?.goodput_bits_per_s ?? 0;
        const bar = h('span', { class: 'then-fill' });
        setVars(bar, { '--share': String(rate(side) / Math.max(...sides.map(rate), 1e-9)) });
        const { half } = side;
        return h(
            'section',
            { class: 'card compare-side', 'aria-label': `${side.letter}: ${side.capture}` },
            h(
                'p',
                { class: 'transfer' },
                h('strong', {}, `${side.letter} `),
                h('span', { class: 'ends' }, this.#ends(side, sender)),
                ' ',
                half ? transferLine(this.context, half) : words.text('unknown'),
            ),
            h('div', { class: 'compare-time' }, h('span', { class: 'then-track' }, bar), h('span', {}, units.rate(rate(side)))),
            half
                ? h(
                      'div',
                      { class: 'verdict' },
                      badge(this.context, swatchOf(data, half.verdict.limit, half.verdict.detail)),
                      h('p', { class: 'compare-why' }, unbroken(half.answer.why)),
                  )
                : null,
            half?.answer.fix ? h('p', { class: 'answer-fix' }, unbroken(half.answer.fix)) : null,
            button({}, () => this.actions.open(side.id), words.text('viewer-compare-open', { letter: side.letter })),
        );
    }
}

/** The numbers of both in a table. */
function numbers(context: Context, sides: readonly [Side, Side]): HTMLElement {
    const { words, units } = context;
    const unknown = '–';
    const row = (id: string, of: (half: Half) => string | null): HTMLElement | null => {
        const cells = sides.map(({ half }) => (half ? of(half) : null) ?? unknown);
        if (cells.every((cell) => cell === unknown)) return null;
        return h('tr', {}, h('th', { scope: 'row' }, words.text(id)), ...cells.map((cell) => h('td', { class: 'number' }, cell)));
    };
    const limits = [...new Set(sides.flatMap(({ half }) => half?.limits.map((one) => `${one.limit}/${one.detail ?? ''}`) ?? []))];
    const limitRow = (key: string): HTMLElement | null => {
        const [limit = '', detail = ''] = key.split('/');
        const entries = sides.map(({ half }) => half?.limits.find((one) => one.limit === limit && (one.detail ?? '') === detail));
        if (entries.every((entry) => !entry || entry.share < LEAST_SHARE)) return null;
        return h(
            'tr',
            {},
            h(
                'th',
                { scope: 'row', class: 'compare-limit' },
                badge(context, swatchOf(context.data, limit, detail === '' ? null : detail)),
                ' ',
                words.limit(limit, detail === '' ? null : detail),
            ),
            ...entries.map((entry) =>
                h(
                    'td',
                    { class: 'number' },
                    entry && entry.seconds > 0 ? `${units.seconds(entry.seconds)} · ${units.share(entry.share)}` : unknown,
                ),
            ),
        );
    };
    return h(
        'section',
        { class: 'card compare-numbers', 'aria-labelledby': 'compare-numbers' },
        h('h2', { id: 'compare-numbers' }, words.text('viewer-numbers')),
        h(
            'table',
            {},
            h(
                'thead',
                {},
                h('tr', {}, h('td', {}), ...LETTERS.map((letter) => h('th', { scope: 'col', class: 'number' }, letter))),
            ),
            h(
                'tbody',
                {},
                row('viewer-fact-bytes', (half) => units.bytes(half.bytes)),
                row('viewer-column-duration', (half) => units.seconds(half.span.duration_s)),
                row('viewer-fact-rate', (half) =>
                    half.goodput_bits_per_s === null ? null : units.rate(half.goodput_bits_per_s),
                ),
                row('viewer-fact-resent', (half) => `${units.bytes(half.retransmitted_bytes)} (${half.retransmitted_segments})`),
                row('viewer-compare-rtt', (half) => (half.rtt_us === null ? null : units.seconds(half.rtt_us.median / 1e6))),
                row('viewer-compare-flight', (half) =>
                    half.flight_bytes === null ? null : units.bytes(half.flight_bytes.median),
                ),
                row('viewer-compare-window', (half) =>
                    half.receive_window_bytes === null ? null : units.bytes(half.receive_window_bytes.median),
                ),
                ...limits.map(limitRow),
            ),
        ),
    );
}

/** Limits with less of the time in both are not worth a row. */
const LEAST_SHARE = 0.005;
