/** `id` is the value for `lastEventId`. */
export type StreamEvent<T> = {
    id: string;
    data: T;
};
/**
 * Yields the events in a body. `onData` is called for all received data, comments included. An event that is cut off at
 * the end is dropped.
 */
export declare function eventsIn<T>(body: ReadableStream<Uint8Array>, onData: () => void): AsyncGenerator<StreamEvent<T>, void, undefined>;
