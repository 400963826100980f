import { expireBatches } from '../batch/end-batches.ts'
import { removeAllFiles } from '../batch/remove-files.ts'
import { defineJob } from './job.ts'

/** Results go 24 hours after their batch ended, within the minute; and so do files whose removal a dead process left undone. */
export const expire = defineJob({
  cron: '* * * * *',
  async run(services, log) {
    const expired = await expireBatches(services.database.pool)
    const cleaned = await removeAllFiles(services)
    if (expired.length > 0) log.info({ expired: expired.length, cleaned }, 'results of batches have expired')
  },
})
