import { Readable } from 'node:stream'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import { ApiError } from '../../contract/api-error.ts'
import { readingHeaderTexts } from '../../http/reply.ts'
import { requestedPart } from '../../http/requested-part.ts'
import { defineRoute } from '../../http/route.ts'
import type { Batch } from '../batch.ts'
import { listItems } from '../find-batches.ts'
import { resultArchive, resultDisposition } from '../result-archive.ts'
import { hasEnded, manifest, ownBatch, secondsLeft } from './answer.ts'

const TOO_MANY = 'Too many results are downloaded by this account at once; wait until one of them is done.'

/** @throws ApiError when the result is not ready, has expired, or does not exist */
function requireResult(batch: Batch): void {
  if (!hasEnded(batch)) throw new ApiError('batch_not_completed', { retryAfterSeconds: secondsLeft(batch) })
  if (batch.status === 'failed') throw new ApiError('batch_failed')
  if (batch.expired) throw new ApiError('batch_result_expired')
}

const validatorTexts = { ETag: 'Of the bytes; for If-Range and If-None-Match.', 'Accept-Ranges': 'bytes' }

const headerTexts = {
  ...validatorTexts,
  'Content-Disposition': "Attachment with the file name <id>.zip, or the batch's name in place of the id.",
  ...readingHeaderTexts,
}

export const downloadBatch = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/:id/result',
  name: 'downloadBatch',
  tag: 'Batch',
  summary: 'Download the result of a batch.',
  description:
    'A ZIP of the converted images, in the folders of the archive, and manifest.json (the schema BatchManifest), which lists the outcome of every entry. An interrupted download can be resumed with Range. An account may have 20 open downloads; one that makes no progress for a minute is aborted.',
  admission: 'read',
  scopes: ['batch'],
  produces: ['application/zip'],
  contains: { BatchManifest: manifest },
  requestHeaders: {
    Range: 'One range of bytes, such as `bytes=1000-`. Several at once are answered with the whole.',
    'If-Range': 'The ETag of what is there already: when it is another, the whole is sent.',
    'If-None-Match': 'The ETag of what is there already: when it is the same, the answer is 304.',
  },
  headers: { 'Content-Length': 'Bytes of the whole.', ...headerTexts },
  otherwise: {
    206: {
      description: 'The requested range.',
      headers: {
        'Content-Range': 'Which bytes these are, of how many: `bytes 1000-1999/2000`.',
        'Content-Length': 'Bytes of the part.',
        ...headerTexts,
      },
      hasBody: true,
    },
    304: { description: 'The result has the ETag in If-None-Match.', headers: validatorTexts },
  },
  errors: [
    ...(['batch_not_found', 'batch_not_completed', 'batch_failed', 'batch_result_expired'] as const),
    ...(['range_not_satisfiable', 'storage_unavailable'] as const),
  ],
  async handle(call) {
    const { request, services } = call
    const batch = await ownBatch(call)
    requireResult(batch)
    const items = await listItems(services.database.pool, batch.id)
    // It expired, or was deleted, between the two queries: a batch has at least one image.
    if (items.length === 0) throw new ApiError('batch_result_expired')
    const archive = resultArchive(batch, items)
    const { size, etag } = archive
    const part = requestedPart(request.header, request.method, archive)
    const validators = { etag, 'accept-ranges': 'bytes' }
    if (part.status === 304) return { status: 304, headers: validators, body: '' }
    if (part.status === 416) throw new ApiError('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } })
    const { first, last } = part.range
    const headers = {
      ...validators,
      'content-type': 'application/zip',
      'content-length': String(last - first + 1),
      'content-disposition': resultDisposition(batch),
      'content-security-policy': "default-src 'none'; sandbox",
      ...(part.status === 206 && { 'content-range': `bytes ${first}-${last}/${size}` }),
    }
    if (request.method === 'HEAD') return { headers, body: Readable.from([]) }
    const end = services.openDownloads.begin(batch.accountId)
    if (!end) throw new ApiError('rate_limited', { message: TOO_MANY, retryAfterSeconds: 5 })
    call.atEnd(end)
    const body = await archive.read(services.blobs, part.range).catch((error: unknown) => {
      // Its files were deleted after the query.
      throw error instanceof BlobNotFound ? new ApiError('batch_result_expired') : error
    })
    return { status: part.status, headers, body }
  },
})
