import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { statusBody } from '../../src/batch/batch.ts'
import { batchAtEvent } from '../../src/batch/find-batches.ts'
import type { ClaimLoop } from '../../src/concurrency/claim-loop.ts'
import type { Database } from '../../src/database/database.ts'
import { parseAllowList } from '../../src/outbound/allow-list.ts'
import { openOutbound } from '../../src/outbound/outbound.ts'
import type { Resolve } from '../../src/outbound/resolve.ts'
import {
  DELIVERY_DEFAULTS,
  type DispatcherEvents,
  type DispatcherSettings,
  startDispatcher,
} from '../../src/webhooks/dispatcher.ts'
import { type Listener, listen } from './listener.ts'

/** Creates a batch of one image and ends it: with a result, or with this error. Returns its id. */
export async function endBatch(
  { pool }: Database,
  accountId: string,
  url: string | null,
  error: { readonly code: string; readonly message: string } | null = null,
): Promise<string> {
  const id = randomUUID()
  await pool.query(
    `insert into batch (id, account_id, key_id, format, quality, webhook_url, status, total, pending, succeeded, failed, started_at)
     values ($1, $2, $2, 'webp', 80, $3, 'processing', 1, 0, $4, $5, clock_timestamp())`,
    [id, accountId, url, error ? 0 : 1, error ? 1 : 0],
  )
  await pool.query('select end_batch($1, $2, $3, 86400), after_batch_end(array[$1::uuid])', [
    id,
    error?.code ?? null,
    error?.message ?? null,
  ])
  return id
}

export interface Received {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver extends Listener {
  /** Requests received so far. */
  readonly received: Received[]
}

/** A server that records what it receives and answers as configured: with a status, or by a function. */
export async function startReceiver(
  answer: (response: ServerResponse, nth: number) => number | undefined = () => 204,
): Promise<Receiver> {
  const receivedValues: Received[] = []
  const onRequest: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    receivedValues.push({ method: request.method, headers: request.headers, body })
    const status = answer(response, receivedValues.length)
    if (status !== undefined) response.writeHead(status).end()
  }
  return Object.assign(await listen(onRequest), { received: receivedValues })
}

interface Differences {
  readonly allow?: string
  readonly resolve?: Resolve
  readonly deadlineMs?: number
  readonly atOnce?: number
  readonly onAttempt?: DispatcherEvents['onAttempt']
  readonly onLook?: DispatcherEvents['onLook']
  readonly onFault?: DispatcherEvents['onFault']
  readonly dataOf?: DispatcherSettings['dataOf']
}

/** The webhook work of a worker process, run in this process. */
export function startDelivering(database: Database, differences: Differences = {}): ClaimLoop {
  const {
    allow = '127.0.0.1',
    resolve,
    onAttempt = () => {},
    onLook = (error) => assert.ifError(error),
    onFault = (_, error) => assert.ifError(error),
    ...settings
  } = differences
  const outbound = openOutbound({ allow: parseAllowList(allow), ...(resolve && { resolve }) })
  const dispatcher = startDispatcher(
    {
      ...DELIVERY_DEFAULTS,
      everyMs: 50,
      userAgent: 'Pixelmill/test',
      dataOf: async (id) => statusBody(await batchAtEvent(database.pool, id)),
      ...settings,
      database,
      outbound,
    },
    { onAttempt, onLook, onFault },
  )
  return {
    look: dispatcher.look,
    async close() {
      await dispatcher.close()
      await outbound.close()
    },
  }
}
