import type { jobs } from 'pixelmill-server/housekeeping'
import type { Service } from './service.ts'
import { persist, until } from './until.ts'

/** Waits until expired and deleted batches, and the source of deliveries, have left nothing in the store, and returns what is still there. */
export async function leftOver({ database, leftFiles }: Service, seconds: number): Promise<readonly string[]> {
  const hurry = 'update housekeeping_job set due_at = clock_timestamp() where name = any($1)'
  try {
    await until(
      'the store is empty',
      async () => {
        await persist(() => database.pool.query(hurry, [HOUSEKEEPING]))
        return (await leftFiles()).length === 0
      },
      seconds,
    )
    return []
  } catch {
    return await leftFiles()
  }
}

/** Makes work due now that would be due within the hour. */
const HOUSEKEEPING: readonly (keyof typeof jobs)[] = ['expire-batches', 'sweep-files', 'sweep-cache']
