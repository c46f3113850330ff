// Makes the pictures of the start page from the bundled captures when the page is built. The module explains
// them, so a picture and its report cannot differ.

import { Units, unbroken } from '../viewer/src/base/units.js';
import { Words } from '../viewer/src/base/words.js';
import { decode } from '../viewer/src/data/columns.js';
import type { ChartAnswer, Connection, Half, HalfChart, Language, ViewData } from '../viewer/src/format.js';
import { type AnswerTexts, BOX, type Curves, type Picture, type Pictures, type Preview } from './src/picture.js';

/** Columns of a curve, and of a strip: at least a pixel each when drawn. */
const COLUMNS = { card: 125, preview: 250, strip: 160 } as const;
/** Share of the window below which the bytes in flight would be a flat line. Chosen with the samples. */
const FAR = 0.08;

/** The languages of the page. */
let languages: readonly Language[] = [];

/** A value per language. */
function inEach<T>(of: (language: Language) => T): Record<Language, T> {
    return Object.fromEntries(languages.map((language) => [language, of(language)])) as Record<Language, T>;
}

interface Exports {
    memory: WebAssembly.Memory;
    request(length: number): number;
    answer(): number;
    answer_start(): number;
    answer_len(): number;
}

/** Sends requests about one file to a new instance of `module`. */
function session(module: WebAssembly.Module, bytes: Uint8Array): (request: object) => unknown {
    const page = {
        read(_file: number, offset: number, to: number, length: number): number {
            const part = bytes.subarray(offset, offset + (length >>> 0));
            new Uint8Array(exports.memory.buffer, to >>> 0, part.length).set(part);
            return part.length;
        },
        reached(): void {},
        panicked(from: number, length: number): void {
            throw new Error(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, from >>> 0, length >>> 0)));
        },
    };
    const exports = new WebAssembly.Instance(module, { page }).exports as unknown as Exports;
    return (request) => {
        const text = new TextEncoder().encode(JSON.stringify(request));
        const to = exports.request(text.length) >>> 0;
        new Uint8Array(exports.memory.buffer, to, text.length).set(text);
        const status = exports.answer();
        const answer = new Uint8Array(exports.memory.buffer, exports.answer_start() >>> 0, exports.answer_len() >>> 0);
        const words = new TextDecoder().decode(answer);
        if (status !== 0) throw new Error(words);
        return JSON.parse(words);
    };
}

/** One explained sample. */
interface Explained {
    view: ViewData;
    /** The connection in each language, and the direction named in the overview. */
    connection: Record<Language, Connection>;
    half: Record<Language, Half>;
    chart: HalfChart;
    /** Index into `ViewData.limits`. */
    limit: number;
}

function explained(module: WebAssembly.Module, name: string, bytes: Uint8Array): Explained {
    const ask = session(module, bytes);
    const request = { ask: 'explain', files: [{ name: `${name}.pcap.gz` }], is_merged: false, language: 'en' };
    const { view } = ask(request) as { view: ViewData };
    const { chart } = ask({ ask: 'chart', query: 'connection=0' }) as ChartAnswer;
    const { overview } = view;
    const from = overview.from[0];
    const sender = chart.endpoints.indexOf(from as string);
    const connection = inEach((language) => found(view.documents[language].connections[0], name));
    return {
        view,
        connection,
        half: inEach((language) =>
            found(
                connection[language].halves.find((half) => half.sender === sender),
                name,
            ),
        ),
        chart: found(
            chart.halves.find((half) => half.sender === sender),
            name,
        ),
        limit: found(view.causes[decode(overview.verdict, 1)[0] as number], name).limit,
    };
}

function found<T>(value: T | null | undefined, name: string): T {
    if (value === undefined || value === null) throw new Error(`the sample ${name} has no picture`);
    return value;
}

/** Limits by column of time, with equal neighbours merged. */
function stripOf(view: ViewData, { timeline, span }: HalfChart): [number, number][] {
    const starts = decode(timeline.t, timeline.rows);
    const causes = decode(timeline.cause, timeline.rows);
    const length = span.to_s - span.from_s;
    const runs: [number, number][] = [];
    for (let column = 0; column < COLUMNS.strip; column++) {
        const [begin, end] = [column, column + 1].map((edge) => span.from_s + (edge / COLUMNS.strip) * length) as [
            number,
            number,
        ];
        // The limit with most of the column's time.
        const held = new Map<number, number>();
        starts.forEach((start, row) => {
            const until = starts[row + 1] ?? span.to_s;
            const seconds = Math.min(until, end) - Math.max(start, begin);
            const limit = view.causes[causes[row] as number]?.limit ?? 0;
            if (seconds > 0) held.set(limit, (held.get(limit) ?? 0) + seconds);
        });
        const [limit] = [...held].sort((a, b) => b[1] - a[1])[0] ?? [0];
        const last = runs.at(-1);
        if (last?.[0] === limit) last[1]++;
        else runs.push([limit, 1]);
    }
    return runs.map(([limit, columns]) => [limit, columns / COLUMNS.strip]);
}

/** Least and most bytes of a step function in each column. */
function extremes(t: Float64Array, values: Float64Array, span: HalfChart['span'], columns: number): [number, number][] {
    const out: [number, number][] = [];
    let row = 0;
    let held = 0;
    for (let column = 0; column < columns; column++) {
        const end = span.from_s + ((column + 1) / columns) * (span.to_s - span.from_s);
        let [low, high] = [held, held];
        for (; row < t.length && (t[row] as number) < end; row++) {
            const value = values[row] as number;
            if (Number.isNaN(value)) continue;
            held = value;
            [low, high] = [Math.min(low, held), Math.max(high, held)];
        }
        out.push([low, high]);
    }
    return out;
}

