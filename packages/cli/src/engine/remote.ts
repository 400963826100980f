import { recognise } from '@pixelmill/codecs'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import { Pixelmill, PixelmillError } from 'pixelmill-client/src/index'
import { AnsweredFault, RunFailure, systemCode } from '../failure.ts'
import type { LoadedRecipe } from '../recipe.ts'
import type { Engine, RenderedImage } from './engine.ts'

/** Tries of one image: with their pauses, a server that restarts is waited for. */
const TRIES = 8

/** Sends each image to POST /api/v3/images of a server. */
export function openRemoteEngine({ recipe, files }: LoadedRecipe, server: string, key: string, jobs: number): Engine {
  const url = new URL(server).origin
  const client = new Pixelmill({ url, key, tries: TRIES })
  const recipeToSend = JSON.parse(canonical(recipe))
  const further = Object.fromEntries([...files].map(([name, bytes]) => [name, new Uint8Array(bytes)]))
  return {
    jobs,
    async render(source, signal) {
      try {
        const pictures = await client.images(new Uint8Array(source), recipeToSend, { files: further, signal })
        return pictures.map(({ bytes, width, height }) => imageOf(Buffer.from(bytes.buffer), width, height))
      } catch (error) {
        throw error instanceof PixelmillError ? faultOf(error, url) : error
      }
    },
    async [Symbol.asyncDispose]() {},
  }
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

function imageOf(bytes: Buffer, width: number, height: number): RenderedImage {
  const codec = recognise(bytes)
  if (!codec) throw new RunFailure('The server answered with something that is no image: it is no Pixelmill.')
  return { bytes, format: codec.name, type: codec.mime, extension: codec.extension, width, height }
}
