// Limits of the same direction in a recording, from three sources: packets, the kernel's samples, and the
// clocks of `tcp_info`.

import { h, setVars } from '../base/dom.js';
import { isolated } from '../base/isolate.js';
import type { Context } from '../charts/frame.js';
import type { Connection, Half, KernelHalf, LimitShare } from '../format.js';
import { badge, dress } from './looks.js';

/** Limits below this share of every source are summed. */
const LEAST_SHARE = 0.001;

/** Seconds by limit, regardless of its form: the kernel's samples do not distinguish all forms. */
type Seconds = ReadonlyMap<string, number>;

function byLimit(shares: readonly LimitShare[]): Seconds {
    const seconds = new Map<string, number>();
    for (const share of shares) seconds.set(share.limit, (seconds.get(share.limit) ?? 0) + share.seconds);
    return seconds;
}

/** A clock of `tcp_info` for a limit. */
interface Clock {
    readonly name: string;
    readonly seconds: number;
    /** The message that explains why the clock is unreliable here; null if it is reliable. */
    readonly doubt: string | null;
}

function clocksByLimit(kernel: KernelHalf): ReadonlyMap<string, Clock> {
    const { clocks } = kernel;
    if (clocks === null) return new Map();
    return new Map([
        [
            'send_buffer',
            {
                name: 'sndbuf_limited',
                seconds: clocks.sndbuf_limited_s,
                doubt: clocks.sndbuf_limited_misses ? 'kernel-clocks-miss-send-buffer' : null,
            },
        ],
        [
            'receive_window',
            {
                name: 'rwnd_limited',
                seconds: clocks.rwnd_limited_s,
                doubt: clocks.rwnd_limited_is_wrong ? 'kernel-clocks-miss-window' : null,
            },
        ],
    ]);
}

/** A source of limits: its seconds by limit are part of `total`. */
interface Teller {
    readonly label: string;
    readonly total: number;
    /** How long and how it measured. */
    readonly basis: string;
    readonly seconds: (limit: string) => number | null;
}

function tellers(context: Context, kernel: KernelHalf): Teller[] {
    const { words, units } = context;
    const [packets, samples, clocks] = [byLimit(kernel.packets), byLimit(kernel.limits), clocksByLimit(kernel)];
    const time = units.seconds(kernel.seconds);
    const both = [
        {
            label: words.text('kernel-label-packets'),
            total: kernel.seconds,
            basis: time,
            seconds: (limit: string) => packets.get(limit) ?? 0,
        },
        {
            label: words.text('kernel-label-samples'),
            total: kernel.seconds,
            basis: words.text('kernel-column-samples', { time, samples: String(kernel.samples) }),
            seconds: (limit: string) => samples.get(limit) ?? 0,
        },
    ];
    if (kernel.clocks === null) return both;
    const watched = kernel.clocks.watched_s;
    const own = {
        label: words.text('kernel-label-clocks'),
        total: watched,
        basis: words.text('kernel-column-watched', { time: units.seconds(watched) }),
        seconds: (limit: string) => clocks.get(limit)?.seconds ?? null,
    };
    return [...both, own];
}

/** The limits that get time from any source, longest first, and those not worth a row. */
function rows(kernel: KernelHalf, all: readonly Teller[]): { shown: string[]; rest: string[] } {
    const least = (teller: Teller, limit: string): boolean =>
        (teller.seconds(limit) ?? 0) >= LEAST_SHARE * Math.max(teller.total, Number.MIN_VALUE);
    const longest = (limit: string): number =>
        Math.max(...all.map((teller) => (teller.seconds(limit) ?? 0) / Math.max(teller.total, Number.MIN_VALUE)));
    const limits = [...kernel.packets, ...kernel.limits].map((share) => share.limit);
    const clocked = [...clocksByLimit(kernel)].filter(([, clock]) => clock.seconds > 0).map(([limit]) => limit);
    const every = [...new Set([...limits, ...clocked])].sort((a, b) => longest(b) - longest(a));
    const isShown = (limit: string): boolean => all.some((teller) => least(teller, limit));
    return { shown: every.filter(isShown), rest: every.filter((limit) => !isShown(limit)) };
}

/** One bar per source, so that agreement is visible without reading numbers. */
function bars(context: Context, all: readonly Teller[], limits: readonly string[]): HTMLElement {
    const bar = (teller: Teller): HTMLElement => {
        const track = h('span', { class: 'clock-track' });
        for (const limit of limits) {
            const share = (teller.seconds(limit) ?? 0) / Math.max(teller.total, Number.MIN_VALUE);
            if (share < LEAST_SHARE) continue;
            const part = dress(h('span', { class: 'clock-part' }), context, limit);
            setVars(part, { '--share': String(Math.min(share, 1)) });
            track.append(part);
        }
        return h('div', { class: 'clock-bar' }, h('span', { class: 'clock-label' }, teller.label), track);
    };
    return h('div', { class: 'clock-bars', 'aria-hidden': 'true' }, ...all.map(bar));
}

