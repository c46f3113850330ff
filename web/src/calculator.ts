// `tcpwhy buffers` as a calculator, with charts that follow its fields.

import { fill, h } from '../../viewer/src/base/dom.js';
import { count, Units } from '../../viewer/src/base/units.js';
import type { Words } from '../../viewer/src/base/words.js';
import { binaryTicks, type Curve, chart, decimalTicks, observer, type Plot, type Range } from './chart.js';

/** The contents of the fields. */
export type Question = Record<'kernel' | 'sndbuf' | 'rcvbuf' | 'window' | 'rtt' | 'bandwidth' | 'bytes' | 'settings', string>;

/** The module's answer. */
interface Answer {
    text: string;
    document: { rtt_us: number | null; transfer_bytes: number | null };
    curves: Record<'by_round_trip' | 'by_size', { here: number | null; curves: Curve[] }>;
}

/** Pause between typing and the update of the answer. */
const ANSWER_AFTER_MS = 80;
/** Initial contents of the fields: a path on which the buffer matters. */
const AT_FIRST: Question = {
    kernel: '6.18',
    sndbuf: '',
    rcvbuf: '256KiB',
    window: '',
    rtt: '20ms',
    bandwidth: '1gbit',
    bytes: '100MB',
    settings: '',
};
const HINTS: Partial<Question> = {
    window: '2MiB',
    rtt: '20ms',
    bandwidth: '100mbit',
    bytes: '22MB',
    settings: 'net.core.wmem_max = 16777216',
};

/** Keeps the input when the language changes. */
let typed: Question = { ...AT_FIRST };

/** `256 KiB`: sizes are entered in powers of two. */
function binary(bytes: number): string {
    const units = ['B', 'KiB', 'MiB', 'GiB'];
    let step = 0;
    let size = bytes;
    while (size >= 1024 && step + 1 < units.length) {
        size /= 1024;
        step++;
    }
    return `${Number(size.toPrecision(3))} ${units[step]}`;
}

/** `1 s` for `1.00 s`: labels of axes are round numbers. */
function short(text: string): string {
    return text.replace(/\.0+(?=\D|$)/, '');
}

/** Seconds as a label of an axis with powers of ten: `1,000 s` and not `16 min 40 s`. */
function seconds(words: Words, value: number): string {
    return value < 60 ? new Units(words).seconds(value) : words.text('unit-seconds', { n: count(value) });
}

/** The charts of an answer; none if the system is unknown. */
function plots(words: Words, { document, curves }: Answer): Plot[] {
    const units = new Units(words);
    const isTime = document.transfer_bytes !== null;
    const kind = isTime ? 'time' : 'rate';
    const bytes = units.bytes(document.transfer_bytes ?? 0);
    const here = (at: string, [value, low, high]: Range): string => {
        const text = (of: number): string => (isTime ? units.roughSeconds(of) : units.rate(of));
        // Two digits are the precision that such a range allows.
        if (high > low * 1.05) return words.text('web-buffers-here-about', { at, value: text(value) });
        return words.text('web-buffers-here', { at, value: isTime ? units.seconds(value) : units.rate(value) });
    };
    const common = {
        isTime,
        up: words.text(`web-buffers-axis-${kind}`),
        upText: (value: number) => short(isTime ? seconds(words, value) : units.rate(value)),
        rangeName: words.text('web-buffers-curve-range'),
    };
    const { by_round_trip: byRoundTrip, by_size: bySize } = curves;
    const isSet: Partial<Record<Curve['limit'], boolean>> = {
        send: typed.sndbuf.trim() !== '',
        receive: typed.rcvbuf.trim() !== '',
    };
    const own = bySize.curves.filter(({ limit }) => limit !== 'autotuned' && limit !== 'line');
    const size = words.text(`web-buffers-size-${own.length === 1 ? own[0]?.limit : 'both'}`);
    const all: Plot[] = [
        {
            ...common,
            title: words.text(`web-buffers-${kind}-by-rtt`, { bytes }),
            curves: byRoundTrip.curves.map((curve) => {
                const auto = isSet[curve.limit] === false ? '-autotuned' : '';
                return { curve, name: words.text(`web-buffers-curve-${curve.limit}${auto}`) };
            }),
            across: words.text('web-buffers-axis-rtt'),
            acrossText: (value) => short(units.seconds(value)),
            acrossTicks: decimalTicks,
            hereText: (at, range) => here(short(units.seconds(at)), range),
        },
        {
            ...common,
            title: words.text(`web-buffers-${kind}-by-size`, { bytes, size, rtt: units.seconds((document.rtt_us ?? 0) / 1e6) }),
            curves: bySize.curves.map((curve) => {
                const ofSize = own.includes(curve) ? 'size-' : '';
                return { curve, name: words.text(`web-buffers-curve-${ofSize}${curve.limit}`) };
            }),
            across: size,
            acrossText: binary,
            acrossTicks: binaryTicks,
            hereText: (at, range) => here(binary(at), range),
        },
    ];
    return all.filter((plot) => plot.curves.length > 0);
}

