import { forgetOldBatches } from '../batch/end-batches.ts'
import { defineJob } from './job.ts'

/** A month is long enough to look back in the list of batches. */
export const forgetBatches = defineJob({
  cron: '7 4 * * *',
  async run({ database }, log) {
    const { length: forgotten } = await forgetOldBatches(database.pool)
    if (forgotten > 0) log.info({ forgotten }, 'batches that ended over 30 days ago were forgotten')
  },
})
