import { openAsBlob } from 'node:fs'
import { errors } from '../../src/contract/errors.ts'

const LIMIT_MS = 30_000

export interface Outcome {
  readonly file: string
  readonly operation: string
  /** 0 when there was no answer. */
  readonly status: number
  /** The format of the answer, the identifier of the refusal, or why there was none. */
  readonly said: string
  readonly documented: boolean
  readonly ms: number
}

interface Target {
  readonly url: string
  readonly key: string
}

const isListed = (name: string): name is keyof typeof errors => Object.hasOwn(errors, name)

/** Sends one file to one operation, and judges the answer. */
export async function send(
  { url, key }: Target,
  file: string,
  operation: string,
  fields: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const began = performance.now()
  const outcome = (status: number, said: string, documented: boolean): Outcome => ({
    file,
    operation,
    status,
    said,
    documented,
    ms: performance.now() - began,
  })
  try {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    body.append('image', await openAsBlob(file), 'image')
    const answer = await fetch(`${url}/api/v1/${operation}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    if (answer.ok) {
      const { byteLength } = await answer.arrayBuffer()
      const whole = byteLength > 0 && byteLength === Number(answer.headers.get('x-output-size'))
      return outcome(answer.status, whole ? (answer.headers.get('content-type') ?? 'no type') : 'a body cut short', whole)
    }
    const { statusMessage } = (await answer.json()) as { readonly statusMessage: string }
    const documented = isListed(statusMessage) && errors[statusMessage].status === answer.status && answer.status < 500
    return outcome(answer.status, statusMessage, documented)
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError'
    return outcome(0, timedOut ? `no answer in ${LIMIT_MS / 1000} s` : `no answer: ${reason(error)}`, false)
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
