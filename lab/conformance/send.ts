import { readFile } from 'node:fs/promises'
import { errors } from 'pixelmill-server/contract/errors'
import type { Request } from './requests.ts'

export interface Outcome {
  readonly file: string
  readonly operation: string
  /** 0 if there was no answer. */
  readonly status: number
  /** The format of the answer, the error identifier, or why there was none. */
  readonly said: string
  readonly documented: boolean
  readonly ms: number
}

interface Target {
  readonly url: string
  readonly key: string
}

const isListed = (name: string): name is keyof typeof errors => Object.hasOwn(errors, name)

/** Sends one request about one file, and checks the answer. */
export async function send(
  { url, key }: Target,
  file: string,
  { name: operation, path, body, answersImage, seconds }: Request,
): Promise<Outcome> {
  const began = performance.now()
  const outcome = (status: number, text: string, isDocumented: boolean): Outcome => ({
    file,
    operation,
    status,
    said: text,
    documented: isDocumented,
    ms: performance.now() - began,
  })
  try {
    const requestBody = body(await readFile(file))
    const type = typeof requestBody === 'string' ? { 'content-type': 'application/json' } : {}
    const answer = await fetch(url + path, {
      method: 'POST',
      body: requestBody,
      headers: { authorization: `Bearer ${key}`, ...type },
      signal: AbortSignal.timeout(seconds * 1_000),
    })
    if (answer.ok) {
      const { byteLength } = await answer.arrayBuffer()
      const expected = Number(answer.headers.get(answersImage ? 'x-output-size' : 'content-length'))
      const whole = byteLength > 0 && byteLength === expected
      return outcome(answer.status, whole ? (answer.headers.get('content-type') ?? 'no type') : 'a body cut short', whole)
    }
    const { statusMessage } = (await answer.json()) as { readonly statusMessage: string }
    const isDocumented = isListed(statusMessage) && errors[statusMessage].status === answer.status && answer.status < 500
    return outcome(answer.status, statusMessage, isDocumented)
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError'
    return outcome(0, timedOut ? `no answer in ${seconds} s` : `no answer: ${reason(error)}`, false)
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
