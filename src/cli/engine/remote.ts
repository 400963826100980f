import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { inspectArchive } from '../../archives/inspect.ts'
import { readEntry } from '../../archives/read-entry.ts'
import type { Codec } from '../../codecs/codec.ts'
import { codecs, recognise } from '../../codecs/index.ts'
import { ApiError } from '../../contract/api-error.ts'
import { type ErrorName, errors } from '../../contract/errors.ts'
import { MiB } from '../../contract/limits.ts'
import type { WrittenImage } from '../../tasks/recipe.ts'
import { RunFailure, systemCode } from '../failure.ts'
import type { LoadedRecipe } from '../recipe.ts'
import type { Engine } from './engine.ts'

/** Tries of one image: with their pauses, a server that restarts is waited for. */
const TRIES = 8
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

interface Answer {
  readonly ok: boolean
  readonly status: number
  /** In seconds; 0 if it does not say. */
  readonly retryAfter: number
  readonly bytes: Buffer
}

/** Sends each image to POST /api/v3/images of a server. */
export function openRemoteEngine({ recipe, files }: LoadedRecipe, server: string, key: string, jobs: number): Engine {
  const url = new URL('/api/v3/images', server)
  async function send(source: Buffer, request: string, signal: AbortSignal): Promise<Answer> {
    const form = new FormData()
    form.set('recipe', JSON.stringify(recipe))
    for (const [name, bytes] of files) form.set(name, new Blob([new Uint8Array(bytes)]), name)
    form.set('image', new Blob([new Uint8Array(source)]), 'image')
    // A repeated request that had been carried out is not charged again.
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': request }
    const answer = await fetch(url, { method: 'POST', headers, body: form, signal })
    // Here, since it may break off as well.
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { ok: answer.ok, status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) || 0, bytes }
  }
  return {
    jobs,
    async render(source, signal) {
      const request = randomUUID()
      for (let tries = 1; ; tries++) {
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + Math.random())
        const answer = await send(source, request, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          if (tries === TRIES) throw new RunFailure(`${url.origin} cannot be reached: ${reasonOf(error)}.`, { cause: error })
          return undefined
        })
        if (answer?.ok) return await imagesOf(answer.bytes, recipe.outputs.length)
        const fault = answer && faultOf(answer, url.origin)
        if (answer && fault && (!isTemporary(answer.status, fault) || tries === TRIES)) throw fault
        await sleep(Math.max((answer?.retryAfter ?? 0) * 1000, pause), undefined, { signal })
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? systemCode(error.cause) : String(error)

/** A limit for a minute, or a server that is busy or restarts. A spent month or credit is not, nor what an image does to a renderer. */
const isTemporary = (status: number, fault: ApiError | RunFailure): boolean =>
  fault instanceof RunFailure ? status >= 500 : status === 429 || (status >= 500 && fault.code !== 'conversion_failed')

/** Errors of the caller's account or key: no image can be converted. */
const OF_THE_CALLER = new Set([401, 402, 403, 404])

const errorBody = z.object({ statusMessage: z.string(), message: z.string() })

function faultOf({ status, bytes }: Answer, server: string): ApiError | RunFailure {
  const body = errorBody.safeParse(jsonOf(bytes.toString()))
  const known = body.success && body.data.statusMessage in errors ? (body.data.statusMessage as ErrorName) : undefined
  if (!known || !body.success) return new RunFailure(`${server} answered with status ${status}: it is no Pixelmill.`)
  const isSpent = known === 'monthly_limit_exceeded' || known === 'insufficient_credits'
  if (OF_THE_CALLER.has(status) || isSpent) return new RunFailure(`The server refuses: ${body.data.message}`)
  return new ApiError(known, { message: body.data.message })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Another program, such as a proxy, has answered.
    return undefined
  }
}

/** One image as it is, several as a ZIP, whose order is that of the outputs after the manifest. */
async function imagesOf(bytes: Buffer, outputs: number): Promise<readonly WrittenImage[]> {
  if (outputs === 1) return [imageOf(bytes)]
  const limits = { archiveBytes: 1024 * MiB, entries: outputs + 1, unpackedBytes: 1024 * MiB }
  const source = {
    size: bytes.length,
    read: async (position: number, length: number) => bytes.subarray(position, position + length),
  }
  const [_manifest, ...entries] = await inspectArchive(source, limits)
  return await Promise.all(entries.map(async (entry) => imageOf(Buffer.concat(await readEntry(source, entry, 1024 * MiB)))))
}

function imageOf(bytes: Buffer): WrittenImage {
  const name = recognise(bytes)?.name
  if (name === undefined) throw new RunFailure('The server answered with something that is no image: it is no Pixelmill.')
  const codec: Codec = codecs[name]
  return { bytes, codec, width: 0, height: 0, warnings: [] }
}
