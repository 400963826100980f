import type Stripe from 'stripe'
import { ApiError, isRefusal } from '../contract/api-error.ts'
import type { Database } from '../database/database.ts'
import { type Applied, applyEvent } from './apply-event.ts'
import { type Buyer, beginCheckout, type ReturnAddresses } from './checkout.ts'
import type { CreditPackage } from './packages.ts'
import { readWebhookEvent, type WebhookEvent } from './webhook-event.ts'

/** Sells credits. Only Stripe's events add credits: a browser that returns from Stripe proves nothing. */
export interface Billing {
  /** Whether anything is sold. */
  readonly isOpen: boolean
  /**
   * Returns the URL where the buyer pays.
   * @throws ApiError billing_not_configured, billing_provider_error
   */
  beginCheckout(buyer: Buyer, chosenPackage: CreditPackage, addresses: ReturnAddresses): Promise<string>
  /**
   * Processes an event that Stripe sent.
   * @throws ApiError billing_not_configured, invalid_stripe_signature; invalid_params for an event that is not as Stripe documents it
   */
  receive(raw: Buffer, signature: string | undefined): Promise<void>
}

export interface StripeSettings {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly apiBase: string
}

type OnEvent = (event: Pick<WebhookEvent, 'id' | 'type'> & Applied) => void

/** Only a restart with other settings changes that, so clients need not retry soon. */
const SETTING_SECONDS = 3_600

/** Timeout of one request to Stripe; creating a session takes well under a second. */
const ATTEMPT_MS = 8_000

/** Without settings nothing is sold, and the administrator grants credits. `onEvent` is called for every signed event. */
export async function openBilling(database: Database, settings: StripeSettings | undefined, onEvent: OnEvent): Promise<Billing> {
  if (!settings) return { isOpen: false, beginCheckout: notConfigured, receive: notConfigured }
  const stripe = await openStripe({ ...settings, timeoutMs: ATTEMPT_MS })
  const live = settings.secretKey.includes('_live_')
  return {
    isOpen: true,
    beginCheckout: (buyer, chosenPackage, addresses) => beginCheckout(database, stripe, buyer, chosenPackage, addresses),
    async receive(raw, signature) {
      let event: Pick<WebhookEvent, 'id' | 'type'> = { id: 'unknown', type: 'unknown' }
      try {
        const read = readWebhookEvent(stripe, settings.webhookSecret, raw, signature)
        event = read
        // Test payments must not add credits on a server that sells for money.
        const application = read.livemode === live ? await applyEvent(database, read) : { outcome: 'other_mode' as const }
        onEvent({ id: read.id, type: read.type, ...application })
      } catch (error) {
        // It was signed: Stripe's format has changed or we have a bug, and a payment may be pending.
        if (isRefusal(error) && error.code === 'invalid_params')
          onEvent({ id: event.id, type: event.type, outcome: `malformed: ${error.message}` })
        throw error
      }
    },
  }
}

const notConfigured = async (): Promise<never> => {
  throw new ApiError('billing_not_configured', { retryAfterSeconds: SETTING_SECONDS })
}

export interface StripeAddress {
  readonly secretKey: string
  /** An origin: `https://api.stripe.com`, or a test server's. */
  readonly apiBase: string
  /** Of one attempt. */
  readonly timeoutMs: number
}

/** The library retries under the same idempotency key, so that a request takes effect once. */
const MAX_RETRIES = 2

/** Loads Stripe's package, which takes 0.2 s of CPU and 40 MB, only where credits are sold. */
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
    // It would store an identifier of this machine in the home folder and send it.
    telemetry: false,
  })
}
