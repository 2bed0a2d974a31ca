import { type StreamEvent } from './events.js';
export type ConnectionOptions = {
    /** Base URL of the service, including the path under which it is served, if any. */
    baseUrl: string;
    /** API key of a project or of an administrator. API keys must not be used in browsers. */
    apiKey?: string | undefined;
    fetch?: typeof globalThis.fetch | undefined;
    /** A `fetch` that pays, for paid operations: `paidFetch({ sign })`. */
    pay?: typeof globalThis.fetch | undefined;
    /** How often a call is repeated after its first try; 4 by default. */
    retries?: number | undefined;
    /** How long one try may take; 30 seconds by default. */
    timeoutMs?: number | undefined;
};
export type CallOptions = {
    /** Equal calls with the same key are carried out once. By default POST and PUT generate a key. */
    idempotencyKey?: string;
    signal?: AbortSignal;
    /** How long one try may take. */
    timeoutMs?: number;
    /** How often the call is repeated after its first try. */
    retries?: number;
    /** Receives the headers of the response: some keys are shown in `X-API-Key` alone. */
    onHeaders?(headers: Headers): void;
};
export type StreamOptions = {
    /** The `id` of the last event seen: the stream continues after it. */
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
    /** Over GraphQL: whether it is a mutation. */
    graphql?: 'read' | 'write';
};
/** `path`: names of the fields that lead to the answer. */
type GraphqlRequest = {
    document: string;
    path: string[];
    variables: object;
    isWrite: boolean;
};
/** Encodes a value for a path. Throws TypeError for a value that would lead to another path. */
export declare function segment(value: string): string;
export declare class Connection {
    #private;
    constructor(options: ConnectionOptions);
    url(path: string, query?: object): string;
    json<T>(request: Request, options?: CallOptions): Promise<T>;
    text(request: Request, options?: CallOptions): Promise<string>;
    bytes(request: Request, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
    graphql<T>({ document, path, variables, isWrite }: GraphqlRequest, options?: CallOptions): Promise<T>;
    /** Yields each change of a receipt once, in order, over as many connections as needed. Ends after `anchored`. */
    events<T extends {
        status: string;
    }>(path: string, { lastEventId, signal }?: StreamOptions): AsyncGenerator<StreamEvent<T>, void, undefined>;
}
