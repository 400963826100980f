import type pg from 'pg'
import { clearDeletedAccounts } from './accounts/delete-account.ts'
import { forgetOldPlaces } from './accounts/guesses.ts'
import { forgetExpiredTokens } from './accounts/login-tokens.ts'
import { forgetOldAttempts } from './accounts/throttle.ts'
import { renewKeys } from './ai/saved-keys.ts'
import { expireBatches, failStaleBatches, forgetOldBatches } from './batch/end-batches.ts'
import { removeAllFiles, sweepOrphans } from './batch/remove-files.ts'
import { forgetOldEvents } from './billing/apply-event.ts'
import { sweepGenerations } from './delivery/evict.ts'
import { renewSourceKeys } from './delivery/place.ts'
import { forgetOldRequests } from './idempotency/idempotency.ts'
import { findMismatches } from './metering/ledger.ts'
import { voidStaleReservations } from './metering/reservations.ts'
import { forgetSettledCalls } from './metering/unsent-answers.ts'
import { forgetOldUsage } from './metering/usage-log.ts'
import { dailyAt, everyMinute, hourlyAt, type Job, type JobTable } from './scheduler.ts'
import { removeExpired, sweepUploads } from './uploads/remove-uploads.ts'
import { forgetOldDeliveries } from './webhooks/delivery.ts'

/** Age at which the files of an upload count as orphaned: longer than the longest upload takes. */
const UNFINISHED_UPLOAD_MS = 2 * 3_600_000

