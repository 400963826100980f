import { codecs } from '@pixelmill/codecs'
import { imageFormats } from '@pixelmill/codecs/image-formats'
import { disposition } from '@pixelmill/dashboard/web/disposition'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import { ApiError } from '../../contract/api-error.ts'
import { readingHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { partKey } from '../batch.ts'
import { findItem } from '../find-batches.ts'
import { ownBatch } from './answer.ts'

/** Results of an entry never change; after the batch has expired or was deleted, a copy may live on for so long. */
const FRESH_S = 3_600

const NO_RESULT = 'The batch has no result of such an entry: it is not converted yet, has failed, or there is none.'

/** GET /api/v2/batch/{id}/entries/{seq}/image: one result, as soon as it is there. */
export const downloadBatchEntry = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/:id/entries/:seq/image',
  name: 'downloadBatchEntry',
  tag: 'Batch',
  summary: 'Download the result of one entry of a batch.',
  description: 'As soon as the entry is converted, also while the batch is in progress, and until the batch expires.',
  admission: 'read',
  scopes: ['batch'],
  produces: Object.values(codecs).map(({ mime }) => mime),
  headers: {
    'Content-Length': 'Bytes of the image.',
    'Content-Disposition': 'Attachment with the file name of the result.',
    ...readingHeaderTexts,
  },
  errors: ['batch_not_found', 'not_found', 'batch_result_expired', 'storage_unavailable'],
  async handle(call) {
    const { path, services } = call
    const batch = await ownBatch(call)
    if (batch.expired) throw new ApiError('batch_result_expired')
    const item = /^\d{1,9}$/.test(path.seq ?? '') ? await findItem(services.database.pool, batch.id, Number(path.seq)) : undefined
    if (!item || item.output === null) throw new ApiError('not_found', { message: NO_RESULT })
    const name = item.output.slice(item.output.lastIndexOf('/') + 1)
    const { stream } = await services.blobs.get(partKey({ batchId: batch.id, ...item })).catch((error: unknown) => {
      // Its files were deleted after the query.
      throw error instanceof BlobNotFound ? new ApiError('batch_result_expired') : error
    })
    return {
      headers: {
        'content-type': mediaTypeOf(name),
        ...(item.outputBytes !== null && { 'content-length': String(item.outputBytes) }),
        'content-disposition': disposition('attachment', name),
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': `private, max-age=${FRESH_S}, immutable`,
      },
      body: stream,
    }
  },
})

/** Of a result, which has the extension of its format. */
function mediaTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1)
  const format = Object.values(imageFormats).find(({ extensions }) => (extensions as readonly string[]).includes(extension))
  return format?.mime ?? 'application/octet-stream'
}
