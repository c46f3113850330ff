// Untrusted text, isolated so that it does not reorder its surroundings.

// Unicode blocks of right-to-left characters, the same as in `tcpwhy_model::foreign`. The page's own texts
// contain none of them.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// Given by number, so that the source contains no invisible characters.
const FIRST_STRONG_ISOLATE = String.fromCodePoint(0x2068);
const POP_ISOLATE = String.fromCodePoint(0x2069);

/** Whether `text` has right-to-left letters. */
export function isRightToLeft(text: string): boolean {
    return RIGHT_TO_LEFT.test(text);
}

/** Whether `text` is untrusted as a whole. A sentence with isolated parts is not: its first letter may belong
 *  to such a part, and `<bdi>` would then reverse the whole sentence. Untrusted text has no such characters,
 *  because they are shown as escapes. */
export function needsIsolation(text: string): boolean {
    return isRightToLeft(text) && !text.includes(FIRST_STRONG_ISOLATE);
}

/** `text` between isolating characters (UAX #9: FSI and PDI), if needed: for sentences, titles and
 *  canvases. */
export function isolated(text: string): string {
    return isRightToLeft(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}
