import type { ArchiveEntry } from '../archives/inspect.ts'
import { resultPaths } from '../archives/paths.ts'
import { readHead } from '../archives/read-entry.ts'
import type { ArchiveSource } from '../archives/source.ts'
import { codecs, HEAD_BYTES, recognise } from '../codecs/index.ts'
import { ApiError } from '../contract/api-error.ts'
import { isImageName } from '../web/image-formats.ts'
import type { OutputFormat } from './batch.ts'

/** The file in the result archive that lists the outcome of every entry. */
export const MANIFEST = 'manifest.json'

/** An entry, as in the table of a batch's items; a skipped one has neither output nor entry. */
export interface NewItem {
  readonly seq: number
  readonly source: string
  /** Path of its result. */
  readonly output: string | null
  readonly entry: ArchiveEntry | null
}

/** A bucket answers many reads in the time of one, and Node has no more threads for a folder. */
const READS_AT_ONCE = 16

/**
 * Selects the images among the entries of an archive: by their first bytes, or by their name, so that a damaged image fails and is
 * reported instead of skipped.
 * @throws ApiError `archive_has_no_images`
 */
export async function chooseImages(
  source: ArchiveSource,
  entries: readonly ArchiveEntry[],
  format: OutputFormat,
): Promise<readonly NewItem[]> {
  const images = await findImages(source, entries)
  if (images.length === 0) throw new ApiError('archive_has_no_images')
  const paths = images.map(({ path }) => path)
  const outputs = resultPaths(paths, codecs[format].extension, [MANIFEST])
  const outputOf = new Map(images.map((image, nth) => [image.index, outputs[nth] ?? null]))
  return entries.map((entry) => {
    const output = outputOf.get(entry.index) ?? null
    return { seq: entry.index, source: entry.path, output, entry: output === null ? null : entry }
  })
}

async function findImages(source: ArchiveSource, entries: readonly ArchiveEntry[]): Promise<readonly ArchiveEntry[]> {
  const isImage = new Set<ArchiveEntry>()
  // One iterator for all concurrent readers: each takes the next entry.
  const files = entries.filter(({ kind }) => kind === 'file').values()
  const recogniseNext = async () => {
    for (const entry of files) if (isImageName(entry.path) || (await beginsLikeImage(source, entry))) isImage.add(entry)
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, recogniseNext))
  return entries.filter((entry) => isImage.has(entry))
}

async function beginsLikeImage(source: ArchiveSource, entry: ArchiveEntry): Promise<boolean> {
  if (entry.bytes === 0) return false
  try {
    return recognise(await readHead(source, entry, HEAD_BYTES)) !== undefined
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
