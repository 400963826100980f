import assert from 'node:assert/strict'
import { type ArchiveEntry, inspectArchive } from '../../src/archives/inspect.ts'
import { readEntry } from '../../src/archives/read-entry.ts'
import type { ArchiveSource } from '../../src/archives/source.ts'
import { isRefusal } from '../../src/contract/api-error.ts'

export const ARCHIVE_LIMITS = { archiveBytes: 512 * 2 ** 20, entries: 1_000, unpackedBytes: 5 * 2 ** 30 }
export const BATCH_LIMITS = { archive: ARCHIVE_LIMITS, share: { batches: 10_000, bytes: 2 ** 40 } }
export const MOST_BYTES = 15 * 2 ** 20

/** A source that counts the bytes read, and fails the test on a read beyond its end. */
export interface NotedSource extends ArchiveSource {
  readonly noted: { reads: number; bytes: number }
}

export function sourceOf(bytes: Buffer): NotedSource {
  const notedValue = { reads: 0, bytes: 0 }
  const read = async (position: number, length: number) => {
    assert.ok(position >= 0 && length >= 0 && position + length <= bytes.length, `${length} bytes at ${position}`)
    notedValue.reads++
    notedValue.bytes += length
    return bytes.subarray(position, position + length)
  }
  return { size: bytes.length, read, noted: notedValue }
}

export const inspect = (bytes: Buffer, limits = ARCHIVE_LIMITS): Promise<readonly ArchiveEntry[]> =>
  inspectArchive(sourceOf(bytes), limits)

/** The content of the nth entry. */
export async function unpack(bytes: Buffer, nth = 0, mostBytes = MOST_BYTES): Promise<Buffer> {
  const entry = (await inspect(bytes))[nth]
  assert.ok(entry)
  return Buffer.concat(await readEntry(sourceOf(bytes), entry, mostBytes))
}

/** Reads the whole archive; every error must be one for the caller. */
export async function outcome(bytes: Buffer): Promise<'read' | 'partly' | 'refused'> {
  try {
    const files = (await inspect(bytes)).filter(({ kind }) => kind === 'file')
    const results = await Promise.all(files.map((entry) => readWhole(bytes, entry)))
    return results.every((whole) => whole) ? 'read' : 'partly'
  } catch (error) {
    if (isRefusal(error) && error.code !== 'invalid_image') return 'refused'
    throw error
  }
}

async function readWhole(bytes: Buffer, entry: ArchiveEntry): Promise<boolean> {
  try {
    const chunks = await readEntry(sourceOf(bytes), entry, MOST_BYTES)
    assert.equal(
      chunks.reduce((sum, chunk) => sum + chunk.length, 0),
      entry.bytes,
    )
    return true
  } catch (error) {
    if (isRefusal(error) && (error.code === 'invalid_image' || error.code === 'file_too_large')) return false
    throw error
  }
}
