import { forgetOldRequests } from '../idempotency/requests.ts'
import { defineJob } from './job.ts'

/** Answers are kept for 24 hours under their Idempotency-Key; an old one is not given again, it only takes room. */
export const forgetRequests = defineJob({
  cron: '17 * * * *',
  async run({ database }, log) {
    const forgotten = await forgetOldRequests(database.pool)
    if (forgotten > 0) log.debug({ forgotten }, 'answers older than 24 hours were forgotten')
  },
})
