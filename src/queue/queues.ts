import type { Queue as Options } from 'pg-boss'

export type QueueName = 'remove-batch-files' | 'housekeeping'

/** What each queue's jobs carry. */
export interface QueueData extends Record<QueueName, object> {
  readonly 'remove-batch-files': { readonly batchId: string }
  readonly housekeeping: { readonly job: string }
}

/**
 * Coarse work that must happen though processes die. `stately`: of the jobs with one key at most one waits and one is at
 * work. A worker that died is noticed after its heartbeat; then the job is given to another.
 */
export const queues = {
  'remove-batch-files': {
    policy: 'stately',
    heartbeatSeconds: 30,
    retryLimit: 20,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 3_600,
    deleteAfterSeconds: 3_600,
  },
  // The next minute comes anyway: nothing is tried again.
  housekeeping: { policy: 'stately', heartbeatSeconds: 30, retryLimit: 0, deleteAfterSeconds: 3_600 },
} as const satisfies Record<QueueName, Omit<Options, 'name'>>
