import type { jobs } from '../../src/housekeeping.ts'
import { openQueue } from '../../src/queue/queue.ts'
import type { Service } from './service.ts'
import { persist, until } from './until.ts'

/** Waits until expired and deleted batches have left nothing in the store, and returns what is there all the same. */
export async function leftOver({ database, leftFiles }: Service, seconds: number): Promise<readonly string[]> {
  const queue = await persist(() => openQueue(database, false, { onError() {}, onWarning() {} }))
  try {
    await until(
      'the store is empty',
      async () => {
        for (const job of HOUSEKEEPING) await queue.send('housekeeping', { job }, { key: job })
        return (await leftFiles()).length === 0
      },
      seconds,
    )
    return []
  } catch {
    return await leftFiles()
  } finally {
    await queue.close()
  }
}

/** What the clock would begin within the hour. */
const HOUSEKEEPING: readonly (keyof typeof jobs)[] = ['expire-batches', 'sweep-files']
