import { ConnectionFailed, type QuittanceError } from './errors.js';
export declare const longestPauseMs = 8000;
/** Milliseconds, or null when the outcome is final. `isSafe`: carried out twice it does no more than once. */
export declare function pauseAfter(outcome: QuittanceError | ConnectionFailed | Error, isSafe: boolean, tries: number): number | null;
/** Throws the reason of an abort. */
export declare function pause(ms: number, signal?: AbortSignal): Promise<void>;
