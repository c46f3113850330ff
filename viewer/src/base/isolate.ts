// Isolates text from outside sources, so that it does not reorder its neighbours.

// The Unicode blocks of right-to-left scripts, the same as in `tcpwhy_model::foreign`. The words of the page
// use none of them.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// The characters are given by number, so that the source of the page has no invisible ones.
const FIRST_STRONG_ISOLATE = String.fromCodePoint(0x2068);
const POP_ISOLATE = String.fromCodePoint(0x2069);

/** Whether `text` has letters that are written from right to left. */
export function isRightToLeft(text: string): boolean {
    return RIGHT_TO_LEFT.test(text);
}

/** Whether `text` is foreign as a whole. In a sentence with isolated parts, `<bdi>` could take the
 * direction from a foreign first letter and reorder everything. Foreign text itself has no isolating
 * characters: they are shown as escapes. */
export function needsIsolation(text: string): boolean {
    return isRightToLeft(text) && !text.includes(FIRST_STRONG_ISOLATE);
}

/** `text` between the characters that isolate it (UAX #9: FSI and PDI), if needed: for sentences, titles
 * and canvases. */
export function isolated(text: string): string {
    return isRightToLeft(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}
