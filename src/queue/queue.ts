import { PgBoss, type Warning } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { inTurn } from '../database/in-turn.ts'
import { type QueueData, type QueueName, queues } from './queues.ts'

/** Where SQL runs: the pool, or the connection of a transaction. */
export interface Runs {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

export interface SendOptions {
  /** Of the jobs with one key at most one waits: a second is not sent. */
  readonly key: string
  readonly afterSeconds?: number
  /** The transaction that the job belongs to: it exists when that is committed. */
  readonly within?: Runs
}

export interface Workers {
  /** Jobs that this process works on at once. */
  readonly atOnce: number
  /** Seconds between looks for jobs when none was found, and nobody wakes it. */
  readonly everySeconds: number
}

/** Durable jobs, shared by all processes on one database. Each is worked on by one of them at a time. */
export interface Queue {
  send<Name extends QueueName>(name: Name, data: QueueData[Name], options: SendOptions): Promise<void>
  /** A handler that throws has its job tried again, as its queue says. `signal` aborts when the process stops or the job takes too long. */
  work<Name extends QueueName>(
    name: Name,
    workers: Workers,
    handle: (data: QueueData[Name], signal: AbortSignal) => Promise<void>,
  ): Promise<void>
  /** Has this process look for jobs at once. */
  wake(name: QueueName): void
  /**
   * Adds to housekeeping's plan: job by name → when, as five fields of cron, in UTC. Exactly one process sends each. Of what
   * others have planned only the `retired` is taken out: they may be of a newer version, which has jobs of its own.
   */
  plan(times: Readonly<Record<string, string>>, retired: readonly string[]): Promise<void>
  /** Whether the tables of the queue answer. */
  check(): Promise<void>
  /** Waits for the jobs in hand, at most as long as a stop may take. */
  close(): Promise<void>
}

export interface QueueEvents {
  onError(error: Error): void
  onWarning(warning: Warning): void
}

/** Less than the 30 s that a stop may take: contract §9. */
const STOP_MS = 20_000
/** The check of the clock, and of jobs whose worker died, is a query each. */
const MONITOR_SECONDS = 10

/** Any number: it only has to be the same in every process. pg-boss itself fails when two make its tables at once. */
const TABLES_LOCK = 7_312_003

/** Makes the tables of the queue, and what our queues are. */
async function bringUpToDate(boss: PgBoss): Promise<void> {
  await boss.start()
  for (const [name, options] of Object.entries(queues)) {
    await boss.createQueue(name, options)
    const { policy: _, ...changeable } = options
    await boss.updateQueue(name, changeable)
  }
}

/** `works`: whether this process works on jobs, and plans them; else it only sends. */
export async function openQueue({ pool }: Pick<Database, 'pool'>, works: boolean, events: QueueEvents): Promise<Queue> {
  // As it comes: of several statements in one text there is a list of results, which pg-boss reads too.
  const run = (within: Runs, text: string, values?: unknown[]) => within.query(text, values)
  const boss = new PgBoss({
    db: { executeSql: (text, values) => run(pool, text, values) },
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
  })
  boss.on('error', events.onError)
  boss.on('warning', events.onWarning)
  await inTurn(pool, TABLES_LOCK, () => bringUpToDate(boss))
  const workers = new Map<QueueName, string[]>()

  return {
    async send(name, data, { key, afterSeconds, within }) {
      await boss.send(name, data, {
        singletonKey: key,
        // Seconds from the database's now.
        ...(afterSeconds !== undefined && { startAfter: Math.ceil(afterSeconds) }),
        ...(within && { db: { executeSql: (text: string, values?: unknown[]) => run(within, text, values) } }),
      })
    },
    async work(name, { atOnce, everySeconds }, handle) {
      const look = async (): Promise<string> => {
        const options = { pollingIntervalSeconds: everySeconds }
        const id = await boss.work<QueueData[typeof name]>(name, options, async (jobs) => {
          for (const { data, signal } of jobs) await handle(data, signal)
          // Who has found a job looks again at once: where many batches end, one for each look would be too few.
          boss.notifyWorker(id)
        })
        return id
      }
      workers.set(name, [...(workers.get(name) ?? []), ...(await Promise.all(Array.from({ length: atOnce }, look)))])
    },
    wake(name) {
      for (const id of workers.get(name) ?? []) boss.notifyWorker(id)
    },
    async plan(times, retired) {
      for (const job of retired) await boss.unschedule('housekeeping', job)
      for (const [job, cron] of Object.entries(times))
        await boss.schedule('housekeeping', cron, { job }, { key: job, singletonKey: job, tz: 'UTC' })
    },
    check: async () => void (await boss.schemaVersion()),
    close: () => boss.stop({ graceful: true, timeout: STOP_MS, close: false }),
  }
}
