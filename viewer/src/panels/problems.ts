// What to look at first: what is wrong with the capture, gravest first, each with its example.

import { button, fill, h } from '../base/dom.js';
import { count, unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { Headline, Language, Problem } from '../format.js';

/** Problems that are shown at once. */
const FIRST = 5;

/** What can be done with a problem. */
export interface ProblemActions {
    /** Lists its connections. */
    list(problem: number): void;
    /** Opens a connection. */
    open(id: number): void;
    /** Lists the interactive sessions. */
    listInteractive(): void;
}

/** The problems after the first, which is the page's heading; null where there are none. `interactive` is how
 *  many sessions a person typed at. */
export function problemsCard(
    context: Context,
    headline: Headline,
    problems: readonly Problem[],
    interactive: number,
    actions: ProblemActions,
): HTMLElement | null {
    const { words } = context;
    if (problems.length < 2 && interactive === 0) return null;
    const list = h('ol', { class: 'problems' });
    const show = (most: number): void => {
        const rest = problems.length - most;
        fill(
            list,
            ...problems.slice(1, most).map((problem, i) => item(context, problem, i + 1, actions)),
            interactive > 0 ? interactiveItem(context, interactive, actions) : null,
            rest > 0
                ? h(
                      'li',
                      { class: 'problem-more' },
                      button(
                          { class: 'link' },
                          () => show(problems.length),
                          words.text('viewer-problems-more', { n: count(rest) }),
                      ),
                  )
                : null,
        );
    };
    show(FIRST);
    return h(
        'section',
        { class: 'card', id: 'problems', 'aria-labelledby': 'problems-title' },
        h('h2', { id: 'problems-title' }, words.text('viewer-problems')),
        list,
        headline.problems_omitted > 0
            ? h('p', { class: 'soft' }, words.text('viewer-problems-omitted', { n: count(headline.problems_omitted) }))
            : null,
    );
}

function item(context: Context, problem: Problem, index: number, actions: ProblemActions): HTMLElement {
    return h(
        'li',
        { class: `problem severity-${problem.severity}` },
        h('span', { class: 'problem-number', 'aria-hidden': 'true' }, String(index + 1)),
        h(
            'div',
            { class: 'problem-text' },
            h('p', { class: 'problem-sentence' }, unbroken(problem.sentence ?? problem.cause)),
            problem.fix === null ? null : h('p', { class: 'problem-fix' }, unbroken(problem.fix)),
        ),
        buttons(context, problem, index, actions),
    );
}

/** Lists the connections of a problem, and opens its example. */
function buttons(context: Context, problem: Problem, index: number, actions: ProblemActions): HTMLElement {
    const { words } = context;
    return h(
        'div',
        { class: 'problem-actions' },
        problem.connections === 1
            ? null
            : button(
                  { class: 'problem-list' },
                  () => actions.list(index),
                  words.text('viewer-problem-show', { n: count(problem.connections) }),
              ),
        button(
            { class: 'problem-example' },
            () => actions.open(problem.example),
            words.text(problem.connections === 1 ? 'viewer-problem-open' : 'viewer-problem-example', {
                id: String(problem.example),
            }),
        ),
    );
}

function interactiveItem(context: Context, interactive: number, actions: ProblemActions): HTMLElement {
    const { words } = context;
    return h(
        'li',
        { class: 'problem is-no-problem' },
        h('span', { class: 'problem-number', 'aria-hidden': 'true' }, '–'),
        h('div', { class: 'problem-text' }, h('p', {}, words.text('viewer-interactive', { n: count(interactive) }))),
        h('div', { class: 'problem-actions' }, button({}, actions.listInteractive, words.text('viewer-problem-show-all'))),
    );
}

/** The first lines of the terminal as the heading of the overview: the first problem, what to change, its
 *  connections. */
export function overviewHead(
    context: Context,
    language: Language,
    taken: HTMLElement,
    first: Problem | undefined,
    actions: ProblemActions,
): HTMLElement {
    const { data } = context;
    const { answer } = data.headlines[language];
    return h(
        'header',
        { class: `overview-head card problem-first severity-${first?.severity ?? 'none'}` },
        h(
            'div',
            {},
            taken,
            h('h1', { id: 'overview-title' }, unbroken(answer.why)),
            answer.fix === null ? null : h('p', { class: 'overview-fix' }, unbroken(answer.fix)),
            answer.but === null ? null : h('p', { class: 'notice' }, unbroken(answer.but)),
        ),
        first ? buttons(context, first, 0, actions) : null,
    );
}
