import { giveBackStaleImages } from '../ai/quota/stale-images.ts'
import { voidStaleRemovals } from '../background/quota/stale-removals.ts'
import { forgetSettledCalls } from '../metering/refund-unbegun.ts'
import { voidStaleReservations } from '../metering/stale-reservations.ts'
import { defineJob } from './job.ts'

/** Gives back what servers that have died had reserved. Before listening, so that a server that was killed finds its books in order. */
export const voidStale = defineJob({
  cron: '* * * * *',
  beforeListening: true,
  async run({ database }, log) {
    // Before the calls, so that a removal goes together with its own.
    const removals = await voidStaleRemovals(database.pool)
    const voided = await voidStaleReservations(database.pool)
    await forgetSettledCalls(database.pool)
    const aiRequests = await giveBackStaleImages(database.pool)
    if (removals + voided + aiRequests > 0)
      log.info({ removals, voided, aiRequests }, 'calls of servers that are gone were given back')
  },
})
