// Elements are made by calls, never from markup, so that text from a capture cannot become markup.

import { needsIsolation } from './isolate.js';

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

function append(parent: Node, children: readonly Child[]): void {
    for (const child of children) {
        if (child === null || child === undefined || child === false) continue;
        if (child instanceof Node) {
            parent.appendChild(child);
            continue;
        }
        const text = document.createTextNode(String(child));
        if (!needsIsolation(text.data)) {
            parent.appendChild(text);
            continue;
        }
        // Keeps right-to-left text from reordering its neighbours.
        const alone = document.createElement('bdi');
        alone.appendChild(text);
        parent.appendChild(alone);
    }
}

function setAttributes(element: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        element.setAttribute(name, value === true ? '' : String(value));
    }
}

/** An HTML element with attributes and children. The content security policy forbids the attribute
 *  `style`. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    setAttributes(element, attributes);
    append(element, children);
    return element;
}

/** A button that calls `action`. */
export function button(attributes: Attributes, action: (event: MouseEvent) => void, ...children: Child[]): HTMLButtonElement {
    const element = h('button', { type: 'button', ...attributes }, ...children);
    element.addEventListener('click', action);
    return element;
}

/** Empties `element` and fills it again. */
export function fill(element: Element, ...children: Child[]): void {
    element.replaceChildren();
    append(element, children);
}

/** Sets CSS custom properties, which style sheets then use. */
export function setVars(element: HTMLElement, vars: Record<string, string>): void {
    for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, value);
}
