// Scroll positions of page and list, and the target of "all connections". Each entry of the history keeps
// both, so that Back and Reload restore them.

/** Scroll position of the reader. */
export interface Place {
    /** Pixels by which the page is scrolled. */
    readonly y: number;
    /** Pixels by which the list of connections is scrolled. */
    readonly list: number;
}

/** State of an entry of the history besides its address. */
export interface Entry {
    /** The report of the entry, if a page shows several in turn. */
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

/** The current entry's state for `report`; null if another page made the entry. */
export function readEntry(report: number): Entry | null {
    const entry = history.state as Partial<Entry> | null;
    if (typeof entry !== 'object' || entry?.report !== report || !isPlace(entry.place)) return null;
    const { back } = entry;
    const isKnown = typeof back?.fragment === 'string' && isPlace(back.place);
    return { report, place: entry.place, back: isKnown ? back : null };
}

/** The present scroll position. */
export function placeNow(root: HTMLElement): Place {
    return { y: Math.round(window.scrollY), list: Math.round(root.querySelector(LIST)?.scrollTop ?? 0) };
}

/** Scrolls there, and once more after the next frame, because charts grow when they are measured. */
export function scrollTo(root: HTMLElement, place: Place): void {
    const go = (): void => {
        const list = root.querySelector(LIST);
        if (list) list.scrollTop = place.list;
        window.scrollTo(0, place.y);
    };
    go();
    if (place.y > 0 || place.list > 0) requestAnimationFrame(() => requestAnimationFrame(go));
}
