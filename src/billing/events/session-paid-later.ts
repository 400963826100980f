import { definePaymentEvent } from '../payment-event.ts'
import { aboutSession, checkoutSession, compareSession, payment } from './checkout-session.ts'

export const sessionPaidLater = definePaymentEvent({
  type: 'checkout.session.async_payment_succeeded',
  object: checkoutSession,
  about: aboutSession,
  compare: (session, purchase) => compareSession(session, purchase, payment(session)),
})
