import { giveBackStaleImages } from '../ai/quota/stale-images.ts'
import { voidStaleReservations } from '../metering/stale-reservations.ts'
import { defineJob } from './job.ts'

/** Gives back what servers that have died had reserved. Before listening, so that a server that was killed finds its books in order. */
export const voidStale = defineJob({
  cron: '* * * * *',
  beforeListening: true,
  async run({ database }, log) {
    const voided = await voidStaleReservations(database.pool)
    const aiRequests = await giveBackStaleImages(database.pool)
    if (voided + aiRequests > 0) log.info({ voided, aiRequests }, 'calls of servers that are gone were given back')
  },
})
