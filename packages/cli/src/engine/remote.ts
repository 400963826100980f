import { recognise } from '@pixelmill/codecs'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import { type Picture, Pixelmill, PixelmillError } from 'pixelmill-client/src/index'
import { AnsweredFault, RunFailure, systemCode } from '../failure.ts'
import type { Work } from '../work.ts'
import type { Engine, RenderedImage } from './engine.ts'

/** Tries of one image: with their pauses, a server that restarts is waited for. */
const TRIES = 8

/** Sends each image to POST /api/v3/images of a server, to POST /api/v1/optimize, or to POST /api/background-remove. */
export function openRemoteEngine(work: Work, server: string, key: string, jobs: number): Engine {
  const url = new URL(server).origin
  const client = new Pixelmill({ url, key, tries: TRIES })
  const rendering = renderingBy(client, work)
  return {
    jobs,
    async render(source, signal) {
      try {
        return (await rendering(new Uint8Array(source), signal)).map(imageOf)
      } catch (error) {
        throw error instanceof PixelmillError ? faultOf(error, url) : error
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** What is asked of the server for each image. */
function renderingBy(client: Pixelmill, work: Work) {
  if (work.optimize) {
    // Without what is undefined, as a form has it.
    const optimize = JSON.parse(JSON.stringify(work.optimize))
    return async (source: Uint8Array<ArrayBuffer>, signal: AbortSignal) => [
      await client.optimize(source, { ...optimize, signal }),
    ]
  }
  if (work.cutOut) {
    const { format } = work.cutOut
    return async (source: Uint8Array<ArrayBuffer>, signal: AbortSignal) => [
      await client.removeBackground(source, { format, signal }),
    ]
  }
  const recipe = JSON.parse(canonical(work.recipe))
  const files = Object.fromEntries([...work.files].map(([name, bytes]) => [name, new Uint8Array(bytes)]))
  return (source: Uint8Array<ArrayBuffer>, signal: AbortSignal) => client.images(source, recipe, { files, signal })
}

/** Errors of the caller's account or key: no image can be converted. */
const OF_THE_CALLER = new Set([401, 402, 403, 404])
const SPENT: readonly string[] = ['monthly_limit_exceeded', 'insufficient_credits']

function faultOf({ code, status, message, cause }: PixelmillError, url: string): AnsweredFault | RunFailure {
  if (code === 'unreachable') return new RunFailure(`${url} cannot be reached: ${reasonOf(cause)}.`, { cause })
  if (code === 'not_understood') return new RunFailure(`${url} answered with status ${status ?? 200}: it is no Pixelmill.`)
  const isOfCaller = status !== undefined && OF_THE_CALLER.has(status)
  if (isOfCaller || SPENT.includes(code)) return new RunFailure(`The server refuses: ${message}`)
  return new AnsweredFault(code, message)
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? systemCode(error.cause) : String(error)

function imageOf({ bytes: array, width, height, keptSource }: Picture): RenderedImage {
  const bytes = Buffer.from(array.buffer)
  const codec = recognise(bytes)
  if (!codec) throw new RunFailure('The server answered with something that is no image: it is no Pixelmill.')
  return {
    bytes,
    format: codec.name,
    type: codec.mime,
    extension: codec.extension,
    width,
    height,
    ...(keptSource && { keptSource }),
  }
}
