/** The HTTP status of each code, for answers over GraphQL. */
export declare const statusOfCode: Readonly<Record<string, number>>;
