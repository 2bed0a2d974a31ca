export declare const defaultBaseUrl: string | null;
