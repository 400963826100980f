import { Readable } from 'node:stream'
import { ApiError } from '../../contract/api-error.ts'
import { readingHeaderTexts } from '../../http/reply.ts'
import { requestedPart } from '../../http/requested-part.ts'
import { type Call, defineRoute, type Reply } from '../../http/route.ts'
import type { UploadRow } from '../upload.ts'
import { dispositionOf, progressHeaders, stateTexts } from './headers.ts'
import { accountOf } from './send.ts'

const TOO_MANY = 'Too many files are downloaded by this account at once; wait until one of them is done.'

const validatorTexts = { ETag: 'Of the bytes; for If-Range and If-None-Match.', 'Accept-Ranges': 'bytes' }
const fileTexts = {
  ...validatorTexts,
  ...stateTexts,
  'Content-Disposition': 'Attachment, with the file name where one was sent.',
  ...readingHeaderTexts,
}

/** GET /api/v3/uploads/{handle}: its bytes; HEAD: how far it is. */
export const downloadUpload = defineRoute({
  method: 'GET',
  path: '/api/v3/uploads/:handle',
  name: 'downloadUpload',
  tag: 'Uploads',
  summary: 'Download an upload; with HEAD, ask how much of it has arrived.',
  description:
    'HEAD of an incomplete upload is answered with 204 and Upload-Offset, and ends a request that still sends it: it continues at that offset.',
  admission: 'read',
  scopes: ['images', 'batch'],
  produces: ['image/*', 'application/zip', 'application/octet-stream'],
  requestHeaders: {
    Range: 'One range of bytes, such as `bytes=1000-`. Several at once are answered with the whole.',
    'If-Range': 'The ETag of what is there already: when it is another, the whole is sent.',
    'If-None-Match': 'The ETag of what is there already: when it is the same, the answer is 304.',
  },
  headers: { 'Content-Length': 'Bytes of the whole.', ...fileTexts },
  otherwise: {
    204: { description: 'HEAD: the upload is not complete.', headers: stateTexts },
    206: {
      description: 'The requested range.',
      headers: { 'Content-Range': 'Which bytes these are, of how many: `bytes 1000-1999/2000`.', ...fileTexts },
      hasBody: true,
    },
    304: { description: 'The upload has the ETag in If-None-Match.', headers: validatorTexts },
  },
  errors: ['upload_not_found', 'upload_incomplete', 'upload_in_use', 'range_not_satisfiable', 'storage_unavailable'],
  async handle(call) {
    const { handles } = call.services
    const handle = call.path.handle ?? ''
    if (call.request.method !== 'HEAD') return await content(call, await handles.find(accountOf(call), handle))
    const row = await handles.progress(accountOf(call), handle)
    // An empty stream: of a text the framework would say its type and length.
    return row.completed_at
      ? await content(call, row)
      : { status: 204, headers: progressHeaders(handles, row), body: Readable.from([]) }
  },
})

/** DELETE /api/v3/uploads/{handle} */
export const deleteUpload = defineRoute({
  method: 'DELETE',
  path: '/api/v3/uploads/:handle',
  name: 'deleteUpload',
  tag: 'Uploads',
  summary: 'Delete an upload, complete or not.',
  admission: 'read',
  scopes: ['images', 'batch'],
  success: 204,
  produces: [],
  headers: readingHeaderTexts,
  errors: ['upload_not_found', 'upload_in_use', 'storage_unavailable'],
  async handle(call) {
    await call.services.handles.remove(accountOf(call), call.path.handle ?? '')
    return { headers: {}, body: '' }
  },
})

async function content(call: Call, row: UploadRow): Promise<Reply> {
  const { request, services } = call
  const size = row.stored
  const etag = `"${row.id}"`
  const validators = { etag, 'accept-ranges': 'bytes' }
  const part = requestedPart(request.header, request.method, { size, etag })
  if (part.status === 304) return { status: 304, headers: validators, body: '' }
  if (part.status === 416) throw new ApiError('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } })
  const { first, last } = part.range
  const headers = {
    ...validators,
    ...progressHeaders(services.handles, row),
    'content-type': row.content_type,
    'content-length': String(last - first + 1),
    'content-disposition': dispositionOf(row),
    // It comes from an account: a browser that opens it on this origin must not run anything.
    'content-security-policy': "default-src 'none'; sandbox",
    ...(part.status === 206 && { 'content-range': `bytes ${first}-${last}/${size}` }),
  }
  if (request.method === 'HEAD' || size === 0) return { headers, body: Readable.from([]) }
  const end = services.openDownloads.begin(accountOf(call))
  if (!end) throw new ApiError('rate_limited', { message: TOO_MANY, retryAfterSeconds: 5 })
  call.atEnd(end)
  return { status: part.status, headers, body: await services.handles.stream(row, part.range) }
}
