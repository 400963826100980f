import { openAsBlob } from 'node:fs'
import { sleep } from '../measure/sleep.ts'
import type { Server } from '../server/boot-server.ts'

interface Status {
  readonly id: string
  readonly status: string
  readonly progress: { readonly succeeded: number; readonly failed: number }
  readonly createdAt: string
  readonly finishedAt?: string
}

export interface FinishedBatch {
  readonly succeeded: number
  /** The time from the response to the upload until the last image was written. */
  readonly wallMs: number
}

/** Uploads an archive for conversion into WebP of quality 75, as a stream. */
export async function sendBatch({ port, key }: Server, archive: string): Promise<string> {
  const body = new FormData()
  body.set('file', await openAsBlob(archive), 'photographs.zip')
  body.set('format', 'webp')
  body.set('quality', '75')
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/batch`, { method: 'POST', headers, body })
  if (answer.status !== 202) throw new Error(`The batch was refused: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as Status).id
}

/** Resolves when the batch has ended. */
export async function followBatch({ port, key }: Server, id: string): Promise<FinishedBatch> {
  for (;;) {
    await sleep(500)
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v2/batch/${id}/status`, { headers })
    if (!answer.ok) throw new Error(`The batch's status: ${answer.status} ${await answer.text()}`)
    const { progress, createdAt, finishedAt } = (await answer.json()) as Status
    if (finishedAt === undefined) continue
    return { succeeded: progress.succeeded, wallMs: Date.parse(finishedAt) - Date.parse(createdAt) }
  }
}
