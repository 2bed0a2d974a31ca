import { type StreamEvent } from './events.js';
export type ConnectionOptions = {
    /** Of the service, with the path it is served under when it has one. */
    baseUrl: string;
    /** Of a project, or an administrator's. It does not belong into browsers. */
    apiKey?: string | undefined;
    fetch?: typeof globalThis.fetch | undefined;
    /** A fetch that pays, for operations that are paid for: `paidFetch({ sign })`. */
    pay?: typeof globalThis.fetch | undefined;
    /** How often a call is repeated after its first try; 4 unless given. */
    retries?: number | undefined;
    /** How long one try may take; 30 seconds unless given. */
    timeoutMs?: number | undefined;
};
export type CallOptions = {
    /** Equal calls with the same key are carried out once. POST and PUT make one of their own otherwise. */
    idempotencyKey?: string;
    signal?: AbortSignal;
    /** How long one try may take. */
    timeoutMs?: number;
    /** Told the headers of the answer: some keys are shown in `X-API-Key` alone. */
    onHeaders?(headers: Headers): void;
};
export type StreamOptions = {
    /** The `id` of the last event seen: the stream goes on after it. */
    lastEventId?: string;
    signal?: AbortSignal;
};
export type { StreamEvent };
type Request = {
    method: string;
    path: string;
    query?: object | undefined;
    body?: unknown;
    isPaid?: boolean;
};
/** A value in a path. Throws TypeError for what would lead elsewhere. */
export declare function segment(value: string): string;
export declare class Connection {
    #private;
    constructor(options: ConnectionOptions);
    url(path: string, query?: object): string;
    json<T>(request: Request, options?: CallOptions): Promise<T>;
    text(request: Request, options?: CallOptions): Promise<string>;
    bytes(request: Request, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
    /** Each change of a receipt once, in order, over as many connections as it takes. Ends after `anchored`. */
    events<T extends {
        status: string;
    }>(path: string, { lastEventId, signal }?: StreamOptions): AsyncGenerator<StreamEvent<T>, void, undefined>;
}
