import { deliverEvents } from './batch/batch-events.ts'
import { removeFiles } from './batch/remove-files.ts'
import { jobs, retiredJobs } from './housekeeping.ts'
import type { Log } from './log.ts'
import type { Queue } from './queue/queue.ts'
import { startJobs } from './scheduler.ts'
import type { ServiceEvents, Services } from './services.ts'
import { VERSION } from './version.ts'
import type { Dispatcher } from './webhooks/dispatcher.ts'

/** Seconds between looks for files to remove: nobody waits for that. */
const LOOK_SECONDS = 2

/** Begins what is done behind the answers, beside converting the images of batches: all of it by any number of processes. */
export async function startWork(services: Services, log: Log, started: AsyncDisposableStack): Promise<void> {
  await startJobs(jobs, retiredJobs, services, log)
  await services.queue.work('remove-batch-files', { atOnce: 2, everySeconds: LOOK_SECONDS }, ({ batchId }) =>
    removeFiles(services, batchId),
  )
  const webhooks = tellReceivers(services, log)
  started.defer(() => webhooks.close())
}

/** One line when something begins to stand in the way of batches, and one when it does no longer. */
export function batchEvents(queue: Queue, log: Log): ServiceEvents['batches'] {
  const remove = (batchId: string) =>
    queue
      .send('remove-batch-files', { batchId }, { key: batchId })
      .catch((error: unknown) => log.warn({ err: error, batch: batchId }, 'files of a batch are left for the sweep'))
  return {
    onEnded: (batchIds) => void Promise.all(batchIds.map(remove)),
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

/** What a receiver did wrong is for the account's list; of the address that it has inside the network, only the log knows. */
function tellReceivers({ database, outbound, metrics }: Services, log: Log): Dispatcher {
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
