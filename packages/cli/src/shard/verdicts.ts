import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Outcome } from '../convert/conversion.ts'
import { jsonLine } from '../convert/report.ts'
import { RunFailure, systemCode } from '../failure.ts'
import { isBucketUri } from '../files/bucket.ts'
import { makeFolder } from '../files/make-folder.ts'
import { placeOf } from '../files/sources-of.ts'
import type { Part } from './json-lines.ts'
import type { Buckets } from './keys.ts'

/** The file that says what became of each key of a part, as JSON lines. It exists once the part is complete. */
export interface Verdicts {
  /** Its path or URI. */
  readonly name: string
  /** Whether the part was completed before. */
  exist(): Promise<boolean>
  add(outcome: Outcome): void
  /** Gives the file its name. */
  complete(): Promise<void>
}

/**
 * @param folder a folder or `s3://bucket/prefix`
 * @param run identifies the manifest and what is done with it: a part of another run is not the same part
 */
export async function openVerdicts(
  folder: string,
  run: string,
  { index, of }: Part,
  buckets: Buckets,
  resources: AsyncDisposableStack,
): Promise<Verdicts> {
  const digits = String(of).length
  const file = `part-${String(index).padStart(digits, '0')}-of-${of}-${run}.jsonl`
  const place = isBucketUri(folder) ? await bucketVerdicts(folder, file, buckets) : folderVerdicts(folder, file)
  // Beside its final place, where it can be renamed; lines of an incomplete part are of no use to anybody.
  const temporary = join(place.temporaryFolder, `.${file}.${randomUUID()}.incomplete`)
  try {
    makeFolder(place.temporaryFolder)
  } catch (error) {
    throw new RunFailure(`${place.temporaryFolder} cannot be written (${systemCode(error)}).`, { cause: error })
  }
  const lines = createWriteStream(temporary, { flags: 'wx' })
  let fault: unknown
  lines.on('error', (error) => {
    fault = error
  })
  resources.defer(async () => {
    lines.destroy()
    await rm(temporary, { force: true })
  })
  return {
    name: place.name,
    exist: place.exist,
    add: (outcome) => void lines.write(`${jsonLine(outcome)}\n`),
    async complete() {
      if (fault === undefined) await finished(lines.end()).catch(() => {})
      if (fault !== undefined) throw new RunFailure(`The verdicts cannot be written (${systemCode(fault)}).`, { cause: fault })
      await place.keep(temporary)
    },
  }
}

interface VerdictPlace {
  readonly name: string
  readonly temporaryFolder: string
  exist(): Promise<boolean>
  keep(temporary: string): Promise<void>
}

function folderVerdicts(folder: string, file: string): VerdictPlace {
  const name = join(folder, file)
  return {
    name,
    temporaryFolder: dirname(name),
    exist: () =>
      stat(name).then(
        () => true,
        () => false,
      ),
    keep: (temporary) => rename(temporary, name),
  }
}

async function bucketVerdicts(uri: string, file: string, buckets: Buckets): Promise<VerdictPlace> {
  const { bucket, prefix } = placeOf(uri)
  const key = prefix === '' || prefix.endsWith('/') ? `${prefix}${file}` : `${prefix}/${file}`
  const objects = await buckets.of(bucket)
  return {
    name: `s3://${bucket}/${key}`,
    temporaryFolder: tmpdir(),
    exist: async () => (await objects.head(key)) !== undefined,
    keep: (temporary) => objects.putStream(key, createReadStream(temporary), 'application/x-ndjson'),
  }
}
