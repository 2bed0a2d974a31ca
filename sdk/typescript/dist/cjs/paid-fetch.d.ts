/** PAYMENT-REQUIRED, decoded and not otherwise checked. Amounts are decimal, in the token's smallest units. */
export type PaymentRequired = {
    x402Version: number;
    error?: string;
    resource: {
        url: string;
        description?: string;
        mimeType?: string;
    };
    accepts: {
        scheme: string;
        network: `${string}:${string}`;
        amount: string;
        asset: string;
        payTo: string;
        maxTimeoutSeconds: number;
        extra: Record<string, unknown>;
    }[];
    extensions?: Record<string, unknown>;
};
export type PaidFetchOptions = {
    fetch?: typeof globalThis.fetch;
    /** Returns PAYMENT-SIGNATURE; throws when this must not be paid. Called at most once for each request. */
    sign(required: PaymentRequired): Promise<string>;
    /** How long to repeat a paid request; two minutes by default. */
    patienceMs?: number;
    /**
     * Awaited before the header is first sent: a caller that stores the header with the request can `resume` after a
     * crash.
     */
    onPayment?(header: string, url: string): void | Promise<void>;
};
/** `patienceMs` has passed, and the payment may be charged: `resume` with `header`, never pay again for the same. */
export declare class PaymentUnanswered extends Error {
    readonly header: string;
    /** `cause` is the last outcome: a network error, or a Response. */
    constructor(header: string, cause: unknown);
}
type Fetch = typeof globalThis.fetch;
type Input = Parameters<Fetch>[0];
/**
 * Returns a `fetch` for paid endpoints, with `resume` for a stored header. The official client makes the header:
 *
 *     const client = new x402Client()                                            // @x402/core/client
 *       .register('eip155:8453', new ExactEvmScheme(account))                    // @x402/evm/exact/client
 *       .setSpendControls({ allowedAssets: [{ network: 'eip155:8453', asset, maxAmountPerPayment: '5000' }] })
 *     const buy = paidFetch({                                                    // below: @x402/core/http
 *       sign: async required => encodePaymentSignatureHeader(await client.createPaymentPayload(required)),
 *     })
 *
 * The same header is charged once however often it is sent, so it is sent again after a lost response, after an error
 * of the server (5xx), and whenever the service says when to retry. Every other response is final and returned. So is a
 * 402, whose PAYMENT-REQUIRED says why: a second signature could be charged again, and only the caller can decide that.
 * Throws what `sign` and `onPayment` throw, the reason of an abort, `PaymentUnanswered`, and, before anything is sent,
 * TypeError for a body that is a stream.
 */
export declare function paidFetch({ fetch: send, sign, patienceMs, onPayment }: PaidFetchOptions): ((input: Input, init?: RequestInit) => Promise<Response>) & {
    resume: (input: Input, init: RequestInit | undefined, header: string) => Promise<Response>;
};
export {};
