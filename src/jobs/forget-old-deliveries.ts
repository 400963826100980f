import { forgetOldDeliveries } from '../webhooks/delivery.ts'
import { defineJob } from './job.ts'

/** A month is long enough to look into a receiver that was away, and to have it told again. */
export const forgetDeliveries = defineJob({
  cron: '17 4 * * *',
  async run({ database }, log) {
    const forgotten = await forgetOldDeliveries(database.pool)
    if (forgotten > 0) log.info({ forgotten }, 'webhooks older than 30 days were forgotten')
  },
})
