type Page<T> = T[] | {
    items: T[];
    next?: {
        cursor: string | null;
        exists: boolean;
    };
};
/** An entry that moved to the next page, because newer ones were recorded meanwhile, is yielded once. */
export declare function entries<T extends {
    id: string;
}>(by: 'page' | 'offset' | 'cursor', query: {
    page_size?: number | null;
    limit?: number | null;
} | undefined, ask: (page: object) => Promise<Page<T>>): AsyncGenerator<T, void, undefined>;
export {};
