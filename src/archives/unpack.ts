import { limits, MiB } from '../contract/limits.ts'
import { inspectArchive } from './inspect.ts'
import { readEntry } from './read-entry.ts'
import type { ArchiveSource } from './source.ts'

/** Of an answer with several images; each of them is at most this large. */
const LIMITS = { archiveBytes: 1024 * MiB, entries: limits.recipe.outputs + 1, unpackedBytes: 1024 * MiB }

/**
 * The files of a ZIP in memory, such as an answer of POST /api/v3/images, by their paths.
 * @throws ApiError invalid_archive, archive_too_large
 */
export async function unpackAll(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const source: ArchiveSource = {
    size: archive.length,
    read: async (position, length) => archive.subarray(position, position + length),
  }
  const files = new Map<string, Buffer>()
  for (const entry of await inspectArchive(source, LIMITS)) {
    if (entry.kind === 'file') files.set(entry.path, Buffer.concat(await readEntry(source, entry, LIMITS.unpackedBytes)))
  }
  return files
}
