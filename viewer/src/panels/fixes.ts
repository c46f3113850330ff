// Fixes, one below the other, with the lines of one language at a time. The last chosen language is
// remembered.

import { button, fill, h } from '../base/dom.js';
import { unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { Finding, Fix } from '../format.js';
import { copyButton } from './copy.js';

const REMEMBERED = 'tcpwhy-program';

/** The chosen language or server; every fix with lines for it shows them. */
class Choice {
    #program: string | null = read();
    readonly #listeners = new Set<() => void>();

    get program(): string | null {
        return this.#program;
    }

    choose(program: string): void {
        this.#program = program;
        try {
            localStorage.setItem(REMEMBERED, program);
        } catch {
            // Browsers may forbid storage for files: then it is remembered until the page is closed.
        }
        for (const listener of this.#listeners) listener();
    }

    /** Calls `listener` after a choice while `element` is on the page. */
    listen(element: Element, listener: () => void): void {
        const call = (): void => {
            if (element.isConnected) listener();
            else this.#listeners.delete(call);
        };
        this.#listeners.add(call);
    }
}

function read(): string | null {
    try {
        return localStorage.getItem(REMEMBERED);
    } catch {
        return null;
    }
}

const choice = new Choice();

/** The fixes of `finding`; several are numbered, and a rival is an alternative to the fix before it. */
export function fixes(context: Context, finding: Finding): HTMLElement[] {
    const { words } = context;
    const all = finding.fixes.length;
    return finding.fixes.map((fix, i) => {
        const id = fix.rival ? 'viewer-fix-number-rival' : 'viewer-fix-number';
        const title = all > 1 ? words.text(id, { n: String(i + 1), all: String(all) }) : null;
        const place = fix.where_text;
        return h(
            'div',
            { class: fix.rival ? 'fix is-rival' : 'fix' },
            h(
                'p',
                {},
                title === null ? null : h('strong', {}, `${title} `),
                h('span', { class: 'place' }, place),
                ' ',
                unbroken(fix.text),
            ),
            lines(context, fix),
        );
    });
}

/** The fixes with the first one visible and the others folded. */
export function fixesFirst(context: Context, finding: Finding): HTMLElement {
    const all = fixes(context, finding);
    const [first, ...rest] = all;
    return h(
        'div',
        { class: 'fixes' },
        first,
        rest.length > 0
            ? h(
                  'details',
                  { class: 'more-fixes' },
                  h('summary', {}, context.words.text('viewer-more-fixes', { n: String(rest.length) })),
                  ...rest,
              )
            : null,
    );
}

/** The lines of a fix: tabs of languages and servers, then the lines for every host. */
function lines(context: Context, fix: Fix): HTMLElement | null {
    if (fix.lines.length === 0) return null;
    const { words, data } = context;
    const programsOf = (i: number): readonly string[] => fix.line_programs?.[i] ?? [];
    const programs = [...new Set(fix.lines.flatMap((_, i) => programsOf(i)))];
    const list = h('ul', { class: 'lines' });
    const show = (program: string | null): void => {
        const shown = fix.lines.filter(
            (_, i) => programsOf(i).length === 0 || program === null || programsOf(i).includes(program),
        );
        fill(
            list,
            ...shown.map((line) => {
                // The terminal aligns remarks in one column, because it prints all lines.
                const text = line.replace(/ {2,}/g, '  ');
                return h('li', {}, h('code', {}, text), copyButton(text, words));
            }),
        );
    };
    if (programs.length < 2) {
        show(null);
        return list;
    }
    const tabs = programs.map((program) =>
        button(
            { class: 'tab', role: 'radio', 'data-program': program, 'aria-checked': 'false', tabindex: -1 },
            () => choice.choose(program),
            data.programs[program] ?? program,
        ),
    );
    const follow = (): void => {
        const wanted = choice.program;
        const program =
            wanted !== null && programs.includes(wanted)
                ? wanted
                : fix.suggested !== null && programs.includes(fix.suggested)
                  ? fix.suggested
                  : (programs[0] as string);
        for (const tab of tabs) {
            const isChosen = tab.dataset['program'] === program;
            tab.setAttribute('aria-checked', String(isChosen));
            // A single tab stop: arrow keys choose the other tabs.
            tab.tabIndex = isChosen ? 0 : -1;
        }
        show(program);
    };
    follow();
    const group = h(
        'div',
        { class: 'tabs', role: 'radiogroup', 'aria-label': words.text('viewer-programs'), 'data-own-keys': '' },
        ...tabs,
    );
    group.addEventListener('keydown', (event) => {
        const from = tabs.indexOf(event.target as HTMLButtonElement);
        const to = from < 0 ? null : stepped(event.key, from, tabs.length);
        const tab = to === null ? undefined : tabs[to];
        if (!tab) return;
        event.preventDefault();
        choice.choose(tab.dataset['program'] as string);
        tab.focus();
    });
    const element = h('div', { class: 'programs' }, group, list);
    choice.listen(element, follow);
    return element;
}

/** The index that an arrow key, Home or End selects from index `from` of `count`; null for other keys. */
export function stepped(key: string, from: number, count: number): number | null {
    switch (key) {
        case 'ArrowRight':
        case 'ArrowDown':
            return (from + 1) % count;
        case 'ArrowLeft':
        case 'ArrowUp':
            return (from + count - 1) % count;
        case 'Home':
            return 0;
        case 'End':
            return count - 1;
        default:
            return null;
    }
}
