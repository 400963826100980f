import { clearDeletedAccounts } from '../accounts/clear-accounts.ts'
import { defineJob } from './job.ts'

/** What an account's deletion could not finish, since its server died, and what was still under way then. */
export const clearDeleted = defineJob({
  cron: '* * * * *',
  async run({ database }, log) {
    const cleared = await clearDeletedAccounts(database.pool)
    if (cleared > 0) log.info({ cleared }, 'nothing but the books is left of deleted accounts')
  },
})
