import { sweepOrphans } from '../batch/remove-files.ts'
import { defineJob } from './job.ts'

/** Longer than the longest upload, which is a put that is not done. */
const UNFINISHED_MS = 2 * 3_600_000

/** What processes that died left in the store: files that no batch knows of, and puts that never ended. */
export const sweep = defineJob({
  cron: '57 * * * *',
  async run(services, log) {
    const orphans = await sweepOrphans(services)
    const unfinished = await services.blobs.sweep(new Date(Date.now() - UNFINISHED_MS))
    if (orphans + unfinished > 0) log.info({ orphans, unfinished }, 'files of processes that died were removed')
  },
})
