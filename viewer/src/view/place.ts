// How far page and list are scrolled, and where "all connections" leads. Each entry of the history keeps
// both, so that Back and Reload find them again.

/** Where the reader was. */
export interface Place {
    /** Pixels that the page was scrolled. */
    readonly y: number;
    /** The same of the list of connections. */
    readonly list: number;
}

/** What an entry of the history holds besides its address. */
export interface Entry {
    /** Which report the entry belongs to, where a page shows one after the other. */
    readonly report: number;
    readonly place: Place;
    /** Address and place of the list from which a connection was opened. */
    readonly back: { readonly fragment: string; readonly place: Place } | null;
}

const LIST = '#connections .scroller';

function isPlace(value: unknown): value is Place {
    const place = value as Place | null;
    return typeof place?.y === 'number' && typeof place.list === 'number';
}

/** What the present entry holds for `report`; null for one that others made. */
export function readEntry(report: number): Entry | null {
    const entry = history.state as Partial<Entry> | null;
    if (typeof entry !== 'object' || entry?.report !== report || !isPlace(entry.place)) return null;
    const { back } = entry;
    const isKnown = typeof back?.fragment === 'string' && isPlace(back.place);
    return { report, place: entry.place, back: isKnown ? back : null };
}

/** Where the reader is. */
export function placeNow(root: HTMLElement): Place {
    return { y: Math.round(window.scrollY), list: Math.round(root.querySelector(LIST)?.scrollTop ?? 0) };
}

/** Scrolls there; once more after the next picture, because charts grow when they are measured. */
export function scrollTo(root: HTMLElement, place: Place): void {
    const go = (): void => {
        const list = root.querySelector(LIST);
        if (list) list.scrollTop = place.list;
        window.scrollTo(0, place.y);
    };
    go();
    if (place.y > 0 || place.list > 0) requestAnimationFrame(() => requestAnimationFrame(go));
}
