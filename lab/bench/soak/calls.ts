import { request } from 'node:http'

export interface Target {
  readonly port: number
  readonly key: string
}

export type Fields = Readonly<Record<string, string>>
export type Files = Readonly<Record<string, Buffer>>

const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer)
const patienceMs = 120_000

export function formOf(fields: Fields, files: Files): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const [name, file] of Object.entries(files)) form.set(name, new Blob([bytesOf(file)]), `${name}.bin`)
  return form
}

const originOf = ({ port }: Target): string => `http://127.0.0.1:${port}`

/** Sends one request and reads its response to the end. */
export async function call(target: Target, path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${target.key}`, ...(init.headers as Fields | undefined) }
  const signal = AbortSignal.timeout(patienceMs)
  const answer = await fetch(`${originOf(target)}${path}`, { ...init, headers, signal })
  return { status: answer.status, text: await answer.text() }
}

export const post = (target: Target, path: string, fields: Fields, files: Files, headers: Fields = {}) =>
  call(target, path, { method: 'POST', body: formOf(fields, files), headers })

export const postJson = (target: Target, path: string, body: unknown, headers: Fields = {}) =>
  call(target, path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })

/** Sends part of an upload and disconnects; returns 0, since there is no response. */
export function hangUp({ port, key }: Target, path: string, body: Buffer, boundary: string, share: number): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(body.length),
  }
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
    outgoing.on('error', () => resolve(0)).on('close', () => resolve(0))
    outgoing.on('response', (answer) => answer.resume().destroy())
    outgoing.write(body.subarray(0, Math.max(1, Math.floor(body.length * share))))
    setTimeout(() => outgoing.destroy(), 20)
  })
}

/** Follows an event stream for a moment and disconnects. */
export async function follow(target: Target, path: string, ms: number): Promise<number> {
  const cut = AbortSignal.timeout(ms)
  const headers = { authorization: `Bearer ${target.key}`, accept: 'text/event-stream' }
  try {
    const answer = await fetch(`${originOf(target)}${path}`, { headers, signal: cut })
    for await (const _ of answer.body ?? []) if (cut.aborted) break
    return answer.status
  } catch (error) {
    if (cut.aborted) return 0
    throw error
  }
}