/** A name of the kernel with possible line breaks at its underscores. */
function kernelName(name: string): HTMLElement {
    const code = h('code', {});
    for (const [i, part] of name.split('_').entries()) {
        if (i > 0) code.append('_', document.createElement('wbr'));
        code.append(part);
    }
    return code;
}

function table(context: Context, kernel: KernelHalf, all: readonly Teller[]): HTMLElement {
    const { words, units } = context;
    const { shown, rest } = rows(kernel, all);
    const clocks = clocksByLimit(kernel);
    const number = (teller: Teller, seconds: number): (HTMLElement | string)[] => [
        h('span', { class: 'clock-seconds' }, units.seconds(seconds)),
        ' ',
        h('span', { class: 'soft' }, units.share(teller.total > 0 ? seconds / teller.total : 0)),
    ];
    const nothing = (): HTMLElement =>
        h('td', { class: 'number' }, h('span', { 'aria-label': words.text('kernel-no-clock'), role: 'img' }, '–'));
    const cell = (teller: Teller, index: number, limit: string): HTMLElement => {
        const seconds = teller.seconds(limit);
        if (seconds === null) return nothing();
        const clock = index === 2 ? clocks.get(limit) : undefined;
        return h(
            'td',
            { class: `number${clock?.doubt ? ' is-doubted' : ''}` },
            ...number(teller, seconds),
            clock ? h('span', { class: 'clock-name' }, kernelName(clock.name)) : null,
            clock?.doubt ? h('span', { class: 'clock-doubt' }, words.text('kernel-clock-doubted')) : null,
        );
    };
    const row = (limit: string): HTMLElement =>
        h(
            'tr',
            {},
            h('th', { scope: 'row' }, badge(context, limit), ' ', words.limit(limit)),
            ...all.map((teller, index) => cell(teller, index, limit)),
        );
    const restRow = (): HTMLElement =>
        h(
            'tr',
            { class: 'soft' },
            h('th', { scope: 'row' }, words.text('viewer-bars-rest')),
            ...all.map((teller, index) =>
                index === 2
                    ? nothing()
                    : h(
                          'td',
                          { class: 'number' },
                          ...number(
                              teller,
                              rest.reduce((sum, limit) => sum + (teller.seconds(limit) ?? 0), 0),
                          ),
                      ),
            ),
        );
    const busy = kernel.clocks;
    return h(
        'table',
        { class: 'clocks-table' },
        h('caption', { class: 'hidden-visually' }, words.text('heading-kernel')),
        h(
            'thead',
            {},
            h(
                'tr',
                {},
                h('th', { scope: 'col' }, words.text('viewer-column-limit')),
                ...all.map((teller) =>
                    h('th', { scope: 'col' }, teller.label, ' ', h('span', { class: 'clock-basis' }, teller.basis)),
                ),
            ),
        ),
        h(
            'tbody',
            {},
            ...shown.map(row),
            rest.length > 0 ? restRow() : null,
            busy
                ? h(
                      'tr',
                      { class: 'soft' },
                      h('th', { scope: 'row' }, words.text('kernel-row-busy')),
                      nothing(),
                      nothing(),
                      h(
                          'td',
                          { class: 'number' },
                          ...number(all[2] as Teller, busy.busy_s),
                          h('span', { class: 'clock-name' }, kernelName('busy')),
                      ),
                  )
                : null,
        ),
    );
}

/** The card of a direction; null for a capture with packets only. */
export function clocksCard(context: Context, connection: Connection, half: Half): HTMLElement | null {
    const { words, units } = context;
    if (connection.source !== 'both') return null;
    const process = connection.process ? `${isolated(connection.process.name)}[${connection.process.pid}]` : null;
    const head = h(
        'div',
        { class: 'card-head' },
        h('h2', { id: 'clocks-title' }, words.text('heading-kernel')),
        process === null ? null : h('span', { class: 'soft' }, process),
    );
    const { kernel } = half;
    const content: (HTMLElement | null)[] = [];
    if (kernel === undefined) {
        content.push(h('p', {}, words.text('kernel-receiver')));
    } else {
        const all = tellers(context, kernel);
        const judgement = kernel.disagrees ? 'kernel-disagrees' : 'kernel-agrees';
        const said =
            kernel.difference?.sentence ??
            words.text(judgement, {
                share: units.share(kernel.disagreement),
                time: units.seconds(kernel.seconds),
            });
        const isApart = kernel.difference !== null || kernel.disagrees;
        const doubts = [...clocksByLimit(kernel).values()].flatMap((clock) => clock.doubt ?? []);
        content.push(
            h('p', { class: isApart ? 'clocks-said is-apart' : 'clocks-said' }, said),
            bars(context, all, rows(kernel, all).shown),
            table(context, kernel, all),
            ...doubts.map((doubt) => h('p', { class: 'soft' }, words.text(doubt))),
        );
    }
    return h('section', { class: 'card clocks', id: 'clocks', 'aria-labelledby': 'clocks-title' }, head, ...content);
}