function curvesOf({ states, span }: HalfChart, columns: number): Curves {
    const t = decode(states.t, states.rows);
    // Samples are short: their charts contain every packet, so both bounds are equal.
    const [flight, window] = [states.flight, states.window].map(({ lo }) =>
        extremes(t, decode(lo, states.rows), span, columns),
    ) as [[number, number][], [number, number][]];
    const most = (bounds: [number, number][]): number[] => bounds.map(([, high]) => high);
    // If the window is far above the bytes in flight, the window is omitted from the picture.
    const usual = most(flight).sort((a, b) => a - b)[Math.floor(columns * 0.95)] as number;
    const whole = Math.max(...most(window), ...most(flight));
    const top = usual < whole * FAR ? usual * 1.6 : whole * 1.06;
    const y = (bytes: number): number => Math.round((1 - bytes / top) * BOX.height * 10) / 10;
    const x = (column: number): number => Math.round((column / columns) * BOX.width);
    // Neighbours of equal height become one step.
    const steps = (heights: number[]): string => {
        let d = '';
        let last: number | undefined;
        heights.forEach((height, column) => {
            if (height === last) return;
            d += last === undefined ? `M${x(column)} ${height}` : `H${x(column)}V${height}`;
            last = height;
        });
        return `${d}H${BOX.width}`;
    };
    const back = flight.map(([low], column) => `${x(column)} ${y(low)}`).reverse();
    return {
        flight: `${steps(most(flight).map(y))}L${back.join('L')}Z`,
        window: steps(most(window).map(y)),
    };
}

function pictureOf(sample: Explained, columns: number): Picture {
    const cause = (language: Language): string => {
        const { limit, detail } = sample.half[language].verdict;
        return new Words(language, sample.view.messages[language]).limit(limit, detail);
    };
    const { verdict, span } = sample.half.en;
    return {
        strip: stripOf(sample.view, sample.chart),
        curves: curvesOf(sample.chart, columns),
        look: sample.limit,
        cause: inEach(cause),
        share: new Units(new Words('en', sample.view.messages.en)).share((verdict.seconds ?? 0) / span.duration_s),
    };
}

function textsOf(sample: Explained, words: Words, language: Language): AnswerTexts {
    const { view, connection, half, chart } = sample;
    const names = new Words(language, view.messages[language]);
    const units = new Units(names);
    const { verdict, span, bytes, goodput_bits_per_s, findings } = half[language];
    const [from, to] = [0, 1].map((i) => {
        const end = connection[language].endpoints[i === 0 ? chart.sender : 1 - chart.sender];
        return `${end?.address}:${end?.port}`;
    }) as [string, string];
    const { low, value, high } = found(findings[0]?.prediction, view.overview.from[0] ?? '').seconds;
    const fix = found(findings[0]?.fixes[0], view.overview.from[0] ?? '');
    const place = `place-${fix.where.replaceAll('_', '-')}`;
    const seconds = (of: number | undefined): string => units.roughSeconds(of ?? low);
    return {
        ends: `${from} → ${to}`,
        transfer: names.text('viewer-transfer', {
            bytes: units.bytes(bytes),
            time: units.seconds(span.duration_s),
            rate: units.rate(goodput_bits_per_s ?? 0),
        }),
        verdict: unbroken(headline(half[language])),
        now: units.seconds(span.duration_s),
        then: unbroken(words.text('web-preview-then', { then: seconds(value), low: seconds(low), high: seconds(high) })),
        window: words.text('web-chart-window', { bytes: units.bytes(verdict.window_bytes ?? chart.extent.window ?? 0) }),
        flight: words.text('web-chart-in-flight', { bytes: units.bytes(verdict.flight_bytes ?? chart.extent.flight ?? 0) }),
        duration: units.seconds(span.duration_s),
        place: names.has(place) ? names.text(place) : fix.where,
        fix: firstSentence(fix.text),
    };
}

/** The report's title sentence: the terminal's, if the documents contain it. */
function headline(half: Half & { answer?: { why: string } }): string {
    return half.answer?.why ?? firstSentence(half.verdict.sentence);
}

function firstSentence(text: string): string {
    return /^.*?(?:\.(?=\s|$)|。)/s.exec(text)?.[0] ?? text;
}

/** Pictures of all `samples`, and the whole answer for the sample `shown`. */
export function pictures(
    bytes: BufferSource,
    messages: Record<Language, Record<string, string>>,
    samples: Record<string, Uint8Array>,
    shown: string,
): Pictures {
    const module = new WebAssembly.Module(bytes);
    languages = Object.keys(messages) as Language[];
    const words = inEach((language) => new Words(language, messages[language]));
    const made: Record<string, Picture> = {};
    let looks: Pictures['looks'] = [];
    let preview: Preview | undefined;
    for (const [name, capture] of Object.entries(samples)) {
        const sample = explained(module, name, capture);
        looks = sample.view.limits.map(({ id, ...look }) => look);
        made[name] = pictureOf(sample, COLUMNS.card);
        if (name !== shown) continue;
        const { span, findings } = sample.half.en;
        const { low, value, high } = found(findings[0]?.prediction, name).seconds;
        preview = {
            sample: name,
            picture: pictureOf(sample, COLUMNS.preview),
            lines: (findings[0]?.fixes[0]?.lines ?? []).filter((line) => line.includes('/* C')),
            then: [low, value ?? low, high ?? low].map((seconds) => seconds / span.duration_s) as [number, number, number],
            texts: inEach((language) => textsOf(sample, words[language], language)),
        };
    }
    return { looks, samples: made, preview: found(preview, shown) };
}
