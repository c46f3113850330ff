// The module and its worker, as the page sees them.

import { type FromWorker, type Request, STATUS, type ToWorker } from './protocol.js';

/** A request has no answer: `status` is one of {@link STATUS}, the message says why. */
export class Failure extends Error {
    constructor(
        readonly status: number,
        message: string,
    ) {
        super(message);
    }
}

/** How far the files are read that a request reads. */
export interface Progress {
    readonly read: number;
    readonly total: number;
    /** Name of the file that is read, and its index. */
    readonly name: string;
    readonly file: number;
    /** Seen so far in all files. */
    readonly packets: number;
    readonly connections: number;
}

/** How several captures are read: an answer for each, one of all merged by time, or two beside each other. */
export type How = 'each' | 'merged' | 'compared';

interface Waiting {
    resolve(bytes: ArrayBuffer): void;
    reject(reason: Failure): void;
    progress: ((progress: Progress) => void) | undefined;
}

/** The name of a file without its folders: where a capture is on this machine is nobody's business. */
export function fileName({ name }: File): string {
    return name.replace(/^.*[\\/]/s, '');
}

/** Bytes of an element that holds them as base64. */
export function embedded(id: string): Uint8Array<ArrayBuffer> {
    const text = atob((document.getElementById(id)?.textContent ?? '').trim());
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}

async function compiled(): Promise<WebAssembly.Module> {
    const packed = new Blob([embedded('tcpwhy-module')]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(packed).arrayBuffer());
}

/** Asks the module. It answers one request after the other; a worker that was stopped is started again when it is needed. */
export class Engine {
    readonly #module = compiled();
    #address: string | undefined;
    #worker: Worker | undefined;
    #files: readonly Blob[] = [];
    #names: readonly string[] = [];
    /** What a new worker has to be asked first: which captures the page shows. */
    #explained: Request | undefined;
    #next = 1;
    /** Counts how often it was stopped. */
    #generation = 0;
    readonly #waiting = new Map<number, Waiting>();

    /** Whether this browser has all that it takes. */
    static get isSupported(): boolean {
        return typeof WebAssembly === 'object' && typeof DecompressionStream === 'function' && typeof Worker === 'function';
    }

    /** Reads `files` and explains or compares them; the bytes are JSON. */
    async open(files: readonly File[], how: How, language: string, progress: (progress: Progress) => void): Promise<ArrayBuffer> {
        this.stop();
        this.#files = files;
        this.#names = files.map(fileName);
        this.#explained = undefined;
        const named = this.#names.map((name) => ({ name }));
        const request: Request =
            how === 'compared'
                ? { ask: 'compare', files: named, language }
                : { ask: 'explain', files: named, is_merged: how === 'merged', language };
        const answer = await this.ask(request, progress);
        this.#explained = request;
        return answer;
    }

    /** Asks for something else. */
    async ask(request: Request, progress?: (progress: Progress) => void): Promise<ArrayBuffer> {
        const generation = this.#generation;
        const module = await this.#module;
        // It was stopped meanwhile.
        if (generation !== this.#generation) return new Promise(() => undefined);
        if (!this.#worker) {
            this.#worker = this.#start();
            this.#tell({ kind: 'module', module });
            this.#tell({ kind: 'files', files: [...this.#files] });
            if (this.#explained) void this.#send(this.#explained, progress).catch(() => undefined);
        }
        return this.#send(request, progress);
    }

    /** Ends what is being done; whoever waits for it is told nothing more. */
    stop(): void {
        this.#generation++;
        this.#worker?.terminate();
        this.#worker = undefined;
        this.#waiting.clear();
    }

    #tell(message: ToWorker): void {
        this.#worker?.postMessage(message);
    }

    #send(request: Request, progress: Waiting['progress']): Promise<ArrayBuffer> {
        const id = this.#next++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, progress });
            this.#tell({ kind: 'request', id, request });
        });
    }

    #start(): Worker {
        // A page from disk may start a worker only from an address of its own making.
        this.#address ??= URL.createObjectURL(
            new Blob([document.getElementById('tcpwhy-worker')?.textContent ?? ''], { type: 'text/javascript' }),
        );
        const worker = new Worker(this.#address);
        worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
            if (worker === this.#worker) this.#hear(data);
        });
        return worker;
    }

    #hear(message: FromWorker): void {
        const waiting = this.#waiting.get(message.id);
        if (message.kind === 'progress') {
            waiting?.progress?.({ ...message, name: this.#names[message.file] ?? '' });
            return;
        }
        this.#waiting.delete(message.id);
        if (message.status === STATUS.answered) {
            waiting?.resolve(message.text);
            return;
        }
        const others = [...this.#waiting.values()];
        const failure = new Failure(message.status, new TextDecoder().decode(message.text));
        waiting?.reject(failure);
        // A module that ended answers nobody any more.
        if (message.status === STATUS.ended) {
            this.stop();
            for (const other of others) other.reject(failure);
        }
    }
}
