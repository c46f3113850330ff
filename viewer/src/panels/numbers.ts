// The numbers of a connection as tables, and all findings: the contents of the charts for reading, copying
// and screen readers.

import { h } from '../base/dom.js';
import { count } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { HalfModel } from '../data/half.js';
import type { Capture, Connection, Finding, Half } from '../format.js';
import type { View } from '../view/view.js';
import { evidence, leadingFinding, prediction } from './answer.js';
import { fixes } from './fixes.js';
import { badge } from './looks.js';

/** Most rows of the timeline's table. */
const TIMELINE_ROWS = 200;

/** `of` is the direction of the finding, if it is not the shown one. */
function findingCard(
    context: Context,
    finding: Finding,
    half: Half | undefined,
    isOpen: boolean,
    /** Whether the answer above already shows its fixes and prediction. */
    isAnswered: boolean,
    of: string | null = null,
): HTMLElement {
    const { words, units } = context;
    const more = [
        evidence(context, finding),
        ...(isAnswered ? [] : [...fixes(context, finding), half ? prediction(context, finding, half) : null]),
    ];
    // Only the title until it is opened, because the answer above contains the main points.
    return h(
        'article',
        { class: `finding severity-${finding.severity}`, 'data-rule': finding.rule },
        h(
            'details',
            { open: isOpen },
            h(
                'summary',
                {},
                h('span', { class: 'severity' }, words.text(`severity-${finding.severity}`)),
                ' ',
                h('strong', { class: 'finding-title' }, finding.title ?? finding.rule),
                of === null ? null : h('span', { class: 'soft' }, ` (${of})`),
            ),
            h('p', {}, finding.sentence),
            h(
                'p',
                { class: 'soft' },
                words.text('viewer-finding-rule', { confidence: units.share(finding.confidence), rule: finding.rule }),
            ),
            ...more,
        ),
    );
}

/** All findings, with their evidence folded unless `isOpen`. */
export function allFindings(
    context: Context,
    half: Half | undefined,
    connection: Connection,
    isOpen = false,
): HTMLElement | null {
    const { words, units } = context;
    const leading = half ? leadingFinding(half) : undefined;
    const own = half?.findings ?? [];
    const doubts = half?.ambiguous ?? [];
    const others = connection.halves.filter((one) => one !== half && one.findings.length > 0);
    if (own.length + connection.findings.length + others.length + doubts.length === 0) return null;
    const doubtList = h(
        'ul',
        { class: 'doubts' },
        ...doubts.map((doubt) =>
            h(
                'li',
                {},
                words.text('viewer-doubt', {
                    seconds: units.seconds(doubt.seconds),
                    a: words.limit(doubt.between[0]),
                    b: words.limit(doubt.between[1]),
                    decider: doubt.would_decide,
                }),
            ),
        ),
    );
    return h(
        'section',
        { class: 'card findings', 'aria-labelledby': 'findings-title' },
        h('h2', { id: 'findings-title' }, words.text('viewer-findings')),
        h(
            'div',
            { class: 'finding-list' },
            ...own.map((finding) => findingCard(context, finding, half, isOpen, finding === leading)),
            ...connection.findings.map((finding) => findingCard(context, finding, undefined, isOpen, false)),
            ...others.flatMap((other) =>
                other.findings.map((finding) =>
                    findingCard(context, finding, other, isOpen, false, words.text('viewer-other-direction')),
                ),
            ),
        ),
        doubts.length > 0 ? h('h3', {}, words.text('viewer-doubts')) : null,
        doubts.length > 0 ? doubtList : null,
    );
}

function limitTable(context: Context, half: Half): HTMLElement {
    const { words, units } = context;
    const heading = (id: string): HTMLElement => h('th', { scope: 'col' }, words.text(id));
    return h(
        'table',
        {},
        h('caption', {}, words.text('viewer-where-time-went')),
        h(
            'thead',
            {},
            h(
                'tr',
                {},
                heading('viewer-column-limit'),
                heading('viewer-column-seconds'),
                heading('viewer-column-share'),
                heading('viewer-column-confidence'),
            ),
        ),
        h(
            'tbody',
            {},
            ...half.limits.map((entry) =>
                h(
                    'tr',
                    {},
                    h('th', { scope: 'row' }, words.limit(entry.limit, entry.detail)),
                    h('td', { class: 'number' }, units.seconds(entry.seconds)),
                    h('td', { class: 'number' }, units.share(entry.share)),
                    h('td', { class: 'number' }, units.share(entry.confidence)),
                ),
            ),
        ),
    );
}

