// A long list in which only the visible rows exist as elements.

import { h, setVars } from '../base/dom.js';

/** Rows beyond the visible ones, so that scrolling does not show gaps. */
const MARGIN = 8;

export class VirtualRows {
    /** The element that scrolls. */
    readonly element: HTMLElement;
    readonly #body = h('div', { class: 'rows' });
    #first = -1;
    #last = -1;

    constructor(
        private rowHeight: number,
        private count: number,
        private readonly make: (row: number) => HTMLElement,
        attributes: Record<string, string | number>,
    ) {
        this.element = h('div', { class: 'scroller', role: 'rowgroup', tabindex: 0, ...attributes }, this.#body);
        this.element.addEventListener('scroll', () => this.#update(), { passive: true });
        new ResizeObserver(() => this.#update()).observe(this.element);
        this.setCount(count);
    }

    /** Shows `count` rows, rebuilt. */
    setCount(count: number): void {
        this.count = count;
        setVars(this.#body, { '--rows-height': `${count * this.rowHeight}px` });
        this.refresh();
    }

    /** Shows rows of another height. */
    setRowHeight(rowHeight: number): void {
        this.rowHeight = rowHeight;
        this.setCount(this.count);
    }

    /** Rebuilds the visible rows. */
    refresh(): void {
        this.#first = -1;
        this.#last = -1;
        this.#update();
    }

    /** Scrolls `row` to the middle, unless it is visible. */
    reveal(row: number): void {
        const top = row * this.rowHeight;
        const { scrollTop, clientHeight } = this.element;
        if (top < scrollTop || top + this.rowHeight > scrollTop + clientHeight) {
            this.element.scrollTop = top - (clientHeight - this.rowHeight) / 2;
        }
        this.#update();
    }

    #update(): void {
        const { scrollTop, clientHeight } = this.element;
        const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - MARGIN);
        const last = Math.min(this.count, Math.ceil((scrollTop + Math.max(clientHeight, 200)) / this.rowHeight) + MARGIN);
        if (first === this.#first && last === this.#last) return;
        this.#first = first;
        this.#last = last;
        const rows: HTMLElement[] = [];
        for (let row = first; row < last; row++) rows.push(this.make(row));
        this.#body.replaceChildren(...rows);
        setVars(this.#body, { '--rows-offset': `${first * this.rowHeight}px` });
    }
}
