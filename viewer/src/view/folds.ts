// The parts that the reader opened or folded, with names for the address.

/** A fold is a `details` element, or a button with `aria-expanded`. */
const FOLDS = 'details, button[aria-expanded]';

function isOpen(fold: Element): boolean {
    return fold instanceof HTMLDetailsElement ? fold.open : fold.getAttribute('aria-expanded') === 'true';
}

/** The folds of a page. */
export class Folds {
    readonly #changed = new Set<string>();
    readonly #atFirst = new WeakMap<Element, boolean>();

    /** `changed` is called after the reader opened or folded a part in `root`. */
    constructor(
        private readonly root: HTMLElement,
        private readonly changed: () => void,
        signal: AbortSignal,
    ) {
        // Toggle events do not bubble.
        root.addEventListener('toggle', (event) => this.#follow(event.target), { capture: true, signal });
        // In the capture phase, a button that permanently opens a part is still on the page and has its name.
        root.addEventListener(
            'click',
            (event) => {
                const fold = event.target instanceof Element ? event.target.closest('button[aria-expanded]') : null;
                if (fold) this.#flip(fold);
            },
            { capture: true, signal },
        );
    }

    /** Names of the folds that differ from their initial state. */
    get names(): string[] {
        return [...this.#changed];
    }

    /** Starts with a rebuilt page, and toggles the folds of those names. */
    restore(names: readonly string[]): void {
        this.#changed.clear();
        const all = [...this.root.querySelectorAll(FOLDS)];
        const named = new Map(all.map((fold) => [this.#name(fold), fold]));
        for (const fold of all) this.#atFirst.set(fold, isOpen(fold));
        for (const name of names) {
            const fold = named.get(name);
            if (fold === undefined) continue;
            this.#changed.add(name);
            if (fold instanceof HTMLDetailsElement) fold.open = !fold.open;
            else if (fold instanceof HTMLElement) {
                // The click handler above removes the name again, because it toggles.
                this.#changed.delete(name);
                fold.click();
            }
        }
    }

    /** Name of a fold: the nearest element with an id, and the fold's index in it: `findings-2`. */
    #name(fold: Element): string {
        const scope = fold.parentElement?.closest('[id]') ?? this.root;
        return `${scope.id || 'page'}-${[...scope.querySelectorAll(FOLDS)].indexOf(fold) + 1}`;
    }

    #follow(target: EventTarget | null): void {
        if (!(target instanceof HTMLDetailsElement)) return;
        const name = this.#name(target);
        const wasChanged = this.#changed.has(name);
        const isChanged = target.open !== (this.#atFirst.get(target) ?? false);
        if (isChanged === wasChanged) return;
        if (isChanged) this.#changed.add(name);
        else this.#changed.delete(name);
        this.changed();
    }

    #flip(fold: Element): void {
        const name = this.#name(fold);
        if (!this.#changed.delete(name)) this.#changed.add(name);
        this.changed();
    }
}
