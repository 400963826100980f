import type { Database } from '../../src/database/database.ts'
import { openLog } from '../../src/log.ts'
import { metrics } from '../../src/metrics/metrics.ts'
import { type JobTable, startJobs } from '../../src/scheduler.ts'
import type { Services } from '../../src/services.ts'

export const log = openLog('silent')
const meters = metrics()

/** Whether the metrics of the jobs have this line. */
export const metric = async (line: string): Promise<boolean> => (await meters.registry.metrics()).includes(`\n${line}\n`)

/** What jobs need of the services. */
export const services = (database?: Services['database']) => ({ database, metrics: meters }) as Services

/** Starts the same jobs as so many processes would. */
export async function startProcesses(processes: number, table: JobTable, database: Database) {
  const loops = await Promise.all(Array.from({ length: processes }, () => startJobs(table, services(database), log)))
  return {
    /** Each process looks for jobs that are due; returns whether any was. */
    look: async () => (await Promise.all(loops.map((loop) => loop.look()))).includes(true),
    close: () => Promise.all(loops.map((loop) => loop.close())),
  }
}
