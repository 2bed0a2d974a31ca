/** PAYMENT-REQUIRED, decoded and otherwise unchecked. Amounts are in the token's smallest units, decimal. */
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
    /** Makes PAYMENT-SIGNATURE; throws when this is not to be paid. Called at most once a request. */
    sign(required: PaymentRequired): Promise<string>;
    /** How long to ask for what is paid; two minutes unless given. */
    patienceMs?: number;
    /** Waited for before the header is first sent: whoever keeps it, with the request, can `resume` after a crash. */
    onPayment?(header: string, url: string): void | Promise<void>;
};
/** Patience is over, and it may be charged: `resume` with `header`, never pay again for the same. */
export declare class PaymentUnanswered extends Error {
    readonly header: string;
    /** `cause` is what came last: an error of the network, or a Response. */
    constructor(header: string, cause: unknown);
}
type Fetch = typeof globalThis.fetch;
type Input = Parameters<Fetch>[0];
/**
 * `fetch` for what is paid for, with `resume` for a header that was kept. The official client makes the header:
 *
 *     const client = new x402Client()                                            // @x402/core/client
 *       .register('eip155:8453', new ExactEvmScheme(account))                    // @x402/evm/exact/client
 *       .setSpendControls({ allowedAssets: [{ network: 'eip155:8453', asset, maxAmountPerPayment: '5000' }] })
 *     const buy = paidFetch({                                                    // below: @x402/core/http
 *       sign: async required => encodePaymentSignatureHeader(await client.createPaymentPayload(required)),
 *     })
 *
 * The same header is charged once however often it is sent, so it is sent again after a lost answer, a fault of the
 * server's (5xx), and whenever the service says when to come again. All else is final and returned. So is a 402, the reason in its PAYMENT-REQUIRED: what
 * is signed a second time could be paid twice, and that is for the caller to decide. Throws what `sign` and `onPayment`
 * throw, the reason of an abort, `PaymentUnanswered`, and before anything is sent TypeError for a body that is a stream.
 */
export declare function paidFetch({ fetch: send, sign, patienceMs, onPayment }: PaidFetchOptions): ((input: Input, init?: RequestInit) => Promise<Response>) & {
    resume: (input: Input, init: RequestInit | undefined, header: string) => Promise<Response>;
};
export {};
