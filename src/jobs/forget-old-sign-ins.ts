import { forgetOldPlaces } from '../accounts/known-places.ts'
import { forgetExpiredTokens } from '../accounts/login-tokens.ts'
import { forgetOldAttempts } from '../accounts/throttle.ts'
import { defineJob } from './job.ts'

/** None holds anybody any more: the database's clock is asked at each use. */
const forgetting = [forgetExpiredTokens, forgetOldAttempts, forgetOldPlaces] as const

/** Expired login tokens, attempts to sign in that no longer count, and places that nobody came back to. */
export const forgetSignIns = defineJob({
  cron: '27 * * * *',
  async run({ database }) {
    for (const forget of forgetting) while ((await forget(database.kysely)) > 0);
  },
})
