import { checkLedger } from './check-ledger.ts'
import { forgetDeliveries } from './forget-old-deliveries.ts'
import { forgetEvents } from './forget-old-events.ts'
import { forgetRequests } from './forget-old-requests.ts'
import { forgetSignIns } from './forget-old-sign-ins.ts'
import { forgetUsage } from './forget-old-usage.ts'
import type { Job } from './job.ts'
import { voidStale } from './void-stale-reservations.ts'

/** All housekeeping. A job that is not listed here does not run. */
export const jobs = {
  'void-stale-reservations': voidStale,
  'check-ledger': checkLedger,
  'forget-old-usage': forgetUsage,
  'forget-old-requests': forgetRequests,
  'forget-old-events': forgetEvents,
  'forget-old-sign-ins': forgetSignIns,
  'forget-old-deliveries': forgetDeliveries,
} as const satisfies Record<string, Job>
