// Pictures of the bundled samples. `web/pictures.ts` computes them from the captures when the page is built.

import { h, setVars } from '../../viewer/src/base/dom.js';
import type { Language, Pattern } from '../../viewer/src/format.js';

/** Colours, letter and pattern of a limit, for light and dark background. */
export interface Look {
    readonly letter: string;
    readonly light: string;
    readonly dark: string;
    readonly ink_light: string;
    readonly ink_dark: string;
    readonly pattern: Pattern;
}

/** Bytes over time in a box of {@link BOX} units, y downwards: SVG paths. */
export interface Curves {
    /** Area between the least and the most bytes in flight. */
    readonly flight: string;
    /** The receive window. */
    readonly window: string;
}

/** The picture of one sample. */
export interface Picture {
    /** Limits over time: index into {@link Pictures.looks} and share of the time. */
    readonly strip: readonly (readonly [look: number, share: number])[];
    readonly curves: Curves;
    /** The main limit, its name, and its share of the time: "send buffer", "96%". */
    readonly look: number;
    readonly cause: Readonly<Record<Language, string>>;
    readonly share: string;
}

/** The texts of a whole answer. */
export interface AnswerTexts {
    readonly ends: string;
    readonly transfer: string;
    readonly verdict: string;
    readonly now: string;
    readonly then: string;
    readonly window: string;
    readonly flight: string;
    readonly duration: string;
    /** Place of the change. */
    readonly place: string;
    readonly fix: string;
}

/** The answer that the start page shows before a capture is opened. */
export interface Preview {
    /** Name of the sample. */
    readonly sample: string;
    readonly picture: Picture;
    /** The lines of the fix. */
    readonly lines: readonly string[];
    /** Predicted time as a share of the present time: lowest, most likely, highest. */
    readonly then: readonly [number, number, number];
    readonly texts: Readonly<Record<Language, AnswerTexts>>;
}

export interface Pictures {
    readonly looks: readonly Look[];
    readonly samples: Readonly<Record<string, Picture>>;
    readonly preview: Preview;
}

/** Units of the box of curves. Style sheets stretch it; strokes keep their width. */
export const BOX = { width: 1000, height: 100 } as const;

type Attributes = Record<string, string | number | null>;

/** An element of SVG. */
export function s(tag: string, attributes: Attributes = {}, ...children: (Node | string | null)[]): SVGElement {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, String(value));
    element.append(...children.filter((child) => child !== null));
    return element;
}

/** Gives `element` the colour and pattern of a limit. The style sheet selects light or dark background. */
export function dressed<T extends HTMLElement>(element: T, look: Look | undefined): T {
    if (!look) return element;
    element.classList.add('limit', 'web-look', `pattern-${look.pattern}`);
    setVars(element, {
        '--look-light': look.light,
        '--look-dark': look.dark,
        '--look-ink-light': look.ink_light,
        '--look-ink-dark': look.ink_dark,
    });
    return element;
}

/** The square with the letter of a limit, next to its name. */
export function letter(look: Look | undefined): HTMLElement {
    return dressed(h('span', { class: 'badge', 'aria-hidden': 'true' }, h('span', {}, look?.letter ?? '')), look);
}

/** Limits over time. The adjacent text has the same content. */
export function strip(picture: Picture, looks: readonly Look[]): HTMLElement {
    const element = h('span', { class: 'web-strip', 'aria-hidden': 'true' });
    for (const [look, share] of picture.strip) {
        const part = dressed(h('span'), looks[look]);
        setVars(part, { '--share': String(share) });
        element.append(part);
    }
    return element;
}

/** Bytes in flight below the receive window. Decoration if `label` is null. */
export function curves({ flight, window }: Curves, label: string | null): SVGElement {
    return s(
        'svg',
        {
            class: 'web-curves',
            viewBox: `0 0 ${BOX.width} ${BOX.height}`,
            preserveAspectRatio: 'none',
            ...(label === null ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label }),
        },
        s('path', { class: 'web-curve-unused', d: `${window}V${BOX.height}H0Z` }),
        s('path', { class: 'web-curve-flight', d: flight }),
        s('path', { class: 'web-curve-window', d: window }),
    );
}
