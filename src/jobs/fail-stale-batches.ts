import { failStaleBatches } from '../batch/end-batches.ts'
import { defineJob } from './job.ts'

/** A batch that makes no progress for 30 minutes never will: whoever waits for it is told. */
export const failStale = defineJob({
  cron: '* * * * *',
  async run({ database }, log) {
    const batches = await failStaleBatches(database.pool)
    if (batches.length > 0) log.warn({ batches }, 'batches without progress for 30 minutes have failed')
  },
})
