import { definePaymentEvent } from '../payment-event.ts'
import { aboutSession, checkoutSession, compareSession, payment } from './checkout-session.ts'

export const sessionCompleted = definePaymentEvent({
  type: 'checkout.session.completed',
  object: checkoutSession,
  about: aboutSession,
  compare: (session, purchase) => compareSession(session, purchase, payment(session)),
})
