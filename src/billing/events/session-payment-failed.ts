import { definePaymentEvent } from '../payment-event.ts'
import { aboutSession, checkoutSession, compareSession } from './checkout-session.ts'

export const sessionPaymentFailed = definePaymentEvent({
  type: 'checkout.session.async_payment_failed',
  object: checkoutSession,
  about: aboutSession,
  compare: (session, purchase) => compareSession(session, purchase, { session_id: session.id, ended: 'failed' }),
})
