// Keys for the charts.

import type { View } from '../view/view.js';

/** Actions of keys besides moving the view. */
export interface KeyActions {
    /** Goes to the next (1) or previous (-1) span of the chosen limit. */
    jump(step: 1 | -1): void;
    help(): void;
}

/** Handles a key; returns whether it has a meaning. */
export function onKey(
    event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
    view: View,
    actions: KeyActions,
): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { start, end } = view.time;
    const step = (end - start) / 100;
    const moveCursor = (by: number): void => {
        const from = view.cursor ?? (start + end) / 2;
        const to = Math.min(Math.max(from + by, view.bounds.start), view.bounds.end);
        view.setCursor(to);
        view.reveal({ start: to, end: to + step });
    };
    switch (event.key) {
        case 'w':
            view.zoom(0.5, view.cursor ?? undefined);
            return true;
        case 's':
            view.zoom(2, view.cursor ?? undefined);
            return true;
        case 'a':
            view.pan(-0.2);
            return true;
        case 'd':
            view.pan(0.2);
            return true;
        case 'ArrowLeft':
            if (event.shiftKey) moveCursor(-step);
            else view.pan(-0.2);
            return true;
        case 'ArrowRight':
            if (event.shiftKey) moveCursor(step);
            else view.pan(0.2);
            return true;
        case '+':
        case '=':
            view.zoom(0.5, view.cursor ?? undefined);
            return true;
        case '-':
        case '_':
            view.zoom(2, view.cursor ?? undefined);
            return true;
        case '0':
            view.reset();
            return true;
        case 'n':
            actions.jump(1);
            return true;
        case 'p':
            actions.jump(-1);
            return true;
        case 'm':
            view.setMeasuring(!view.isMeasuring);
            return true;
        case '[':
            view.setMarkers(view.cursor ?? (start + end) / 2, view.markers[1]);
            return true;
        case ']':
            view.setMarkers(view.markers[0], view.cursor ?? (start + end) / 2);
            return true;
        case 'z':
            if (view.marked) view.show(view.marked);
            return true;
        case 'Escape':
            view.setBrush(null);
            view.setMarkers(null, null);
            view.setCursor(null);
            view.setLimit(null);
            return true;
        case '?':
            actions.help();
            return true;
        default:
            return false;
    }
}

/** Whether `target` handles keys itself, so that the charts must ignore them. */
export function takesKeys(target: EventTarget | null): boolean {
    return target instanceof Element && target.closest('input, select, textarea, dialog, [data-own-keys]') !== null;
}
