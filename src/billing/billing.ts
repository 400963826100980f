import type Stripe from 'stripe'
import { ApiError } from '../contract/api-error.ts'
import type { Database } from '../database/database.ts'
import { type Applied, applyEvent } from './apply-event.ts'
import { type Buyer, beginCheckout, type ReturnAddresses } from './checkout.ts'
import type { CreditPackage } from './packages.ts'
import { readWebhookEvent, type WebhookEvent } from './webhook-event.ts'

/** Sells credits. Stripe's events are what credits them: a browser that comes back proves nothing. */
export interface Billing {
  /** Whether anything is sold. */
  readonly isOpen: boolean
  /**
   * The address at which the buyer pays.
   * @throws ApiError billing_not_configured, billing_provider_error
   */
  beginCheckout(buyer: Buyer, chosen: CreditPackage, addresses: ReturnAddresses): Promise<string>
  /**
   * Works off an event that Stripe sent.
   * @throws ApiError billing_not_configured, invalid_signature; invalid_params for an event that is not as Stripe documents it
   */
  receive(raw: Buffer, signature: string | undefined): Promise<void>
}

export interface StripeSettings {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly apiBase: string
}

type OnEvent = (event: Pick<WebhookEvent, 'id' | 'type'> & Applied) => void

/** Only an operator changes that, by a new start: no program need ask again soon. */
const SETTING_SECONDS = 3_600

/** Milliseconds that Stripe has for one attempt; creating a session takes it well under a second. */
const ATTEMPT_MS = 8_000

/** Without settings nothing is sold, and credits come from the administrator. `onEvent` hears of every signed event. */
export async function openBilling(database: Database, settings: StripeSettings | undefined, onEvent: OnEvent): Promise<Billing> {
  if (!settings) return { isOpen: false, beginCheckout: notConfigured, receive: notConfigured }
  const stripe = await openStripe({ ...settings, timeoutMs: ATTEMPT_MS })
  const live = settings.secretKey.includes('_live_')
  return {
    isOpen: true,
    beginCheckout: (buyer, chosen, addresses) => beginCheckout(database, stripe, buyer, chosen, addresses),
    async receive(raw, signature) {
      let event: Pick<WebhookEvent, 'id' | 'type'> = { id: 'unknown', type: 'unknown' }
      try {
        const read = readWebhookEvent(stripe, settings.webhookSecret, raw, signature)
        event = read
        // An endpoint that is set up for test payments must not fill accounts of a service that sells for money.
        const applied = read.livemode === live ? await applyEvent(database, read) : { outcome: 'other_mode' as const }
        onEvent({ id: read.id, type: read.type, ...applied })
      } catch (error) {
        // It was signed: either Stripe has changed, or we are wrong, and money may wait.
        if (error instanceof ApiError && error.code === 'invalid_params')
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
