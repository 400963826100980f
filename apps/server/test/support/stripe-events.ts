import { createHmac, randomUUID } from 'node:crypto'
import type { FakeSession } from './fake-stripe.ts'

export interface StripeEvent {
  readonly id: string
  readonly type: string
  readonly object: unknown
  readonly livemode?: boolean
}

const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`

/** The payment intent of a session: it exists as soon as the buyer pays. */
export const paymentOf = ({ id }: Pick<FakeSession, 'id'>) => `pi_${id}`

export const sessionEvent = (type: string, session: FakeSession, changes: Partial<FakeSession> = {}): StripeEvent => ({
  id: newId('evt'),
  type: `checkout.session.${type}`,
  object: { ...session, ...changes },
})

/** The buyer has completed the form: a card payment is paid, a bank transfer is pending. */
export const completedEvent = (session: FakeSession, changes: Partial<FakeSession> = {}): StripeEvent =>
  sessionEvent('completed', session, {
    payment_intent: paymentOf(session),
    payment_status: 'paid',
    status: 'complete',
    url: null,
    ...changes,
  })

/** The bank transfer has arrived, or has failed. */
export const paidLater = (session: FakeSession) => ({
  ...completedEvent(session),
  type: 'checkout.session.async_payment_succeeded',
})
export const neverPaid = (session: FakeSession) => ({
  ...completedEvent(session, { payment_status: 'unpaid' }),
  type: 'checkout.session.async_payment_failed',
})

/** `amount` is the total refunded so far. */
export const refundEvent = (
  session: FakeSession,
  amount: number,
  changes: Readonly<Record<string, unknown>> = {},
): StripeEvent => ({
  id: newId('evt'),
  type: 'charge.refunded',
  object: {
    id: `ch_${session.id}`,
    object: 'charge',
    amount: session.amount_total,
    amount_captured: session.amount_total,
    amount_refunded: amount,
    currency: session.currency,
    metadata: session.metadata,
    paid: true,
    payment_intent: paymentOf(session),
    refunded: amount === session.amount_total,
    status: 'succeeded',
    ...changes,
  },
})

export const disputeClosed = (
  session: FakeSession,
  status: string,
  changes: Readonly<Record<string, unknown>> = {},
): StripeEvent => ({
  id: newId('evt'),
  type: 'charge.dispute.closed',
  object: {
    id: newId('dp'),
    object: 'dispute',
    amount: session.amount_total,
    charge: `ch_${session.id}`,
    currency: session.currency,
    metadata: {},
    payment_intent: paymentOf(session),
    status,
    ...changes,
  },
})

export const bodyOf = ({ id, type, object, livemode = false }: StripeEvent): string =>
  JSON.stringify({
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(Date.now() / 1000),
    data: { object },
    livemode,
    pending_webhooks: 1,
    request: null,
    type,
  })

/** Written from Stripe's documentation, so that both ends do not share code: `t=…,v1=HMAC-SHA256(secret, t.body)`. */
export function signatureOf(body: string, secret: string, ageSeconds = 0, now = Date.now()): string {
  const time = Math.floor(now / 1000) - ageSeconds
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

/** Sends an event to a server, like Stripe. */
export function deliver(url: string, event: StripeEvent, secret: string): Promise<Response> {
  const body = bodyOf(event)
  return postEvent(url, body, signatureOf(body, secret))
}

export const postEvent = (url: string, body: string | Buffer, signature?: string): Promise<Response> =>
  fetch(`${url}/api/stripe/webhook`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body as string)),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature !== undefined && { 'stripe-signature': signature }),
    },
  })
