import { forgetOldUsage } from '../metering/forget-old-usage.ts'
import { defineJob } from './job.ts'

/** Statistics are kept for 13 months, so that a month can be compared with that of the year before. */
export const forgetUsage = defineJob({
  cron: '37 3 * * *',
  async run({ database }, log) {
    const forgotten = await forgetOldUsage(database.pool)
    if (forgotten > 0) log.info({ forgotten }, 'usage older than 13 months was forgotten')
  },
})
