// The bar at the top: capture, connection, language, theme, help.

import { button, h } from '../base/dom.js';
import type { Words } from '../base/words.js';
import type { ThemeName } from '../canvas/theme.js';
import type { Connection, ConnectionChart, Language, ViewData } from '../format.js';

/** Actions of the bar. */
export interface BarActions {
    overview(): void;
    connection(id: number): void;
    sender(sender: number): void;
    language(language: Language): void;
    theme(theme: ThemeName): void;
    help(): void;
}

/** Ends of a connection as text. */
export function ends(connection: Connection | undefined, chart: ConnectionChart | undefined): [string, string] {
    if (chart) return chart.endpoints;
    const text = (end: { address: string; port: number }): string =>
        end.address.includes(':') ? `[${end.address}]:${end.port}` : `${end.address}:${end.port}`;
    return connection ? [text(connection.endpoints[0]), text(connection.endpoints[1])] : ['?', '?'];
}

/** The bar. `senders` are the selectable directions of the shown connection. */
export function bar(
    data: ViewData,
    words: Words,
    theme: ThemeName,
    shown: {
        connection: number;
        sender: number;
        senders: { sender: number; label: string }[];
        /** The connections before and after it that can be shown. */
        neighbours: readonly [number | null, number | null];
    } | null,
    actions: BarActions,
): HTMLElement {
    const paths = data.documents[data.language].captures.map((capture) => capture.path);
    const path = paths.length > 1 ? words.text('viewer-captures', { n: String(paths.length) }) : (paths[0] ?? '');
    /** Button for the next connection of the report that can be shown. */
    const step = (by: 1 | -1, sign: string): HTMLElement =>
        button(
            {
                class: 'step',
                'aria-label': words.text(by === 1 ? 'viewer-next-connection' : 'viewer-previous-connection'),
                title: words.text(by === 1 ? 'viewer-next-connection' : 'viewer-previous-connection'),
                disabled: shown?.neighbours[by === 1 ? 1 : 0] == null,
            },
            () => {
                const to = shown?.neighbours[by === 1 ? 1 : 0];
                if (to != null) actions.connection(to);
            },
            sign,
        );
    const back = data.comparison
        ? words.text('viewer-compare-back')
        : words.text('viewer-all-connections', { n: String(data.overview.connections) });
    const where = h('nav', { class: 'where', 'aria-label': words.text('viewer-where') });
    if (shown && data.overview.connections > 1) {
        where.append(
            button(
                { class: 'back', 'aria-label': back },
                actions.overview,
                '‹ ',
                h('span', { class: 'back-wide' }, back),
                h('span', { class: 'back-narrow' }, String(data.overview.connections)),
            ),
            step(-1, '‹'),
            h('span', { class: 'number-of' }, `#${shown.connection}`),
            step(1, '›'),
        );
    }
    if (shown && shown.senders.length > 1) {
        const select = h(
            'select',
            { id: 'direction', 'aria-label': words.text('viewer-choose-direction') },
            ...shown.senders.map(({ sender, label }) => h('option', { value: sender, selected: sender === shown.sender }, label)),
        );
        select.addEventListener('change', () => actions.sender(Number(select.value)));
        where.append(select);
    }
    const languages = h(
        'select',
        { id: 'language', 'aria-label': words.text('viewer-language') },
        ...(Object.keys(data.messages) as Language[]).map((tag) =>
            h(
                'option',
                { value: tag, lang: tag, selected: tag === words.language },
                data.messages[tag]['viewer-language-name'] ?? tag,
            ),
        ),
    );
    languages.addEventListener('change', () => actions.language(languages.value as Language));
    // If there is little room, the folder is cut, not the name.
    const nameStart = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
    const other: ThemeName = theme === 'dark' ? 'light' : 'dark';
    return h(
        'header',
        { class: 'bar' },
        h('span', { class: 'brand' }, data.tool.name),
        h(
            'span',
            { class: 'file', title: paths.join('\n') },
            h('span', { class: 'file-folder' }, path.slice(0, nameStart)),
            h('span', { class: 'file-name' }, path.slice(nameStart)),
        ),
        where,
        h(
            'div',
            { class: 'tools' },
            languages,
            button(
                { class: 'theme', 'aria-label': words.text(`viewer-theme-${other}`), title: words.text(`viewer-theme-${other}`) },
                () => actions.theme(other),
                other === 'dark' ? '☾' : '☀',
            ),
            button(
                { class: 'help', 'aria-label': words.text('viewer-help'), title: words.text('viewer-help') },
                actions.help,
                '?',
            ),
        ),
    );
}

/** The dialog that lists keys and gestures. */
export function helpDialog(words: Words): HTMLDialogElement {
    const keys: [string[], string][] = [
        [['a', 'd', '←', '→'], 'pan'],
        [['w', 's', '+', '−'], 'zoom'],
        [['0'], 'reset'],
        [['n', 'p'], 'jump'],
        [['Shift ←', 'Shift →'], 'cursor'],
        [['m'], 'measure'],
        [['[', ']', 'z'], 'marks'],
        [['Esc'], 'escape'],
    ];
    const list = h('div', { class: 'keys' });
    for (const [caps, id] of keys)
        list.append(
            h('span', {}, ...caps.flatMap((cap) => [h('kbd', {}, cap), ' '])),
            h('span', {}, words.text(`viewer-keys-${id}`)),
        );
    const dialog = h(
        'dialog',
        { 'aria-labelledby': 'help-title' },
        h('h2', { id: 'help-title' }, words.text('viewer-help')),
        list,
        h('p', {}, words.text('viewer-keys-mouse')),
        h('p', {}, words.text('viewer-keys-touch')),
        h('p', {}, words.text('viewer-keys-link')),
    );
    dialog.append(button({ class: 'close' }, () => dialog.close(), words.text('viewer-close')));
    return dialog;
}
