import { chmodSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A folder that goes when the test ends. */
export async function tempFolder(test: Pick<TestContext, 'after'>): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'pixelmill-test-')))
  test.after(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  // mkdtemp's 0700 would keep other users, whom some tests play, from what is inside.
  chmodSync(path, 0o755)
  return path
}
