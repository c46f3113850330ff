// What to look at first: what is wrong with the capture, gravest first, each with its example.

import { button, fill, h } from '../base/dom.js';
import { count, unbroken } from '../base/units.js';
import type { Context } from '../charts/frame.js';
import type { Headline, Language, Problem } from '../format.js';

/** Problems that are shown at once below the heading. */
const FIRST = 4;

/** What can be done with a problem. */
export interface ProblemActions {
    /** Lists its connections. */
    list(problem: number): void;
    /** Opens a connection. */
    open(id: number): void;
    /** Lists the interactive sessions. */
    listInteractive(): void;
}

/** The problems that the page's heading does not speak of; null where there are none. `interactive` is how
 *  many sessions a person typed at. */
export function problemsCard(
    context: Context,
    headline: Headline,
    problems: readonly Problem[],
    interactive: number,
    actions: ProblemActions,
): HTMLElement | null {
    const { words } = context;
    const others = [...problems.entries()].filter(([index]) => index !== headline.problem);
    if (others.length === 0 && interactive === 0) return null;
    const list = h('ol', { class: 'problems' });
    const show = (most: number): void => {
        const rest = others.length - most;
        fill(
            list,
            ...others.slice(0, most).map(([index, problem]) => item(context, problem, index, actions)),
            interactive > 0 ? interactiveItem(context, interactive, actions) : null,
            rest > 0
                ? h(
                      'li',
                      { class: 'problem-more' },
                      button(
                          { class: 'link' },
                          () => show(others.length),
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
    const change = problem.answer.is_change ? problem.answer.fix : undefined;
    return h(
        'li',
        { class: `problem severity-${problem.severity}` },
        h('span', { class: 'problem-number', 'aria-hidden': 'true' }, String(index + 1)),
        h(
            'div',
            { class: 'problem-text' },
            h('p', { class: 'problem-sentence' }, unbroken(problem.sentence ?? problem.cause)),
            change === undefined ? null : h('p', { class: 'problem-fix' }, unbroken(change)),
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

/** The first lines of the terminal as the heading of the overview, with the connections of the problem that
 *  they speak of. */
export function overviewHead(
    context: Context,
    language: Language,
    taken: HTMLElement,
    problems: readonly Problem[],
    actions: ProblemActions,
): HTMLElement {
    const { data } = context;
    const { answer, problem: index } = data.headlines[language];
    const problem = index === null ? undefined : problems[index];
    return h(
        'header',
        { class: `overview-head card problem-first severity-${answer.severity ?? 'none'}` },
        h(
            'div',
            {},
            taken,
            h('h1', { id: 'overview-title' }, unbroken(answer.why)),
            answer.fix !== undefined && answer.is_shown ? h('p', { class: 'overview-fix' }, unbroken(answer.fix)) : null,
            answer.but === undefined ? null : h('p', { class: 'notice' }, unbroken(answer.but)),
        ),
        index !== null && problem ? buttons(context, problem, index, actions) : null,
    );
}
