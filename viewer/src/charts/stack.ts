// All charts of one direction on one time axis, with legend, buttons and keys.

import { wallClock } from '../base/clock.js';
import { button, h } from '../base/dom.js';
import { tickStep } from '../base/scale.js';
import { finest, isCoarse, toAsk } from '../data/detail.js';
import type { ExchangeModel } from '../data/exchanges.js';
import type { HalfModel } from '../data/half.js';
import type { Source } from '../data/source.js';
import { swatchOf } from '../data/swatch.js';
import type { ConnectionChart, Half } from '../format.js';
import { MeasureReadout } from '../panels/measure.js';
import { WhyReadout } from '../panels/why.js';
import type { View } from '../view/view.js';
import type { Chart, Context } from './frame.js';
import { onKey, takesKeys } from './keyboard.js';
import { LanesChart } from './lanes.js';
import type { LimitColumns } from './limits.js';
import { Minimap } from './minimap.js';
import { margins, Panel } from './panel.js';
import { type Caption, type PictureFormat, save } from './picture.js';
import { attachPointer } from './pointer.js';
import type { Proof } from './proof.js';
import { RttChart } from './rtt.js';
import { SequenceChart } from './sequence.js';
import { SocketChart } from './socket.js';
import { StripChart } from './strip.js';
import { Flow, ResentChart, ThroughputChart } from './throughput.js';
import { type Fit, usualFit, WindowChart } from './window.js';

/** The charts that a comparison shows for each transfer. */
const COMPARED: ReadonlySet<string> = new Set(['window', 'sequence']);

/** Pause before more detail is requested, so that a continuous zoom causes one request. */
const ASK_AFTER_MS = 180;

interface Loaded {
    readonly from: number;
    readonly to: number;
    readonly bin: number;
    readonly half: HalfModel;
    /** The opposite direction, if it carried data. */
    readonly other: HalfModel | null;
}

/** Input of a stack of charts. */
export interface StackInput {
    readonly base: HalfModel;
    /** The opposite direction, if it carried data. */
    readonly opposite: HalfModel | null;
    readonly summary: Half | undefined;
    /** Number of the connection. */
    readonly connection: number;
    readonly source: Source;
    readonly caption: Caption;
    /** The connection's first packet, nanoseconds since the epoch. */
    readonly startNs: string;
    /** Requests and answers, if any. */
    readonly exchanges: ExchangeModel | null;
    /** Events after the last data. */
    readonly after: { readonly from: number; readonly text: string } | null;
    readonly proof: Proof;
    /** Whether the readouts are shown next to the charts, for all stacks that a reader opens. */
    readonly drawer?: { isOpen: boolean };
    /** Whether this is one of two stacks with the same view: it has only the charts to compare, and the view
     *  handles the keys. */
    readonly isCompared?: boolean;
    readonly onHelp: () => void;
    readonly onDetail: (chart: ConnectionChart) => void;
    /** Elements between the chart that proves the cause and the others. */
    readonly below?: readonly (HTMLElement | null)[];
}

export class Stack {
    readonly element: HTMLElement;
    readonly #strip: StripChart;
    readonly #minimap: Minimap;
    readonly #why: WhyReadout;
    readonly #measure: MeasureReadout;
    readonly #measuring: HTMLButtonElement;
    /** Opens and closes the panel next to the charts. */
    readonly #drawer: HTMLButtonElement;
    #hasBoth = false;
    readonly #below: HTMLElement;
    readonly #state = h('p', { class: 'where', role: 'status' });
    readonly #note = h('p', { class: 'detail-note', role: 'status' });
    readonly #reset: HTMLButtonElement;
    /** The chart that proves the cause. */
    readonly #lead = h('div', { class: 'panels panels-lead' });
    /** The other charts. */
    readonly #charts = h('div', { class: 'panels panels-rest' });
    #panels: Panel[] = [];
    #levels: Loaded[];
    #shown: HalfModel;
    #width = 0;
    #askTimer: ReturnType<typeof setTimeout> | undefined;
    #asking = false;
    #fit: Fit;
    readonly #abort = new AbortController();
    readonly #observers: { disconnect(): void }[] = [];

