// Messages between the page and its worker. The requests are those of crates/tcpwhy-web (`request.rs`).

/** A request to the module. */
export type Request =
    | { ask: 'explain'; files: { name: string }[]; is_merged: boolean; language: string }
    | { ask: 'compare'; files: { name: string }[]; language: string }
    | { ask: 'chart'; query: string }
    | { ask: 'document'; language: string; has_timeline: boolean }
    | {
          ask: 'buffers';
          language: string;
          kernel: string;
          sndbuf: string;
          rcvbuf: string;
          rtt: string;
          bandwidth: string;
          bytes: string;
          window: string;
          settings: string;
      };

/** Messages to the worker. */
export type ToWorker =
    | { kind: 'module'; module: WebAssembly.Module }
    | { kind: 'files'; files: Blob[] }
    | { kind: 'request'; id: number; request: Request };

/** Result of a request: as in `exports.rs`, or the end of the module. */
export const STATUS = { answered: 0, failed: 1, noSuchConnection: 2, ended: 3, partsOfOne: 4 } as const;

/**
 * Messages from the worker. `read` counts bytes of `total`, in the files that the request has read so far.
 * `packets` and `connections` are the numbers in them.
 */
export type FromWorker =
    | { kind: 'progress'; id: number; read: number; total: number; file: number; packets: number; connections: number }
    | { kind: 'answer'; id: number; status: number; text: ArrayBuffer };
