import { checkLedger } from './check-ledger.ts'
import { clearDeleted } from './clear-deleted-accounts.ts'
import { expire } from './expire-batches.ts'
import { failStale } from './fail-stale-batches.ts'
import { forgetBatches } from './forget-old-batches.ts'
import { forgetDeliveries } from './forget-old-deliveries.ts'
import { forgetEvents } from './forget-old-events.ts'
import { forgetRequests } from './forget-old-requests.ts'
import { forgetSignIns } from './forget-old-sign-ins.ts'
import { forgetUsage } from './forget-old-usage.ts'
import type { Job } from './job.ts'
import { renewAiKeys } from './renew-ai-keys.ts'
import { sweep } from './sweep-files.ts'
import { voidStale } from './void-stale-reservations.ts'

/** All housekeeping. A job that is not listed here does not run. */
export const jobs = {
  'void-stale-reservations': voidStale,
  'fail-stale-batches': failStale,
  'expire-batches': expire,
  'clear-deleted-accounts': clearDeleted,
  'sweep-files': sweep,
  'check-ledger': checkLedger,
  'forget-old-usage': forgetUsage,
  'forget-old-requests': forgetRequests,
  'forget-old-events': forgetEvents,
  'forget-old-sign-ins': forgetSignIns,
  'forget-old-batches': forgetBatches,
  'forget-old-deliveries': forgetDeliveries,
  'renew-ai-keys': renewAiKeys,
} as const satisfies Record<string, Job>

/** Jobs that earlier versions had: out of the plan they go by name. */
export const retiredJobs: readonly string[] = []
