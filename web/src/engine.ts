// Interface of the page to the module and its worker.

import { type FromWorker, type Request, STATUS, type ToWorker } from './protocol.js';

/** A failed request: `status` is one of {@link STATUS}, the message explains it. */
export class Failure extends Error {
    constructor(
        readonly status: number,
        message: string,
    ) {
        super(message);
    }
}

/** Progress of reading the files of a request. */
export interface Progress {
    readonly read: number;
    readonly total: number;
    /** Name of the file being read, and its index. */
    readonly name: string;
    readonly file: number;
    /** Packets and connections so far in all files. */
    readonly packets: number;
    readonly connections: number;
}

/** How several captures are read: an answer for each, one for all merged by time, or a comparison of two. */
export type How = 'each' | 'merged' | 'compared';

interface Waiting {
    resolve(bytes: ArrayBuffer): void;
    reject(reason: Failure): void;
    progress: ((progress: Progress) => void) | undefined;
}

/** The name of a file without its folders, because the location of a capture on this machine is private. */
export function fileName({ name }: File): string {
    return name.replace(/^.*[\\/]/s, '');
}

/** Bytes of an element with base64 text. */
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

/** Sends requests to the module, which answers one after the other. A stopped worker is restarted when it is
 *  needed. */
export class Engine {
    readonly #module = compiled();
    #address: string | undefined;
    #worker: Worker | undefined;
    #files: readonly Blob[] = [];
    #names: readonly string[] = [];
    /** First request to a new worker: the captures that the page shows. */
    #explained: Request | undefined;
    #next = 1;
    /** Number of stops. */
    #generation = 0;
    readonly #waiting = new Map<number, Waiting>();

    /** Whether this browser has the required features. */
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

    /** Sends another request. */
    async ask(request: Request, progress?: (progress: Progress) => void): Promise<ArrayBuffer> {
        const generation = this.#generation;
        const module = await this.#module;
        // The engine was stopped while the request waited.
        if (generation !== this.#generation) return new Promise(() => undefined);
        if (!this.#worker) {
            this.#worker = this.#start();
            this.#tell({ kind: 'module', module });
            this.#tell({ kind: 'files', files: [...this.#files] });
            if (this.#explained) void this.#send(this.#explained, progress).catch(() => undefined);
        }
        return this.#send(request, progress);
    }

    /** Stops the present request; its caller gets no answer any more. */
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
        // A page from disk may start a worker only from a URL that it created itself.
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
        // A terminated module answers no more requests.
        if (message.status === STATUS.ended) {
            this.stop();
            for (const other of others) other.reject(failure);
        }
    }
}
