// Files dragged over the page: it reacts during the drag, and accepts a drop anywhere.

/** Whether files are dragged, not text of the page. */
const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Dropped files, and names of folders, whose files a page cannot get in one step. */
interface Dropped {
    files: File[];
    folders: string[];
}

function contents(data: DataTransfer | null): Dropped {
    const dropped: Dropped = { files: [], folders: [] };
    for (const item of data?.items ?? []) {
        if (item.kind !== 'file') continue;
        const file = item.getAsFile();
        const entry = item.webkitGetAsEntry?.();
        if (entry?.isDirectory) dropped.folders.push(entry.name);
        else if (file) dropped.files.push(file);
    }
    return dropped;
}

/** Calls `take` for files dropped anywhere: outside of the field, they would otherwise replace the page. */
export function acceptDrops(take: (dropped: Dropped) => void): void {
    const drag = (isDragging: boolean): void => {
        document.body.classList.toggle('is-dragging', isDragging);
    };
    for (const type of ['dragenter', 'dragover'] as const) {
        window.addEventListener(type, (event) => {
            event.preventDefault();
            if (!hasFiles(event)) return;
            drag(true);
            if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
        });
    }
    // Only at the edge of the window: between two elements, there is a related one.
    window.addEventListener('dragleave', (event) => {
        if (event.relatedTarget === null) drag(false);
    });
    window.addEventListener('drop', (event) => {
        event.preventDefault();
        drag(false);
        const dropped = contents(event.dataTransfer);
        if (dropped.files.length + dropped.folders.length > 0) take(dropped);
    });
}