/** The page; `ask` returns JSON, or fails with a message about the invalid input. */
export function calculator(words: Words, ask: (question: Question) => Promise<string>): HTMLElement {
    const summary = h('div', { class: 'web-summary', 'aria-live': 'polite' });
    const charts = h('div', { class: 'web-charts' });
    const details = h('pre', { class: 'web-answer', tabindex: 0 });
    const rest = h(
        'details',
        { class: 'card web-details', open: true },
        h('summary', {}, words.text('web-buffers-answer')),
        details,
    );
    const widths = observer();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let turn = 0;
    const update = async (): Promise<void> => {
        const mine = ++turn;
        try {
            const answer = JSON.parse(await ask(typed)) as Answer;
            if (mine !== turn) return;
            const [first = '', ...others] = answer.text.split('\n\n');
            fill(summary, ...sentences(first).map((line, i) => h('p', { class: i === 0 ? 'web-verdict' : '' }, line)));
            widths.disconnect();
            fill(charts, ...plots(words, answer).map((plot) => chart(plot, widths)));
            if (answer.document.rtt_us === null)
                charts.append(h('p', { class: 'soft web-needs' }, words.text('web-buffers-needs-rtt')));
            details.textContent = others.join('\n\n');
            rest.hidden = others.length === 0;
        } catch (error) {
            if (mine !== turn) return;
            fill(summary, h('p', { class: 'notice', role: 'alert' }, error instanceof Error ? error.message : String(error)));
        }
    };
    const field = (name: keyof Question): HTMLElement => {
        const attributes = { id: `buffers-${name}`, autocomplete: 'off', spellcheck: 'false', placeholder: HINTS[name] ?? '' };
        const input =
            name === 'settings' ? h('textarea', { ...attributes, rows: 3 }) : h('input', { ...attributes, type: 'text' });
        if (name === 'sndbuf' || name === 'rcvbuf') input.placeholder = words.text('web-buffers-auto');
        input.value = typed[name];
        input.addEventListener('input', () => {
            typed = { ...typed, [name]: input.value };
            clearTimeout(timer);
            timer = setTimeout(() => void update(), ANSWER_AFTER_MS);
        });
        return h(
            'div',
            { class: `web-field web-field-${name}` },
            h('label', { for: `buffers-${name}` }, words.text(`web-buffers-${name}`)),
            input,
        );
    };
    void update();
    return h(
        'main',
        { id: 'main', class: 'web-start web-calculator', tabindex: -1 },
        h(
            'div',
            { class: 'web-calculator-head' },
            h('h1', {}, words.text('web-buffers-title')),
            h('p', { class: 'web-lead' }, words.text('web-buffers-lead')),
        ),
        h(
            'section',
            { class: 'card web-form', 'aria-label': words.text('web-buffers-fields') },
            ...(['rcvbuf', 'sndbuf', 'rtt', 'bandwidth', 'bytes', 'window', 'kernel', 'settings'] as const).map(field),
        ),
        h('section', { class: 'card web-result', 'aria-label': words.text('web-buffers-curves') }, summary, charts),
        rest,
    );
}

/** Two characters without a space between them. */
const isChinese = /^[\u3000-\u9fff\uff00-\uffef]{2}$/;

/** The sentences of a paragraph that was wrapped for a terminal: a line without a full stop continues in the
 *  next. */
function sentences(paragraph: string): string[] {
    const lines: string[] = [];
    for (const line of paragraph.split('\n')) {
        const last = lines.at(-1);
        if (last === undefined || /[.。]$/.test(last)) lines.push(line.trim());
        else
            lines[lines.length - 1] = isChinese.test(`${last.slice(-1)}${line.trim()[0]}`)
                ? last + line.trim()
                : `${last} ${line.trim()}`;
    }
    return lines;
}
