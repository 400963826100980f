import { findMismatches } from '../metering/check-ledger.ts'
import { defineJob } from './job.ts'

/** An alarm for a fault that cannot happen: whatever it finds was done past the ledger's functions. Hourly, as it reads them all. */
export const checkLedger = defineJob({
  cron: '7 * * * *',
  async run({ database, metrics }, log) {
    const mismatches = await findMismatches(database)
    metrics.onLedgerChecked(mismatches.length)
    if (mismatches.length > 0) log.error({ mismatches }, 'the credits of accounts are not what their ledger says')
  },
})
