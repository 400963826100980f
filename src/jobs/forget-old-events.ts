import { forgetOldEvents } from '../billing/forget-old-events.ts'
import { defineJob } from './job.ts'

/** Stripe sends an event again for three days at most; the rest is for whoever has to look into a purchase. */
export const forgetEvents = defineJob({
  cron: '47 3 * * *',
  async run({ database }, log) {
    const forgotten = await forgetOldEvents(database.pool)
    if (forgotten > 0) log.info({ forgotten }, 'events of Stripe older than 90 days were forgotten')
  },
})
