// Decides whether a call is repeated, and after which pause.
import { ConnectionFailed } from './errors.js';
/** A longer `Retry-After` is not waited for: the error is thrown at once. */
const longestAskedMs = 60_000;
export const longestPauseMs = 8_000;
/** Not carried out, whatever the call was: the service refuses it before it begins. */
const refused = new Set([429]);
const passing = new Set([429, 502, 503, 504]);
/**
 * Returns the pause in milliseconds, or null when the outcome is final. `isIdempotent`: carrying the call out twice does
 * no more than once.
 */
export function pauseAfter(outcome, isIdempotent, tries) {
    const own = Math.min(500 * 2 ** tries, longestPauseMs) * (0.5 + Math.random() / 2);
    if (outcome instanceof ConnectionFailed)
        return isIdempotent ? own : null;
    if (!('status' in outcome))
        return null;
    const { status, code, retryAfterMs } = outcome;
    // The first try is still in progress: its response will be available under the same Idempotency-Key.
    const isRunning = status === 409 && code === 'idempotency_in_progress';
    if (!isRunning && !(isIdempotent ? passing : refused).has(status))
        return null;
    const ms = retryAfterMs ?? own;
    return ms > longestAskedMs ? null : ms;
}
/** Waits. Throws the reason of an abort. */
export async function pause(ms, signal) {
    signal?.throwIfAborted();
    await new Promise(resolve => {
        const wake = () => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', wake);
            resolve();
        };
        const timer = setTimeout(wake, ms);
        signal?.addEventListener('abort', wake);
    });
    signal?.throwIfAborted();
}
