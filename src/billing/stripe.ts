import type Stripe from 'stripe'

export interface StripeAddress {
  readonly secretKey: string
  /** An origin: `https://api.stripe.com`, or a stand-in's. */
  readonly apiBase: string
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number
}

/** Stripe repeats a failed request under the same idempotency key, so that it never works twice. */
const MAX_RETRIES = 2

/** Loads Stripe's package, which costs 0.2 s of CPU and 40 MB: only where something is sold. */
export async function openStripe({ secretKey, apiBase, timeoutMs }: StripeAddress): Promise<Stripe> {
  const { default: Client } = await import('stripe')
  const { protocol, hostname, port } = new URL(apiBase)
  const secure = protocol === 'https:'
  return new Client(secretKey, {
    protocol: secure ? 'https' : 'http',
    host: hostname,
    port: port || (secure ? 443 : 80),
    timeout: timeoutMs,
    maxNetworkRetries: MAX_RETRIES,
    // It would keep an identifier of this machine in the home folder and send it.
    telemetry: false,
  })
}
