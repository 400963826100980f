import { VERSION } from '@pixelmill/engine/version'
import { deliverEvents } from './batch/batch-events.ts'
import { startRemovingFiles } from './batch/remove-files.ts'
import type { ClaimLoop } from './concurrency/claim-loop.ts'
import { outage } from './concurrency/outage.ts'
import { jobs } from './housekeeping.ts'
import type { Log } from './log.ts'
import { startJobs } from './scheduler.ts'
import type { ServiceEvents, Services } from './services.ts'

/** Starts the background work, except for images of batches; any number of processes share it. */
export async function startWork(services: Services, log: Log, startedParts: AsyncDisposableStack): Promise<void> {
  const loops = [await startJobs(jobs, services, log), removeFilesOfBatches(services, log), deliverWebhooks(services, log)]
  startedParts.defer(() => Promise.all(loops.map((loop) => loop.close())).then(() => {}))
}

function removeFilesOfBatches(services: Services, log: Log): ClaimLoop {
  const database = outage({
    onBegin: (error) => log.warn({ err: error }, 'removing files of batches waits for the database'),
    onEnd: () => log.info('the database works: removing files of batches goes on'),
  })
  return startRemovingFiles(services, {
    onFault: (batch, error) => log.warn({ err: error, batch }, 'files of a batch are left for the housekeeping'),
    onLook: database.report,
  })
}

/** One log line when an outage that stops batches begins, and one when it ends. */
export function batchEvents(log: Log): ServiceEvents['batches'] {
  return {
    onEnded: (batches) => log.debug({ batches }, 'batches have ended'),
    storage: {
      onBegin: (error) => log.warn({ err: error }, 'batches wait for the store'),
      onEnd: () => log.info('the store works: batches go on'),
    },
    database: {
      onBegin: (error) => log.warn({ err: error }, 'batches wait for the database'),
      onEnd: () => log.info('the database works: batches go on'),
    },
    onFault: (error) => log.error({ err: error }, 'an image of a batch met a fault of ours'),
  }
}

/** An account's list of deliveries shows the receiver's faults; only the log has the address that was connected to. */
function deliverWebhooks({ database, outbound, metrics }: Services, log: Log): ClaimLoop {
  return deliverEvents(
    { database, outbound, userAgent: `Pixelmill/${VERSION}` },
    {
      onAttempt({ id, accountId, number }, { durationMs: ms, status, reason, outcome }) {
        metrics.onWebhookAttempt(outcome.status, ms / 1000)
        log.info(
          { webhook: id, account: accountId, number, ms, status, reason, outcome: outcome.status },
          'a webhook was attempted',
        )
      },
      onFault: ({ id }, error) => log.error({ err: error, webhook: id }, 'a webhook met a fault of ours'),
      database: {
        onBegin: (error) => log.warn({ err: error }, 'webhooks wait for the database'),
        onEnd: () => log.info('the database works: webhooks go on'),
      },
    },
  )
}
