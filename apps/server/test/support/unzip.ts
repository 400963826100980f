import { inspectArchive } from '../../src/archives/inspect.ts'
import { readEntry } from '../../src/archives/read-entry.ts'
import { ARCHIVE_LIMITS, MOST_BYTES, sourceOf } from './archives.ts'

/** The files of a ZIP by their paths, in its order. */
export async function unzip(bytes: Buffer): Promise<Readonly<Record<string, Buffer>>> {
  const source = sourceOf(bytes)
  const files: Record<string, Buffer> = {}
  for (const entry of await inspectArchive(source, ARCHIVE_LIMITS)) {
    files[entry.path] = Buffer.concat(await readEntry(source, entry, MOST_BYTES))
  }
  return files
}
