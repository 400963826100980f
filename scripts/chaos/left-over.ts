import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { jobs } from '../../src/jobs/index.ts'
import { openQueue } from '../../src/queue/queue.ts'
import type { Service } from './service.ts'
import { persist, until } from './until.ts'

/** What marks the store as this installation's. */
const MARK = 'installation'
const DAY_MS = 86_400_000

async function filesIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/**
 * Waits until expired and deleted batches have left nothing in the store, and returns what is there all the same.
 * Files of processes that died in the middle of a write are made a day old, so that the hourly sweep need not be waited for.
 */
export async function leftOver({ dir, database }: Service, seconds: number): Promise<readonly string[]> {
  const root = join(dir, 'data', 'blobs')
  const left = async () => (await filesIn(root)).filter((file) => file !== join(root, MARK))
  const yesterday = new Date(Date.now() - DAY_MS)
  const queue = await persist(() => openQueue(database, false, { onError() {}, onWarning() {} }))
  try {
    await until(
      'the store is empty',
      async () => {
        for (const file of await left()) await utimes(file, yesterday, yesterday).catch(() => {})
        for (const job of HOUSEKEEPING) await queue.send('housekeeping', { job }, { key: job })
        return (await left()).length === 0
      },
      seconds,
    )
    return []
  } catch {
    return await left()
  } finally {
    await queue.close()
  }
}

/** What the clock would begin within the hour. */
const HOUSEKEEPING: readonly (keyof typeof jobs)[] = ['expire-batches', 'sweep-files']
