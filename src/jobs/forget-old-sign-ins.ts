import { forgetExpiredTokens } from '../accounts/login-tokens.ts'
import { forgetOldAttempts } from '../accounts/throttle.ts'
import { defineJob } from './job.ts'

/** Neither holds anybody any more: the database's clock is asked at each use. */
const forgetting = [forgetExpiredTokens, forgetOldAttempts] as const

/** Expired login tokens, and attempts to sign in that no longer count. */
export const forgetSignIns = defineJob({
  cron: '27 * * * *',
  async run({ database }) {
    for (const forget of forgetting) while ((await forget(database.kysely)) > 0);
  },
})
