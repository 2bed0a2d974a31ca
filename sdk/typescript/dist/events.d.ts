/** `id` is what `lastEventId` takes. */
export type StreamEvent<T> = {
    id: string;
    data: T;
};
/** `heard` is called for whatever comes, comments too. What is cut off at the end is no event. */
export declare function eventsIn<T>(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<StreamEvent<T>, void, undefined>;
