import { codecs, recognise } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { HEAD_BYTES, isImageName } from '@pixelmill/codecs/image-formats'
import type { ArchiveEntry } from '../archives/inspect.ts'
import { type ResultFile, resultPaths } from '../archives/paths.ts'
import { readHead } from '../archives/read-entry.ts'
import type { ArchiveSource } from '../archives/source.ts'
import { ApiError, isRefusal } from '../contract/api-error.ts'
import type { BatchOutput } from './batch.ts'

/** The file in the result archive that lists the outcome of every entry. */
export const MANIFEST = 'manifest.json'

/** An output of an entry, as in the table of a batch's items; a skipped entry has neither output nor entry. */
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
 * reported instead of skipped. One item for each image and output: `seq` is the entry's index × the number of outputs + the output's.
 * @throws ApiError `archive_has_no_images`
 */
export async function chooseImages(
  source: ArchiveSource,
  entries: readonly ArchiveEntry[],
  outputs: readonly BatchOutput[],
): Promise<readonly NewItem[]> {
  const keepsFormat = outputs.some(({ format }) => format === 'same')
  const images = await findImages(source, entries, keepsFormat)
  if (images.size === 0) throw new ApiError('archive_has_no_images')
  const chosenImages = entries.flatMap((entry): readonly Wanted[] => {
    const image = images.get(entry)
    if (image === undefined) return [{ entry, seq: entry.index * outputs.length }]
    return outputs.map((output, nth) => ({
      entry,
      seq: entry.index * outputs.length + nth,
      file: fileOf(entry, image, output, outputs.length > 1),
    }))
  })
  const files = chosenImages.flatMap(({ file }) => file ?? [])
  const paths = resultPaths(files, [MANIFEST]).values()
  return chosenImages.map(({ entry, seq, file }) => {
    const output = file ? (paths.next().value ?? null) : null
    return { seq, source: entry.path, output, entry: file ? entry : null }
  })
}

interface Wanted {
  readonly entry: ArchiveEntry
  readonly seq: number
  /** Absent for what is no image. */
  readonly file?: ResultFile
}

function fileOf({ path }: ArchiveEntry, image: Found, { name, format }: BatchOutput, several: boolean): ResultFile {
  const codec = format === 'same' ? keptCodec(image) : codecs[format]
  return { path, extension: codec.extension, ...(several && { suffix: `-${name}` }) }
}

/** The codec by the first bytes; null where they were not read, or are not those of an image. */
type Found = Codec | null

/** The format of a result that keeps that of its source. HEIC becomes JPEG: whether this server writes it is not known here. */
export const keptCodec = (source: Found): Codec => (source && source !== codecs.heic ? source : codecs.jpeg)

async function findImages(
  source: ArchiveSource,
  entries: readonly ArchiveEntry[],
  readsAll: boolean,
): Promise<ReadonlyMap<ArchiveEntry, Found>> {
  const sourceCodecs = new Map<ArchiveEntry, Found>()
  // One iterator for all concurrent readers: each takes the next entry.
  const files = entries.filter(({ kind }) => kind === 'file').values()
  const recogniseNext = async () => {
    for (const entry of files) {
      const isNamed = isImageName(entry.path)
      const codec = isNamed && !readsAll ? null : await codecOf(source, entry)
      if (isNamed || codec) sourceCodecs.set(entry, codec)
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, recogniseNext))
  return sourceCodecs
}

async function codecOf(source: ArchiveSource, entry: ArchiveEntry): Promise<Found> {
  if (entry.bytes === 0) return null
  try {
    return recognise(await readHead(source, entry, HEAD_BYTES)) ?? null
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}