    constructor(
        private readonly input: StackInput,
        private readonly view: View,
        private readonly context: Context,
    ) {
        const { words } = context;
        const { base, opposite, summary, after } = input;
        this.#shown = base;
        this.#fit = usualFit(base, summary?.verdict.limit);
        this.#levels = [{ from: -Infinity, to: Infinity, bin: base.bin, half: base, other: opposite }];
        this.#strip = new StripChart(base, words, context.units, after);
        this.#minimap = new Minimap(view, context, base);
        this.#why = new WhyReadout(base, context);
        if (summary) this.#why.begin(swatchOf(context.data, summary.verdict.limit, summary.verdict.detail));
        this.#measure = new MeasureReadout(view, context);
        this.#measuring = button(
            { class: 'measuring', title: 'm', 'aria-pressed': 'false' },
            () => view.setMeasuring(!view.isMeasuring),
            words.text('viewer-measure'),
        );
        this.#drawer = button(
            { class: 'why-toggle', 'aria-expanded': 'false', 'aria-controls': 'readouts' },
            () => this.#setDrawer(!this.element.classList.contains('has-drawer')),
            words.text('viewer-why-here'),
        );
        this.#reset = button({ class: 'reset', title: '0' }, () => view.reset(), words.text('viewer-zoom-reset'));
        const tools = h(
            'div',
            { class: 'chart-tools', role: 'toolbar', 'aria-label': words.text('viewer-tools') },
            button(
                { 'aria-label': words.text('viewer-zoom-in'), title: '+' },
                () => view.zoom(0.5, view.cursor ?? undefined),
                '+',
            ),
            button(
                { 'aria-label': words.text('viewer-zoom-out'), title: '−' },
                () => view.zoom(2, view.cursor ?? undefined),
                '−',
            ),
            this.#reset,
            this.#measuring,
            button({ class: 'jump', 'aria-label': words.text('viewer-span-previous'), title: 'p' }, () => this.jump(-1), '‹'),
            button({ class: 'jump', 'aria-label': words.text('viewer-span-next'), title: 'n' }, () => this.jump(1), '›'),
            this.#drawer,
        );
        const stripPanel = new Panel(this.#strip, view, context, base);
        const sticky = h(
            'div',
            { class: 'sticky' },
            h('div', { class: 'strip-head' }, this.#state, tools),
            stripPanel.element,
            this.#minimap.element,
        );
        const rest = button(
            { class: 'more-charts', 'aria-expanded': 'false' },
            () => {
                const isOpen = this.element.classList.toggle('has-all-charts');
                rest.setAttribute('aria-expanded', String(isOpen));
                this.#resize();
            },
            words.text('viewer-more-charts'),
        );
        this.#below = h('div', { class: 'charts-below' }, ...(input.below ?? []));
        this.element = h(
            'section',
            { class: 'charts', id: 'charts', tabindex: 0, 'aria-label': words.text('viewer-charts') },
            h(
                'div',
                { class: 'charts-main' },
                sticky,
                after ? h('p', { class: 'after' }, after.text) : null,
                h('div', { class: 'strip-foot' }, this.#note),
                this.#lead,
                this.#below,
                rest,
                this.#charts,
            ),
            h('aside', { class: 'readouts', id: 'readouts' }, this.#why.element, this.#measure.element),
        );
        this.#setDrawer(input.drawer?.isOpen === true);
        this.#panels = [stripPanel];
        this.#attach(stripPanel);
        this.#build(base);
        view.listen((change) => {
            if (change.time || change.limit) this.#draw();
            else if (change.cursor) for (const panel of this.#panels) panel.drawOver();
            if (change.limit) {
                this.#minimap.draw();
                // An address that has both a limit and a time means that time.
                if (view.limit !== null && !change.time) this.#showSpan();
            }
            if (change.time) this.#minimap.place();
            this.#tell();
        });
        const sizes = new ResizeObserver(() => this.#resize());
        sizes.observe(this.#lead);
        this.#observers.push(sizes);
        this.#listen();
    }

    /** Draws all charts at once, visible or not. */
    drawAll(): void {
        for (const panel of this.#panels) panel.setSeen(true);
        this.#draw();
        this.#minimap.draw();
    }

    /** Stops listening; the element is no longer shown. */
    close(): void {
        this.#abort.abort();
        clearTimeout(this.#askTimer);
        for (const observer of this.#observers) observer.disconnect();
    }

    #setDrawer(isOpen: boolean): void {
        this.element.classList.toggle('has-drawer', isOpen);
        this.#drawer.setAttribute('aria-expanded', String(isOpen));
        if (this.input.drawer) this.input.drawer.isOpen = isOpen;
    }

    #attach(panel: Panel): void {
        attachPointer(
            panel.stage,
            this.view,
            () => panel.time,
            (time) => {
                this.element.classList.add('is-active');
                this.view.setCursor(time);
                if (panel.chart.id === 'strip') {
                    const limit = this.#strip.limitAt(time);
                    if (limit) this.view.setLimit(this.view.limit === limit.id ? null : limit.id);
                }
            },
        );
    }

    /** Creates the charts below the strip for `half`. */
    #build(half: HalfModel, isNew = false): void {
        const { words, units } = this.context;
        const flow = new Flow(half);
        const other = this.#hasBoth ? (this.#levels.find((level) => level.half === half)?.other ?? null) : null;
        const charts: Chart[] = [
            new SequenceChart(half, words, units, other),
            new WindowChart(half, words, units, this.#fit, this.context.data.limits),
        ];
        // The page contains all samples of the socket, the detail of a stretch none.
        const { socket } = this.input.base;
        if (socket) charts.push(new SocketChart(half, socket, words, units));
        if (this.input.exchanges) charts.push(new LanesChart(this.input.exchanges, words, units));
        if (half.rtt.t.length > 0) charts.push(new RttChart(half, words, units));
        charts.push(new ThroughputChart(flow, words, units));
        if (flow.resentTotal > 0) charts.push(new ResentChart(flow, words, units));
        const isCompared = this.input.isCompared === true;
        if (isCompared) charts.splice(0, charts.length, ...charts.filter((chart) => COMPARED.has(chart.id)));
        const isLead = (chart: Chart): boolean => chart.id === this.input.proof.chart;
        charts.sort((a, b) => Number(isLead(b)) - Number(isLead(a)));
        const [strip, ...before] = this.#panels as [Panel, ...Panel[]];
        if (before.length === charts.length && charts.every((chart, i) => chart.id === before[i]?.chart.id) && !isNew) {
            for (const [i, chart] of charts.entries()) before[i]?.setChart(chart, half);
            return;
        }
        const panels = charts.map((chart) => {
            const note = isLead(chart) ? this.input.proof.text : null;
            const isTall = isLead(chart) && !isCompared;
            return new Panel(chart, this.view, this.context, half, this.#buttons(chart.id), note, isTall);
        });
        const byStage = new Map<Element, Panel>(panels.map((panel) => [panel.stage, panel]));
        // Drawn a little before they become visible.
        const seen = new IntersectionObserver(
            (entries) => {
                for (const entry of entries) byStage.get(entry.target)?.setSeen(entry.isIntersecting);
            },
            { rootMargin: '60px' },
        );
        for (const panel of panels) {
            this.#attach(panel);
            seen.observe(panel.stage);
        }
        this.#observers.push(seen);
        const [lead, ...others] = panels.map((panel) => panel.element);
        this.#lead.replaceChildren(...(lead ? [lead] : []));
        this.#charts.replaceChildren(...others);
        this.#panels = [strip, ...panels];
        if (this.#width > 0) for (const panel of panels) panel.resize(this.#width, window.devicePixelRatio);
    }

    /** Buttons of a chart. */
    #buttons(id: string): HTMLElement[] {
        const { words } = this.context;
        const own = id === 'window' ? [this.#fitButton()] : id === 'sequence' && this.input.opposite ? [this.#bothButton()] : [];
        const name = words.text(`viewer-chart-${id}`);
        const exports = (['png', 'svg'] as const).map((format) =>
            button(
                {
                    class: 'export',
                    'data-format': format,
                    'aria-label': words.text('viewer-save-chart', { chart: name, format: format.toUpperCase() }),
                    title: words.text('viewer-save-chart', { chart: name, format: format.toUpperCase() }),
                },
                () => void this.#save(id, format),
                format.toUpperCase(),
            ),
        );
        return [...own, ...exports];
    }

    async #save(id: string, format: PictureFormat): Promise<void> {
        const panel = this.#panels.find((one) => one.chart.id === id);
        if (!panel) return;
        const fileName = `${this.input.caption.fileName}-${id}`;
        try {
            await save(
                panel.picture({ ...this.input.caption, fileName, source: `${this.input.caption.source} · ${this.#rangeText()}` }),
                format,
                fileName,
            );
        } catch {
            this.#note.textContent = this.context.words.text('viewer-save-failed');
        }
    }

    /** Shows or hides the opposite direction in the sequence chart. */
    #bothButton(): HTMLElement {
        return button(
            { class: 'both', 'aria-pressed': String(this.#hasBoth) },
            () => {
                this.#hasBoth = !this.#hasBoth;
                this.#build(this.#shown, true);
                this.#draw();
                this.element.querySelector<HTMLElement>('.both')?.focus();
            },
            this.context.words.text('viewer-both-directions'),
        );
    }

    /** Switches between the whole window and the bytes in flight alone. */
    #fitButton(): HTMLElement {
        const other: Fit = this.#fit === 'window' ? 'flight' : 'window';
        return button(
            { class: 'fit' },
            () => {
                this.#fit = other;
                this.#build(this.#shown, true);
                this.#draw();
                this.element.querySelector<HTMLElement>('.fit')?.focus();
            },
            this.context.words.text(`viewer-fit-${other}`),
        );
    }

    #listen(): void {
        const { signal } = this.#abort;
        if (this.input.isCompared) return;
        const actions = { jump: (step: 1 | -1) => this.jump(step), help: this.input.onHelp };
        document.addEventListener(
            'keydown',
            (event) => {
                // Keys apply to the charts unless the focused element handles them.
                if (takesKeys(event.target)) return;
                const target = event.target as Element;
                const isHere =
                    (this.element.contains(target) && !this.#below.contains(target)) ||
                    target === document.body ||
                    target.closest('[data-limit]') !== null;
                if (isHere && onKey(event, this.view, actions)) event.preventDefault();
            },
            { signal },
        );
        document.addEventListener(
            'pointerdown',
            (event) => {
                if (!this.element.contains(event.target as Node)) this.element.classList.remove('is-active');
            },
            { signal },
        );
        this.element.addEventListener('focusout', (event) => {
            if (!this.element.contains(event.relatedTarget as Node | null)) this.element.classList.remove('is-active');
        });
    }

    #resize(): void {
        const width = this.#lead.clientWidth;
        if (width === 0) return;
        this.#width = width;
        const ratio = window.devicePixelRatio || 1;
        for (const panel of this.#panels) panel.resize(width, ratio);
        this.#minimap.resize(width, ratio);
        this.#draw();
        this.#tell();
    }

    #draw(): void {
        this.#choose();
        let limits: LimitColumns | null = null;
        for (const panel of this.#panels) limits = panel.draw(limits);
    }

    /** Draws with the finest available detail, and requests more if that is coarse. */
    #choose(): void {
        const { time } = this.view;
        const { left, right } = margins(this.#width);
        const pixels = Math.max(1, this.#width - left - right);
        const level = finest(this.#levels, time) ?? (this.#levels[0] as Loaded);
        if (level.half !== this.#shown) {
            this.#shown = level.half;
            this.#build(level.half);
        }
        const coarse = isCoarse(level.bin, time, pixels);
        this.#tellDetail(coarse, level.bin);
        clearTimeout(this.#askTimer);
        if (coarse && this.input.source.hasServer) this.#askTimer = setTimeout(() => void this.#ask(), ASK_AFTER_MS);
    }

    async #ask(): Promise<void> {
        if (this.#asking || this.#abort.signal.aborted) return;
        this.#asking = true;
        const wanted = toAsk(this.view.time, this.view.bounds);
        try {
            const chart = await this.input.source.ask(this.input.connection, wanted.start, wanted.end);
            const models = this.input.source.models(chart);
            const half = models.find((model) => model.chart.sender === this.input.base.chart.sender);
            const other = models.find((model) => model.chart.sender !== this.input.base.chart.sender) ?? null;
            const current = finest(this.#levels, this.view.time);
            if (half) {
                // A few stretches are kept; the first one is that of the page.
                this.#levels = [
                    this.#levels[0] as Loaded,
                    ...this.#levels.slice(1).slice(-3),
                    { from: chart.from_s, to: chart.to_s, bin: half.bin, half, other },
                ];
            }
            this.#asking = false;
            if (!this.#abort.signal.aborted) this.input.onDetail(chart);
            if (!this.#abort.signal.aborted && half && half.bin < (current?.bin ?? Infinity)) this.#draw();
        } catch {
            this.#asking = false;
            this.#note.textContent = this.context.words.text('viewer-detail-failed');
        }
    }

    #tellDetail(coarse: boolean, bin: number): void {
        const { words, units } = this.context;
        let text = '';
        if (coarse)
            text = words.text(this.input.source.hasServer ? 'viewer-detail-loading' : 'viewer-detail-ends', {
                bin: units.seconds(bin),
            });
        if (this.#note.textContent !== text) this.#note.textContent = text;
    }

    /** Shows the stretch, and the values at the cursor, as text. */
    #tell(): void {
        const { words, units } = this.context;
        const { time, cursor, isWhole } = this.view;
        const step = tickStep(time.end - time.start, 1000);
        const parts = [this.#rangeText()];
        const limit = cursor === null ? null : this.#strip.limitAt(cursor);
        if (cursor !== null)
            parts.push(words.text('viewer-at', { time: units.instant(cursor, step), limit: limit?.text ?? '–' }));
        const clock = cursor === null ? null : wallClock(this.input.startNs, cursor);
        if (clock) parts.push(clock.time);
        if (cursor !== null) this.#why.show(cursor);
        const text = parts.join('   ');
        if (this.#state.textContent !== text) this.#state.textContent = text;
        this.#reset.disabled = isWhole;
        this.#measuring.setAttribute('aria-pressed', String(this.view.isMeasuring));
        this.element.classList.toggle('is-measuring', this.view.isMeasuring || this.view.marked !== null);
        this.#measure.show((range) => (finest(this.#levels, range) ?? (this.#levels[0] as Loaded)).half);
    }

    #rangeText(): string {
        const { words, units } = this.context;
        const { start, end } = this.view.time;
        const step = tickStep(end - start, 1000);
        return words.text('viewer-range', {
            from: units.instant(start, step),
            to: units.instant(end, step),
            width: units.seconds(end - start),
        });
    }

    /** Goes to the next or previous span of the highlighted limit; without one, of the limit at the
     *  cursor. */
    jump(step: 1 | -1): void {
        const { view } = this;
        const middle = (view.time.start + view.time.end) / 2;
        const limit = view.limit ?? this.#strip.limitAt(view.cursor ?? middle)?.id ?? this.input.summary?.limits[0]?.limit;
        if (limit === undefined) return;
        view.setLimit(limit);
        const { timeline } = this.input.base;
        const from = view.cursor ?? (step === 1 ? view.time.start - 1e-9 : view.time.end);
        // After the last one, the search continues at the other end.
        const span = timeline.span(limit, from, step) ?? timeline.span(limit, step === 1 ? -Infinity : Infinity, step);
        if (!span) return;
        view.reveal(span);
        view.setCursor(span.start);
    }

    /** Moves the view so that a part of the chosen limit is visible. */
    #showSpan(): void {
        const { limit, time } = this.view;
        if (limit === null) return;
        const index = this.context.data.limits.findIndex((look) => look.id === limit);
        const isSeen = index >= 0 && this.input.base.timeline.seconds(index, time.start, time.end) > 0;
        if (!isSeen) this.jump(1);
    }
}
