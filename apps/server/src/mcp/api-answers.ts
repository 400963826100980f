import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import { inspectArchive } from '../archives/inspect.ts'
import { readEntry } from '../archives/read-entry.ts'
import { ApiError } from '../contract/api-error.ts'
import { type ErrorName, errors } from '../contract/errors.ts'
import type { OwnAnswer } from '../contract/own-request.ts'

// What the API answers, as the tools need it.

const errorBody = z.object({
  statusMessage: z.string(),
  message: z.string(),
  issues: z
    .array(z.object({ path: z.array(z.union([z.string(), z.number()])), code: z.string(), message: z.string() }))
    .optional(),
})

/** @throws ApiError the API's own */
export function succeedAnswer(answer: OwnAnswer): OwnAnswer {
  if (answer.status < 400) return answer
  const { statusMessage, message, issues } = errorBody.parse(JSON.parse(answer.body.toString()))
  if (!(statusMessage in errors)) throw new Error(`the API answered with an unknown error: ${statusMessage}`)
  const retryAfter = Number(answer.headers['retry-after'])
  throw new ApiError(statusMessage as ErrorName, {
    message,
    ...(issues && { issues }),
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  })
}

export const jsonOf = ({ body }: OwnAnswer): object => JSON.parse(body.toString()) as object

export interface NamedBytes {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

/** The images of an answer of POST /api/v3/images, in the order of the outputs. */
export async function imagesOf({ headers, body }: OwnAnswer, names: readonly string[]): Promise<readonly NamedBytes[]> {
  if (names.length > 1) return await imagesOfArchive(body)
  const size = { width: Number(headers['x-image-width']), height: Number(headers['x-image-height']) }
  return [{ name: names[0] ?? 'image', ...size, bytes: body }]
}

const manifest = z.object({
  outputs: z.array(z.object({ name: z.string(), file: z.string(), width: z.number(), height: z.number() })),
})

async function imagesOfArchive(archive: Buffer): Promise<readonly NamedBytes[]> {
  const files = await unpackAll(archive)
  const { outputs } = manifest.parse(JSON.parse(files.get('manifest.json')?.toString() ?? ''))
  return outputs.map(({ file, ...facts }) => {
    const bytes = files.get(file)
    if (!bytes) throw new Error(`the API answered without ${file}`)
    return { ...facts, bytes }
  })
}

/** Of an answer with several images; each of them is at most this large. */
const LIMITS = { archiveBytes: 1024 * MiB, entries: limits.recipe.outputs + 1, unpackedBytes: 1024 * MiB }

async function unpackAll(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const source = {
    size: archive.length,
    read: async (position: number, length: number) => archive.subarray(position, position + length),
  }
  const files = new Map<string, Buffer>()
  for (const entry of await inspectArchive(source, LIMITS)) {
    if (entry.kind === 'file') files.set(entry.path, Buffer.concat(await readEntry(source, entry, LIMITS.unpackedBytes)))
  }
  return files
}
