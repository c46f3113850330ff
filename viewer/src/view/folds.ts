// What the reader opened or folded up, by names that the address can hold.

/** A fold is a `details`, or a button that says by `aria-expanded` whether it has opened something. */
const FOLDS = 'details, button[aria-expanded]';

function isOpen(fold: Element): boolean {
    return fold instanceof HTMLDetailsElement ? fold.open : fold.getAttribute('aria-expanded') === 'true';
}

/** The folds of a page. */
export class Folds {
    readonly #changed = new Set<string>();
    readonly #atFirst = new WeakMap<Element, boolean>();

    /** `changed` is called after the reader opened or folded something up in `root`. */
    constructor(
        private readonly root: HTMLElement,
        private readonly changed: () => void,
        signal: AbortSignal,
    ) {
        // A toggle event does not bubble.
        root.addEventListener('toggle', (event) => this.#follow(event.target), { capture: true, signal });
        // While the event goes down, a button that opens something for good is still on the page, and named.
        root.addEventListener(
            'click',
            (event) => {
                const fold = event.target instanceof Element ? event.target.closest('button[aria-expanded]') : null;
                if (fold) this.#flip(fold);
            },
            { capture: true, signal },
        );
    }

    /** Names of the folds that are not as at first. */
    get names(): string[] {
        return [...this.#changed];
    }

    /** Begins with a page that was just made, and flips the folds of those names. */
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
                // The click is heard above: it takes the name out again.
                this.#changed.delete(name);
                fold.click();
            }
        }
    }

    /** The nearest element with an id, and the fold's place in it: `findings-2`. */
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
