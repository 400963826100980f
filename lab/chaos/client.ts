import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchStatusBody } from 'pixelmill-server/contract/batch-status'
import type { Archive } from './archives.ts'
import { persist } from './until.ts'

/** A customer that repeats unanswered requests with the same Idempotency-Key, each time at the next address. */
export interface Client {
  /** Resolves when it is accepted. */
  create(archive: Archive, webhookUrl: string): Promise<BatchStatusBody>
  status(id: string): Promise<BatchStatusBody>
  result(id: string): Promise<Buffer>
  /** The status code. */
  remove(id: string): Promise<number>
}

const GIVE_UP_MS = 180_000
/** The timeout of a request: its server may have died without closing the connection. */
const ANSWER_MS = 60_000

export function client(url: () => string, key: string): Client {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url()}/api/v2/batch${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
      signal: AbortSignal.timeout(ANSWER_MS),
    })

  return {
    async create(archive, webhookUrl) {
      const headers = { 'idempotency-key': randomUUID() }
      for (const end = performance.now() + GIVE_UP_MS; ; await sleep(500)) {
        const body = new FormData()
        for (const [name, value] of Object.entries({ format: 'webp', webhook_url: webhookUrl })) body.append(name, value)
        body.append('file', new Blob([new Uint8Array(archive.bytes)], { type: 'application/zip' }), 'pictures.zip')
        const reply = await ask('', { method: 'POST', body, headers }).then(
          async (answer) => (answer.status === 202 ? ((await answer.json()) as BatchStatusBody) : await answer.text()),
          (error) => String(error.cause ?? error),
        )
        if (typeof reply !== 'string') return reply
        if (performance.now() > end) throw new Error(`a batch was not accepted: ${reply}`)
      }
    },
    status: (id) =>
      persist(async () => {
        const answer = await ask(`/${id}/status`)
        if (!answer.ok) throw new Error(`status of ${id}: ${answer.status} ${await answer.text()}`)
        return (await answer.json()) as BatchStatusBody
      }),
    result: (id) =>
      persist(async () => {
        const answer = await ask(`/${id}/result`)
        if (!answer.ok) throw new Error(`result of ${id}: ${answer.status} ${await answer.text()}`)
        return Buffer.from(await answer.arrayBuffer())
      }),
    remove: (id) =>
      persist(async () => {
        const { status } = await ask(`/${id}`, { method: 'DELETE' })
        if (status >= 500) throw new Error(`removal of ${id}: ${status}`)
        return status
      }),
  }
}
