// Two captures, or the two ends of a connection, side by side on one time axis.

import { button, fill, h, setVars } from '../base/dom.js';
import { unbroken } from '../base/units.js';
import { Beside } from '../charts/beside.js';
import type { Context } from '../charts/frame.js';
import type { JointKind, JointSide } from '../charts/joint.js';
import { type Proof, proofOf } from '../charts/proof.js';
import { Stack } from '../charts/stack.js';
import { HalfModel } from '../data/half.js';
import { namedEnd } from '../data/names.js';
import type { Source } from '../data/source.js';
import { swatchOf } from '../data/swatch.js';
import type { Compared, ComparedPair, Connection, ConnectionChart, Half, Language } from '../format.js';
import { View } from '../view/view.js';
import { transferLine } from './answer.js';
import { comparedNumbers } from './compared_numbers.js';
import { comparedServices } from './compared_services.js';
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

/** Actions of the page. */
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
    #beside: Beside | null = null;
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
        this.element = h(
            'section',
            { class: 'overview compare', id: 'compare', tabindex: -1, 'aria-labelledby': 'compare-title' },
            h(
                'header',
                { class: 'card' },
                h('p', { class: 'taken' }, this.#taken()),
                this.#title,
                ...heads.map((line) => h('p', { class: 'soft' }, line)),
                changes.length > 0
                    ? h('ul', { class: 'compare-changes' }, ...changes.map((change) => h('li', {}, unbroken(change))))
                    : null,
                this.#choice(compared.pairs[first] ? first : 0),
            ),
            this.#body,
        );
        this.#show(compared.pairs[first] ? first : 0);
    }

    /** Both captures; for a single pair, with the bytes of each transfer. */
    #taken(): string {
        const { pairs, captures } = this.compared;
        const [pair] = pairs;
        const amount = (i: 0 | 1): string => {
            const half = pair && pairs.length === 1 ? this.#side(pair, i).half : undefined;
            return half ? `, ${transferLine(this.context, half)}` : '';
        };
        return LETTERS.map((letter, i) => `${letter}: ${captures[i]}${amount(i as 0 | 1)}`).join(' · ');
    }

    /** The visible stretch of both. */
    get view(): View | null {
        return this.#view;
    }

    /** Stops listening. */
    close(): void {
        for (const stack of this.#stacks) stack.close();
        this.#beside?.close();
        this.#view?.close();
        this.#beside = null;
        this.#stacks = [];
        this.#view = null;
    }

    /** Draws all charts, visible or not. */
    drawAll(): void {
        this.#beside?.drawAll();
        for (const stack of this.#stacks) stack.drawAll();
    }

    /** The selection of the pair, if there are several. */
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
        const { compared, context } = this;
        const { words } = context;
        const said = compared.words[words.language as Language];
        const isList = compared.mode === 'captures' && compared.pairs.length > 0;
        this.#title.textContent = said.sentence;
        const services =
            compared.services.length > 0 ? comparedServices(context, compared.services, compared.services_omitted) : null;
        const pair = compared.pairs[index];
        if (!pair) {
            fill(this.#body, services);
            return;
        }
        const sides = [this.#side(pair, 0), this.#side(pair, 1)] as const;
        const together = said.together[index] ?? [];
        const end = Math.max(...sides.map((side) => side.model?.chart.span.to_s ?? 0), 1e-6);
        const view = new View({ start: Math.min(0, pair.shift_s), end });
        this.#view = view;
        this.#beside = this.#charts(sides, view);
        fill(
            this.#body,
            isList ? services : null,
            isList
                ? h(
                      'header',
                      { class: 'compare-pair' },
                      h('h2', {}, said.pairs[index] ?? ''),
                      h('p', { class: 'soft' }, this.#ends(sides[0], pair.senders[0])),
                  )
                : null,
            this.#beside?.element,
            h('div', { class: 'compare-sides' }, ...sides.map((side, i) => this.#card(side, pair.senders[i], sides))),
            together.length > 0
                ? h(
                      'section',
                      { class: 'card', 'aria-labelledby': 'together-title' },
                      h('h2', { id: 'together-title' }, words.text('viewer-compare-together')),
                      ...together.map((line) => h('p', {}, unbroken(line))),
                  )
                : null,
            comparedNumbers(context, [sides[0].half, sides[1].half]),
            isList ? null : services,
            this.#fold(sides, view),
        );
    }

    /** Both strips, and both transfers in one chart. */
    #charts(sides: readonly [Side, Side], view: View): Beside | null {
        const joint = sides.flatMap(({ letter, model }): JointSide[] => (model ? [{ letter, half: model }] : []));
        if (joint.length < 2) return null;
        const proofs = sides.map((side) => this.#proof(side)?.chart);
        const hasTimes = joint.some(({ half }) => half.rtt.t.length > 0);
        // The bytes show which transfer is faster; the chart after them shows why.
        const kinds: JointKind[] = ['bytes', 'flight'];
        if (hasTimes && proofs.includes('rtt')) kinds.splice(proofs.includes('window') ? 2 : 1, 0, 'rtt');
        return new Beside(
            {
                sides: joint,
                kinds,
                isFromZero: this.compared.mode !== 'ends',
                onHelp: () => this.actions.help(),
                jump: (step) => this.#jump(sides, view, step),
            },
            view,
            this.context,
        );
    }

    /** Goes to the next or previous span of the highlighted limit, in A or otherwise in B. */
    #jump(sides: readonly [Side, Side], view: View, step: 1 | -1): void {
        const limit = view.limit ?? sides[0].half?.verdict.limit;
        if (limit === undefined || limit === null) return;
        view.setLimit(limit);
        const from = view.cursor ?? (step === 1 ? view.time.start - 1e-9 : view.time.end);
        for (const { model } of sides) {
            const span =
                model?.timeline.span(limit, from, step) ?? model?.timeline.span(limit, step === 1 ? -Infinity : Infinity, step);
            if (!span) continue;
            view.reveal(span);
            view.setCursor(span.start);
            return;
        }
    }

    /** The charts of each transfer alone, created when the part is opened. */
    #fold(sides: readonly [Side, Side], view: View): HTMLElement {
        const { words } = this.context;
        const fold = h('details', { class: 'card compare-fold' }, h('summary', {}, words.text('viewer-compare-each')));
        fold.addEventListener(
            'toggle',
            () => {
                // The same order of charts for both, whatever proves each answer, so that the same charts are
                // side by side.
                const order = this.#proof(sides.find((side) => side.half) ?? sides[0])?.chart;
                this.#stacks = sides.flatMap((side) => this.#stack(side, view, order));
                fold.append(
                    ...this.#stacks.flatMap((stack, i) => [
                        h('h3', { class: 'compare-heading' }, `${LETTERS[i]}: ${sides[i]?.capture ?? ''}`),
                        stack.element,
                    ]),
                );
            },
            { once: true },
        );
        return fold;
    }

    /** The proof of a side, without requests, which have no chart here. */
    #proof({ model }: Side): Proof | null {
        const proof = model ? proofOf(model, this.context.words.language) : null;
        return proof?.chart === 'lanes' ? { chart: 'sequence', text: null } : proof;
    }

    /** `order`: the chart that comes first. */
    #stack(side: Side, view: View, order: Proof['chart'] = 'sequence'): Stack[] {
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
                    isCompared: true,
                    onHelp: () => this.actions.help(),
                    onDetail: () => {},
                },
                view,
                this.context,
            ),
        ];
    }

    /** The answer about one side, with its time as a bar next to the other's. */
    #card(side: Side, sender: number | undefined, sides: readonly [Side, Side]): HTMLElement {
        const { words, units, data } = this.context;
        // Transfers of different sizes are compared by their rates.
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
