// Limits as elements: a swatch with colour, pattern and letter.

import { h, setVars } from '../base/dom.js';
import { limitColour, limitInk } from '../canvas/theme.js';
import type { Context } from '../charts/frame.js';
import type { LimitLook } from '../format.js';

/** Look of limit `id`. */
export function lookOf(context: Context, id: string): LimitLook | undefined {
    return context.data.limits.find((look) => look.id === id);
}

/** Gives `element` the colour and pattern of limit `id`. */
export function dress<T extends HTMLElement>(element: T, context: Context, id: string): T {
    const look = lookOf(context, id);
    element.classList.add('limit', `pattern-${look?.pattern ?? 'solid'}`);
    setVars(element, { '--limit': limitColour(look, context.theme), '--limit-ink': limitInk(look, context.theme) });
    return element;
}

/** The square with the letter of limit `id`; its name is next to it. */
export function badge(context: Context, id: string): HTMLElement {
    const letter = lookOf(context, id)?.letter ?? '–';
    return dress(h('span', { class: 'badge', 'aria-hidden': 'true' }, h('span', {}, letter)), context, id);
}
