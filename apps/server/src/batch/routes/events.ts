import { Readable } from 'node:stream'
import { ApiError } from '../../contract/api-error.ts'
import type { BatchStatusBody } from '../../contract/batch-status.ts'
import { eventStream, eventStreamHeaders, eventText } from '../../http/event-stream.ts'
import { readingHeaderTexts } from '../../http/reply.ts'
import { type Call, defineRoute, type Reply } from '../../http/route.ts'
import { type Batch, statusBody } from '../batch.ts'
import { hasEnded, ownBatch } from './answer.ts'

/** Identifies a state of a batch: a client that reconnects with the last one has all events. */
const idOf = ({ status, succeeded, failed }: Batch): string => `${status}-${succeeded + failed}`

const eventOf = (batch: Batch) => ({
  event: batch.status === 'completed' || batch.status === 'failed' ? batch.status : 'progress',
  id: idOf(batch),
  data: statusBody(batch),
})

/** Sends the current state of the batch, then each change until it ends. */
function follow(first: Batch, { services, closing }: Call): Reply {
  let sentText: string | undefined
  const events = eventStream(() => {
    unfollow?.()
    closing.removeEventListener('abort', events.end)
  })
  const unfollow = services.batchWatch.follow(first, send)
  if (!unfollow) {
    events.body.destroy()
    throw new ApiError('rate_limited', {
      message: 'Too many event streams of this account are open; close some.',
      retryAfterSeconds: 5,
    })
  }
  function send(batch: Batch | undefined): void {
    if (batch && idOf(batch) !== sentText) events.send(eventOf(batch))
    sentText = batch && idOf(batch)
    if (!batch || hasEnded(batch)) events.end()
  }
  closing.addEventListener('abort', events.end)
  send(first)
  if (closing.aborted) events.end()
  return { headers: eventStreamHeaders, body: events.body }
}

const example = eventText({
  event: 'completed',
  id: 'completed-2',
  data: {
    id: '3f0c9a52-7d0e-4c4e-9a43-0e6f5b1c2d11',
    status: 'completed',
    format: 'webp',
    quality: 75,
    progress: { total: 2, done: 2, succeeded: 2, failed: 0, percent: 100 },
    createdAt: '2026-11-21T14:00:00.000Z',
    startedAt: '2026-11-21T14:00:00.210Z',
    finishedAt: '2026-11-21T14:00:00.860Z',
    expiresAt: '2026-11-22T14:00:00.860Z',
    resultUrl: '/api/v2/batch/3f0c9a52-7d0e-4c4e-9a43-0e6f5b1c2d11/result',
  } satisfies BatchStatusBody,
})

export const followBatch = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/:id/events',
  name: 'followBatch',
  tag: 'Batch',
  summary: 'Follow a batch as server-sent events.',
  description:
    'Events are named progress, completed and failed; their data is the status body. The stream ends with the batch. An idle stream sends a comment every 15 seconds. An account may have 20 open streams; another one gets 429 rate_limited.',
  admission: 'read',
  scopes: ['batch'],
  produces: ['text/event-stream'],
  example,
  requestHeaders: { 'Last-Event-ID': 'The id of the last event received, as EventSource sends it.' },
  headers: readingHeaderTexts,
  otherwise: {
    204: { description: 'Last-Event-ID is the id of the final event: there are no more events, and EventSource stops.' },
  },
  errors: ['batch_not_found'],
  async handle(call) {
    const batch = await ownBatch(call)
    if (hasEnded(batch) && call.request.header('last-event-id') === idOf(batch)) return { status: 204, headers: {}, body: '' }
    if (call.request.method === 'HEAD') return { headers: eventStreamHeaders, body: Readable.from([]) }
    return follow(batch, call)
  },
})
