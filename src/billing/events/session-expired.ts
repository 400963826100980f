import { definePaymentEvent } from '../payment-event.ts'
import { aboutSession, checkoutSession, compareSession } from './checkout-session.ts'

export const sessionExpired = definePaymentEvent({
  type: 'checkout.session.expired',
  object: checkoutSession,
  about: aboutSession,
  compare: (session, purchase) => compareSession(session, purchase, { session_id: session.id, ended: 'expired' }),
})
