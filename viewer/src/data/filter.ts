// The filter of the packet list: words and comparisons of numbers, combined with and, or, not.

/** Fields that can be compared. */
export const FIELDS = ['number', 'time', 'seq', 'ack', 'len', 'window'] as const;
export type Field = (typeof FIELDS)[number];

/** Packet properties that a filter tests. */
export interface Subject {
    /** NaN if unknown. */
    value(field: Field): number;
    /** Whether the shown sender sent it. */
    readonly isForward: boolean;
    /** Flags, note and options, in lower case. */
    text(): string;
    /** The connection's limit at that time, in lower case. */
    limit(): string;
}

type Test = (packet: Subject) => boolean;

const COMPARISON = new RegExp(`^(${FIELDS.join('|')})(<=|>=|!=|==|=|<|>)([\\d.,_]+)$`);

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
    '<': (a, b) => a < b,
    '>': (a, b) => a > b,
    '<=': (a, b) => a <= b,
    '>=': (a, b) => a >= b,
    '=': (a, b) => a === b,
    '==': (a, b) => a === b,
    '!=': (a, b) => a !== b,
};

function one(word: string, events: ReadonlySet<string>): Test {
    if (word === '→' || word === '->') return (packet) => packet.isForward;
    if (word === '←' || word === '<-') return (packet) => !packet.isForward;
    const comparison = COMPARISON.exec(word);
    if (comparison) {
        const field = comparison[1] as Field;
        const compare = COMPARE[comparison[2] as string] as (a: number, b: number) => boolean;
        const bound = Number((comparison[3] as string).replace(/[,_]/g, ''));
        // An unknown value satisfies no comparison.
        return (packet) => {
            const value = packet.value(field);
            return !Number.isNaN(value) && compare(value, bound);
        };
    }
    const number = /^#?\d[\d,]*$/.test(word) ? Number(word.replace(/[#,]/g, '')) : NaN;
    // The name of an event selects its packets, not all packets sent during a limit whose name contains it,
    // as some Chinese names do.
    const isEvent = events.has(word);
    return (packet) =>
        packet.text().includes(word) ||
        (!isEvent && packet.limit().includes(word)) ||
        packet.value('number') === number ||
        packet.value('seq') === number ||
        packet.value('ack') === number;
}

const AND = new Set(['and', '&&']);
const OR = new Set(['or', '||']);
const NOT = new Set(['not', '!', '-']);

/**
 * The test for `query`; null if it is empty. All words must match, up to `or`. `-`, `!` or `not` before a
 * word negates it, and `and` is implied. `events` are the names of packet events, in lower case.
 */
export function filterOf(query: string, events: ReadonlySet<string> = new Set()): Test | null {
    // `len > 1000` is accepted as `len>1000`, `tcp.len` as `len`, and commas as spaces.
    const words = query
        .toLowerCase()
        .replace(/\s*(<=|>=|!=|==|=|(?<!-)>|<(?!-))\s*/g, '$1')
        .split(/[\s，、]+|,(?=\s|$)/)
        .map((word) => word.replace(/^(!|-)?tcp\.(?=[a-z])/, '$1'))
        .filter((word) => word !== '' && !AND.has(word));
    const alternatives: Test[][] = [[]];
    let isTurned = false;
    for (const word of words) {
        if (OR.has(word)) {
            alternatives.push([]);
            continue;
        }
        if (NOT.has(word)) {
            isTurned = !isTurned;
            continue;
        }
        const isMarked = word.length > 1 && /^[-!]/.test(word) && word !== '->';
        const test = one(isMarked ? word.slice(1) : word, events);
        alternatives[alternatives.length - 1]?.push(isMarked === isTurned ? test : (packet) => !test(packet));
        isTurned = false;
    }
    // A term that is still being typed is ignored.
    const asked = alternatives.filter((tests) => tests.length > 0);
    if (asked.length === 0) return null;
    return (packet) => asked.some((tests) => tests.every((test) => test(packet)));
}
