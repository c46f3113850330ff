// The filter of the packet list: words that have to occur and comparisons of numbers, with and, or, not.

/** What can be compared. */
export const FIELDS = ['number', 'time', 'seq', 'ack', 'len', 'window'] as const;
export type Field = (typeof FIELDS)[number];

/** What a packet is asked. */
export interface Subject {
    /** NaN if unknown. */
    value(field: Field): number;
    /** Whether the sender whose data is looked at sent it. */
    readonly isForward: boolean;
    /** Flags, note and options, in lower case. */
    text(): string;
    /** What held the connection back then, in lower case. */
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
        // What is not known fits no comparison.
        return (packet) => {
            const value = packet.value(field);
            return !Number.isNaN(value) && compare(value, bound);
        };
    }
    const number = /^#?\d[\d,]*$/.test(word) ? Number(word.replace(/[#,]/g, '')) : NaN;
    // The name of an event asks for its packets, not for all those sent during a limit that has it in its name (重传 in 丢包重传).
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
 * The test that `query` stands for; null if it asks nothing. All of its words have to fit, up to `or`; `-`, `!` or `not` in front of
 * one turns it around, and `and` says what is so without it. `events` are the names of what happens to packets, in lower case.
 */
export function filterOf(query: string, events: ReadonlySet<string> = new Set()): Test | null {
    // `len > 1000` is as good as `len>1000`, `tcp.len` as `len`, and a list with commas as one with spaces.
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
    // What is still being typed asks nothing yet.
    const asked = alternatives.filter((tests) => tests.length > 0);
    if (asked.length === 0) return null;
    return (packet) => asked.some((tests) => tests.every((test) => test(packet)));
}
