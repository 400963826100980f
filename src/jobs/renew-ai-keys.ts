import { renewKeys } from '../ai/keys/renew-keys.ts'
import { defineJob } from './job.ts'

/** Within an hour of a new secret, no saved key needs the one before. */
export const renewAiKeys = defineJob({
  cron: '53 * * * *',
  async run(
    {
      database,
      ai: {
        access: { vault },
      },
    },
    log,
  ) {
    if (!vault) return
    const { renewed, unreadable } = await renewKeys(database.kysely, vault)
    if (renewed > 0) log.info({ renewed }, 'saved AI keys were encrypted anew with the first secret of AI_KEY_ENCRYPTION_SECRET')
    if (unreadable > 0) log.warn({ unreadable }, 'saved AI keys cannot be read: AI_KEY_ENCRYPTION_SECRET lacks their secret')
  },
})
