import type { PaymentEvent } from '../payment-event.ts'
import { chargeRefunded } from './charge-refunded.ts'
import { disputeClosed } from './dispute-closed.ts'
import { sessionCompleted } from './session-completed.ts'
import { sessionExpired } from './session-expired.ts'
import { sessionPaidLater } from './session-paid-later.ts'
import { sessionPaymentFailed } from './session-payment-failed.ts'

/** Every event that changes a purchase; docs/billing.md tells operators to send these. All others are ignored. */
export const paymentEvents: readonly PaymentEvent[] = [
  sessionCompleted,
  sessionPaidLater,
  sessionPaymentFailed,
  sessionExpired,
  chargeRefunded,
  disputeClosed,
]
