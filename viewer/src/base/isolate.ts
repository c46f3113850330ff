// Text that others chose, kept from reordering what is beside it.

// The blocks of Unicode whose characters are written from right to left, as `tcpwhy_model::foreign` has them. The words of the page
// have none of them.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// By number: a page has no hidden characters in its source.
const FIRST_STRONG_ISOLATE = String.fromCodePoint(0x2068);
const POP_ISOLATE = String.fromCodePoint(0x2069);

/** Whether `text` has letters that are written from right to left. */
export function isRightToLeft(text: string): boolean {
    return RIGHT_TO_LEFT.test(text);
}

/** Whether `text` is foreign as a whole. A sentence with isolated parts is not: by its first letter, which may be one of theirs,
 *  `<bdi>` would turn all of it around. What others chose has no such characters: they are shown as escapes. */
export function needsIsolation(text: string): boolean {
    return isRightToLeft(text) && !text.includes(FIRST_STRONG_ISOLATE);
}

/** `text` between the characters that isolate it (UAX #9: FSI and PDI), if it needs that: for sentences, titles and canvases. */
export function isolated(text: string): string {
    return isRightToLeft(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}
