// The worker: reads files in slices and passes them to the module, which explains them. It has its own
// thread, so it may read synchronously and wait.

import { type FromWorker, type Request, STATUS, type ToWorker } from './protocol.js';

/** Bytes per slice of a file; less if many files are merged, so that all their slices stay small together. */
const SLICE = 4 << 20;
const SLICES = 64 << 20;
/** Progress is reported ten times per second at most. */
const PROGRESS_EVERY_MS = 100;

interface Exports {
    memory: WebAssembly.Memory;
    request(length: number): number;
    answer(): number;
    answer_start(): number;
    answer_len(): number;
}

interface Slice {
    start: number;
    bytes: Uint8Array;
}

/** Interface of a worker; the page's type library contains only windows. */
const scope = self as unknown as {
    postMessage(message: FromWorker, transfer: Transferable[]): void;
    addEventListener(type: 'message', act: (event: MessageEvent<ToWorker>) => void): void;
};
declare class FileReaderSync {
    readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

let files: Blob[] = [];
let slices: (Slice | undefined)[] = [];
/** Bytes of each file that the current request has read. */
let reached: number[] = [];
let current = 0;
/** The file that was read last. */
let reading = 0;
/** Packets and connections that the module has seen. */
let seen = { packets: 0, connections: 0 };
let lastProgress = 0;
let module: Exports | undefined;
let whyEnded = '';
const reader = new FileReaderSync();

function told(message: FromWorker, transfer: Transferable[] = []): void {
    scope.postMessage(message, transfer);
}

function progress(): void {
    const now = performance.now();
    if (now - lastProgress < PROGRESS_EVERY_MS) return;
    lastProgress = now;
    let read = 0;
    let total = 0;
    reached.forEach((bytes, index) => {
        read += bytes;
        total += files[index]?.size ?? 0;
    });
    told({ kind: 'progress', id: current, read, total, file: reading, ...seen });
}

/** Called between two batches of packets, more often than a file is read. */
function counted(packets: number, connections: number): void {
    seen = { packets, connections };
    progress();
}

/** An address or a length in the module's memory: unsigned 32 bits, which arrive as signed. */
const u32 = (value: number): number => value >>> 0;

/** Copies up to `length` bytes of a file to `to`; returns their number, or -1 if they cannot be read. */
function read(file: number, offset: number, to: number, length: number): number {
    const blob = files[file];
    if (!blob || !module) return -1;
    if (offset >= blob.size) return 0;
    let slice = slices[file];
    if (!slice || offset < slice.start || offset >= slice.start + slice.bytes.length) {
        const size = Math.max(64 << 10, Math.min(SLICE, Math.floor(SLICES / files.length)));
        slices[file] = undefined;
        try {
            slice = { start: offset, bytes: new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + size))) };
        } catch {
            return -1;
        }
        slices[file] = slice;
        reading = file;
        reached[file] = Math.max(reached[file] ?? 0, offset + slice.bytes.length);
        progress();
    }
    const from = offset - slice.start;
    const bytes = slice.bytes.subarray(from, from + u32(length));
    new Uint8Array(module.memory.buffer, u32(to), bytes.length).set(bytes);
    return bytes.length;
}

function panicked(from: number, length: number): void {
    if (module) whyEnded = new TextDecoder().decode(new Uint8Array(module.memory.buffer, u32(from), u32(length)));
}

/** Answers a request with status and bytes. */
function answer(request: Request): [number, Uint8Array] {
    if (!module) throw new Error('no module');
    const text = new TextEncoder().encode(JSON.stringify(request));
    // An allocation may move the module's memory, so its buffer is read afterwards.
    const to = u32(module.request(text.length));
    new Uint8Array(module.memory.buffer, to, text.length).set(text);
    const status = module.answer();
    // A copy, because the module's memory cannot be transferred.
    return [status, new Uint8Array(module.memory.buffer, u32(module.answer_start()), u32(module.answer_len())).slice()];
}

scope.addEventListener('message', ({ data }) => {
    if (data.kind === 'module') {
        module = new WebAssembly.Instance(data.module, { page: { read, reached: counted, panicked } })
            .exports as unknown as Exports;
        return;
    }
    if (data.kind === 'files') {
        files = data.files;
        slices = [];
        return;
    }
    current = data.id;
    reached = [];
    reading = 0;
    seen = { packets: 0, connections: 0 };
    lastProgress = performance.now();
    let status: number = STATUS.ended;
    let bytes: Uint8Array;
    try {
        [status, bytes] = answer(data.request);
    } catch (error) {
        bytes = new TextEncoder().encode(whyEnded || String(error));
    }
    // The slices are released while no file is read.
    slices = [];
    const text = bytes.buffer as ArrayBuffer;
    told({ kind: 'answer', id: data.id, status, text }, [text]);
});