function factTable(context: Context, half: Half): HTMLElement {
    const { words, units } = context;
    const unknown = words.text('unknown');
    const rows: [string, string][] = [
        ['viewer-fact-bytes', units.bytes(half.bytes)],
        ['viewer-fact-resent', `${units.bytes(half.retransmitted_bytes)} (${half.retransmitted_segments})`],
        ['viewer-fact-rate', half.goodput_bits_per_s === null ? unknown : units.rate(half.goodput_bits_per_s)],
        [
            'viewer-fact-rtt',
            half.rtt_us === null
                ? unknown
                : words.text('viewer-spread', {
                      low: units.seconds(half.rtt_us.min / 1e6),
                      median: units.seconds(half.rtt_us.median / 1e6),
                      high: units.seconds(half.rtt_us.p95 / 1e6),
                  }),
        ],
        [
            'viewer-fact-flight',
            half.flight_bytes === null
                ? unknown
                : words.text('viewer-spread', {
                      low: units.bytes(half.flight_bytes.min),
                      median: units.bytes(half.flight_bytes.median),
                      high: units.bytes(half.flight_bytes.p95),
                  }),
        ],
        [
            'viewer-fact-window',
            half.receive_window_bytes === null
                ? unknown
                : words.text('viewer-spread', {
                      low: units.bytes(half.receive_window_bytes.min),
                      median: units.bytes(half.receive_window_bytes.median),
                      high: units.bytes(half.receive_window_bytes.p95),
                  }),
        ],
        ['viewer-fact-mss', half.mss_bytes === null ? unknown : words.text('unit-bytes', { n: count(half.mss_bytes) })],
        ['viewer-fact-scale', half.window_shift === null ? unknown : String(half.window_shift)],
    ];
    return h(
        'table',
        {},
        h('caption', {}, words.text('viewer-facts')),
        h(
            'tbody',
            {},
            ...rows.map(([id, text]) =>
                h('tr', {}, h('th', { scope: 'row' }, words.text(id)), h('td', { class: 'number' }, text)),
            ),
        ),
    );
}

function timelineTable(context: Context, half: HalfModel, view: View): HTMLElement {
    const { words, units } = context;
    const body = h('tbody');
    const note = h('p', { class: 'soft' });
    const write = (): void => {
        const { timeline } = half;
        body.replaceChildren();
        const first = Math.max(0, timeline.at(Math.max(view.time.start, timeline.start[0] ?? 0)));
        let row = first;
        for (; row < timeline.length && row < first + TIMELINE_ROWS && (timeline.start[row] as number) < view.time.end; row++) {
            const start = timeline.start[row] as number;
            const confidence = timeline.confidence[row] as number;
            body.append(
                h(
                    'tr',
                    {},
                    h('td', { class: 'number' }, start.toFixed(6)),
                    h('td', { class: 'number' }, units.seconds(timeline.endOf(row) - start)),
                    h(
                        'td',
                        {},
                        badge(context, timeline.limitId(row)),
                        ' ',
                        words.limit(timeline.limitId(row), timeline.detail(row)),
                    ),
                    h('td', { class: 'number' }, Number.isNaN(confidence) ? '–' : units.share(confidence / 100)),
                ),
            );
        }
        const isCut = row < timeline.length && (timeline.start[row] as number) < view.time.end;
        note.textContent = [
            isCut ? words.text('viewer-timeline-cut', { n: String(TIMELINE_ROWS) }) : '',
            timeline.isCoarsened ? words.text('viewer-timeline-coarsened') : '',
        ]
            .filter(Boolean)
            .join(' ');
    };
    const heading = (id: string): HTMLElement => h('th', { scope: 'col' }, words.text(id));
    const details = h(
        'details',
        {},
        h('summary', {}, words.text('viewer-timeline')),
        note,
        h(
            'table',
            {},
            h(
                'thead',
                {},
                h(
                    'tr',
                    {},
                    heading('viewer-column-from'),
                    heading('viewer-column-seconds'),
                    heading('viewer-column-limit'),
                    heading('viewer-column-confidence'),
                ),
            ),
            body,
        ),
    );
    details.addEventListener('toggle', () => {
        if (details.open) write();
    });
    view.listen((change) => {
        if (change.time && details.open) write();
    });
    return details;
}

/** All numbers in tables. */
export function numbers(context: Context, half: Half, model: HalfModel | undefined, view: View): HTMLElement {
    const { words } = context;
    return h(
        'section',
        { class: 'card numbers', id: 'numbers', 'aria-labelledby': 'numbers-title' },
        h('h2', { id: 'numbers-title' }, words.text('viewer-numbers')),
        h('div', { class: 'number-tables' }, limitTable(context, half), factTable(context, half)),
        model ? timelineTable(context, model, view) : null,
    );
}

/** The captures that were read, and their anomalies. */
export function captures(context: Context, all: readonly Capture[]): HTMLElement {
    const { words, units } = context;
    const lines = all.map((capture) =>
        h(
            'li',
            {},
            words.text('viewer-capture', {
                path: capture.path,
                format: capture.format,
                packets: count(capture.packets),
                segments: count(capture.segments),
                time: capture.duration_s === null ? words.text('unknown') : units.seconds(capture.duration_s),
            }),
            ...capture.anomalies.map((anomaly) => h('p', { class: 'notice' }, anomaly.text)),
        ),
    );
    return h('ul', {}, ...lines);
}
