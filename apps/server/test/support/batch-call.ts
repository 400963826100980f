import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@pixelmill/engine/test/support/until'
import type { BatchStatusBody } from '../../src/contract/batch-status.ts'
import { type Answer, form, type Input, read } from './call.ts'
import { send } from './json-call.ts'
import type { Server } from './server.ts'
import { DEFLATED, type ZipEntry, zipFile } from './zip.ts'

/** Renders at the lowest priority, on a machine that also runs other tests. */
const PATIENCE_MS = 60_000

type Called = Pick<Server, 'url' | 'key'>
type Fields = Readonly<Record<string, string | number>>

export interface Started extends Answer {
  /** Of a batch that was started; empty otherwise. */
  readonly batch: BatchStatusBody
}

export async function startBatch(
  { url, key }: Called,
  file: Buffer | Input | readonly Buffer[],
  fields: Fields = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const init = { method: 'POST', body: form(fields, { file }), headers: { authorization: `Bearer ${key}`, ...headers } }
  const answer = await read(await fetch(`${url}/api/v2/batch`, init))
  return { ...answer, batch: answer.status === 202 ? JSON.parse(answer.bytes.toString()) : {} }
}

export const statusOf = async ({ url, key }: Called, id: string) =>
  send<BatchStatusBody>(url, `GET /api/v2/batch/${id}/status`, { token: key })

/** The batch after it has ended. */
export async function untilEnded(server: Called, id: string): Promise<BatchStatusBody> {
  let last = (await statusOf(server, id)).body
  await until(async () => {
    last = (await statusOf(server, id)).body
    return last.status === 'completed' || last.status === 'failed'
  }, PATIENCE_MS)
  assert.ok(last.finishedAt, `it has not ended: ${JSON.stringify(last)}`)
  return last
}

export const getResult = ({ url, key }: Called, id: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(`${url}/api/v2/batch/${id}/result`, { method, headers: { authorization: `Bearer ${key}`, ...headers } })

/** A ZIP of these files, deflated. */
export const zipOf = (files: Readonly<Record<string, Buffer>>, more: readonly ZipEntry[] = []): Buffer =>
  zipFile([...Object.entries(files).map(([name, data]) => ({ name, data, method: DEFLATED })), ...more])

/** Files of batches in a server's folder, complete or not, except uploads of existing batches. */
export async function filesOf(dir: string): Promise<readonly string[]> {
  const files = await readdir(join(dir, 'blobs'), { recursive: true, withFileTypes: true })
  return files.filter((file) => file.isFile() && file.name !== 'installation').map((file) => join(file.parentPath, file.name))
}

/** Files of batches created from now on: a shared server may hold those of other test files. */
export async function newFilesOf(dir: string): Promise<() => Promise<readonly string[]>> {
  const before = await filesOf(dir)
  return async () => (await filesOf(dir)).filter((file) => !before.includes(file))
}