/** All periodic jobs. A job that is not in this table does not run. */
export const jobs = {
  // Gives back reservations of dead servers. Also runs before listening, so that a server that was killed starts with correct
  // balances.
  'void-stale-reservations': {
    schedule: everyMinute,
    beforeListening: true,
    async run({ database }, log) {
      const voidedCount = await voidStaleReservations(database.pool)
      await forgetSettledCalls(database.pool)
      if (voidedCount > 0)
        log.info({ voided: voidedCount }, 'calls, AI images and removals of servers that are gone were given back')
    },
  },
  // Fails batches without progress for 30 minutes, so that their callers get a result.
  'fail-stale-batches': {
    schedule: everyMinute,
    async run({ database }, log) {
      const batches = await failStaleBatches(database.pool)
      if (batches.length > 0) log.warn({ batches }, 'batches without progress for 30 minutes have failed')
    },
  },
  // Results expire 24 hours after their batch ended. Also removes the files that a process failed to remove, or died before
  // removing.
  'expire-batches': {
    schedule: everyMinute,
    async run(services, log) {
      const expiredTexts = await expireBatches(services.database.pool)
      const cleanedCount = await removeAllFiles(services)
      if (expiredTexts.length > 0)
        log.info({ expired: expiredTexts.length, cleaned: cleanedCount }, 'results of batches have expired')
    },
  },
  // Uploads are kept for an hour after their last request. Also those of deleted accounts.
  'expire-uploads': {
    schedule: everyMinute,
    async run(services, log) {
      const expiredCount = await removeExpired(services)
      if (expiredCount > 0) log.info({ expired: expiredCount }, 'uploads have expired')
    },
  },
  // Finishes deletions of accounts whose server died, and removes data of requests that were running at the deletion.
  'clear-deleted-accounts': {
    schedule: everyMinute,
    async run({ database }, log) {
      const clearedCount = await clearDeletedAccounts(database.pool)
      if (clearedCount > 0)
        log.info({ cleared: clearedCount }, 'the data of deleted accounts was removed, except for the ledger and the audit log')
    },
  },
  // Removes orphaned files and unfinished uploads of processes that died.
  'sweep-files': {
    schedule: hourlyAt(57),
    async run(services, log) {
      const orphans = (await sweepOrphans(services)) + (await sweepUploads(services))
      const unfinishedCount = await services.blobs.sweep(new Date(Date.now() - UNFINISHED_UPLOAD_MS))
      if (orphans + unfinishedCount > 0)
        log.info({ orphans, unfinished: unfinishedCount }, 'files of processes that died were removed')
    },
  },
  // Removes cached images beyond CACHE_MAX_GB, and those that a purge has made useless. A process that stores much does the first itself.
  'sweep-cache': {
    schedule: hourlyAt(37),
    async run({ database, blobs, delivery }, log) {
      const purgedCount = await sweepGenerations(database.kysely, blobs)
      if (purgedCount > 0) log.info({ purged: purgedCount }, 'cached images of purged sources were removed')
      await delivery.evict()
    },
  },
  // Finds changes that bypassed the ledger's functions, which must not happen. Hourly, since it reads every account.
  'check-ledger': {
    schedule: hourlyAt(7),
    async run({ database, metrics }, log) {
      const mismatches = await findMismatches(database)
      metrics.onLedgerChecked(mismatches.length)
      if (mismatches.length > 0) log.error({ mismatches }, 'the credits of accounts are not what their ledger says')
    },
  },
  // Statistics are kept for 13 months, so that a month can be compared with the same month of the previous year.
  'forget-old-usage': deletingOld(dailyAt(3, 37), forgetOldUsage, 'usage older than 13 months was forgotten'),
  // Responses are stored for 24 hours under their Idempotency-Key. Expired ones are never returned.
  'forget-old-requests': {
    schedule: hourlyAt(17),
    async run({ database }, log) {
      const forgottenCount = await forgetOldRequests(database.pool)
      if (forgottenCount > 0) log.debug({ forgotten: forgottenCount }, 'answers older than 24 hours were forgotten')
    },
  },
  // Stripe retries an event for three days at most; the rest is for investigating a purchase.
  'forget-old-events': deletingOld(dailyAt(3, 47), forgetOldEvents, 'events of Stripe older than 90 days were forgotten'),
  // Expired login tokens, password attempts and networks. They have no effect after they expire, since each use compares them
  // with the database's clock.
  'forget-old-sign-ins': {
    schedule: hourlyAt(27),
    async run({ database }) {
      for (const forget of [forgetExpiredTokens, forgetOldAttempts, forgetOldPlaces]) while ((await forget(database.kysely)) > 0);
    },
  },
  // A month is long enough for the list of batches.
  'forget-old-batches': deletingOld(
    dailyAt(4, 7),
    async (pool) => (await forgetOldBatches(pool)).length,
    'batches that ended over 30 days ago were forgotten',
  ),
  // A month is long enough to investigate a receiver's outage, and to have events redelivered.
  'forget-old-deliveries': deletingOld(dailyAt(4, 17), forgetOldDeliveries, 'webhooks older than 30 days were forgotten'),
  // Within an hour of a new secret, no saved key needs the previous one.
  'renew-ai-keys': {
    schedule: hourlyAt(53),
    async run({ database, ai }, log) {
      const { vault } = ai.access
      if (!vault) return
      const renewalCounts = [await renewKeys(database.kysely, vault), await renewSourceKeys(database.kysely, vault)]
      const [renewedCount, unreadable] = (['renewed', 'unreadable'] as const).map((what) =>
        renewalCounts.reduce((sum, one) => sum + one[what], 0),
      )
      if (renewedCount)
        log.info({ renewed: renewedCount }, 'saved keys were re-encrypted with the first secret of AI_KEY_ENCRYPTION_SECRET')
      if (unreadable) log.warn({ unreadable }, 'saved keys cannot be read: AI_KEY_ENCRYPTION_SECRET lacks their secret')
    },
  },
} as const satisfies JobTable

/** A job that deletes old rows, and logs how many if there were any. */
function deletingOld(schedule: Job['schedule'], deleteOld: (pool: pg.Pool) => Promise<number>, message: string): Job {
  return {
    schedule,
    async run({ database }, log) {
      const forgottenCount = await deleteOld(database.pool)
      if (forgottenCount > 0) log.info({ forgotten: forgottenCount }, message)
    },
  }
}
