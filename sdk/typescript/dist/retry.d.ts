import { ConnectionFailed, type QuittanceError } from './errors.js';
export declare const longestPauseMs = 8000;
/**
 * Returns the pause in milliseconds, or null when the outcome is final. `isIdempotent`: carrying the call out twice does
 * no more than once.
 */
export declare function pauseAfter(outcome: QuittanceError | ConnectionFailed | Error, isIdempotent: boolean, tries: number): number | null;
/** Waits. Throws the reason of an abort. */
export declare function pause(ms: number, signal?: AbortSignal): Promise<void>;
