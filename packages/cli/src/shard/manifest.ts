import { InvalidArgumentError } from 'commander'
import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { ImageFailure } from '../failure.ts'
import { jsonLines, type Part } from './json-lines.ts'
import type { RandomFile } from './random-file.ts'

/** One row of a manifest: a key, or why it has none. */
export type ManifestRow = { readonly key: string } | { readonly place: string; readonly failure: ImageFailure }

/**
 * The keys of one part of a manifest, in its order. Together the parts have every row once; of a large manifest only the part is read.
 * A Parquet file is divided by rows; JSON lines by bytes: a line belongs to the part in which it begins.
 * @param column the field or column of the keys. A JSON line may also be the key itself, as a string
 * @throws InvalidArgumentError if it is not a manifest
 */
export async function* manifestRows(file: RandomFile, part: Part, column: string): AsyncGenerator<ManifestRow> {
  if (await isParquet(file)) yield* parquetRows(file, part, column)
  else for await (const { at, text } of jsonLines(file, part)) yield rowOf(at, text, column)
}

const MAGIC = 'PAR1'

async function isParquet({ size, read }: RandomFile): Promise<boolean> {
  return size > MAGIC.length && (await read(0, MAGIC.length)).toString('latin1') === MAGIC
}

async function* parquetRows(file: RandomFile, { index, of }: Part, column: string): AsyncGenerator<ManifestRow> {
  const buffer: AsyncBuffer = {
    byteLength: file.size,
    async slice(start, end = file.size) {
      const bytes = await file.read(start, end - start)
      return new Uint8Array(bytes).buffer
    },
  }
  const metadata = await parquetMetadataAsync(buffer).catch((error: Error) => {
    throw new InvalidArgumentError(`The manifest is not a Parquet file: ${error.message}.`)
  })
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  if (!names.includes(column))
    throw new InvalidArgumentError(`The manifest has no column ${column}, but ${names.join(', ')}: name one with --column.`)
  const total = Number(metadata.num_rows)
  const first = Math.floor((total * index) / of)
  const end = Math.floor((total * (index + 1)) / of)
  let begin = 0
  for (const { num_rows } of metadata.row_groups) {
    // Group by group, since a group's column is decoded as a whole.
    const rowStart = Math.max(first, begin)
    const rowEnd = Math.min(end, begin + Number(num_rows))
    begin += Number(num_rows)
    if (rowStart >= rowEnd) continue
    const rows = await parquetReadObjects({ file: buffer, metadata, compressors, columns: [column], rowStart, rowEnd })
    for (const [nth, row] of rows.entries()) yield keyRow(row[column], `row ${rowStart + nth}`)
  }
}

function rowOf(at: number, text: string | undefined, column: string): ManifestRow {
  const place = `byte ${at}`
  if (text === undefined) return { place, failure: new ImageFailure('invalid_line', 'it is too long') }
  try {
    const value: unknown = JSON.parse(text)
    return keyRow(typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[column] : value, place)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { place, failure: new ImageFailure('invalid_line', 'it is not JSON') }
  }
}

const keyRow = (key: unknown, place: string): ManifestRow =>
  typeof key === 'string' && key !== '' ? { key } : { place, failure: new ImageFailure('invalid_line', 'it has no key') }
