import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { ApiError } from '../../contract/api-error.ts'
import { jsonReply, readingHeaderTexts } from '../../http/reply.ts'
import { type Call, defineRoute, type Reply } from '../../http/route.ts'
import type { UploadRow } from '../upload.ts'
import {
  completes,
  digest,
  fileName,
  integer,
  limitHeader,
  PARTIAL,
  pathOf,
  progressHeaders,
  stateTexts,
  uploadAnswer,
  uploadBody,
} from './headers.ts'

// Sending a file, whole or in parts, as draft-ietf-httpbis-resumable-upload-11 describes it.

const ERRORS = [
  ...(['file_too_large', 'invalid_params', 'upload_timeout', 'upload_length_mismatch', 'upload_digest_mismatch'] as const),
  ...(['upload_in_use', 'too_many_uploads', 'storage_full', 'storage_unavailable'] as const),
]

const requestHeaders = {
  'Upload-Complete':
    'Makes the upload resumable: ?1 if the body is all of the file or its end, ?0 if more will follow. An interim response 104 then names its Location, if Upload-Draft-Interop-Version is 8 and no proxy is in between.',
  'Upload-Length': 'Bytes of the whole file, where they are known.',
} as const

/** PUT /api/v3/uploads: a file, or the first part of one. */
export const sendUpload = defineRoute({
  method: 'PUT',
  path: '/api/v3/uploads',
  name: 'sendUpload',
  tag: 'Uploads',
  summary: 'Send a file ahead, and use it in later requests by its handle.',
  description:
    'The body is the file. Its handle is sent in the form field upload in place of a file, as often as wanted, until it expires an hour later. An upload costs no call. With Upload-Complete it can be resumed after an interruption: docs/uploads.md.',
  admission: 'read',
  scopes: ['images', 'batch'],
  storedBody: ['image/*', 'application/zip', 'application/octet-stream'],
  requestHeaders: {
    ...requestHeaders,
    'Repr-Digest': 'SHA-256 of the whole file as sha-256=:<Base64>:. A file that arrives with another is refused.',
    'Content-Disposition': 'Its filename is that of the download.',
  },
  success: 201,
  produces: ['application/json'],
  answer: uploadAnswer,
  headers: { Location: 'The path of the upload.', ...stateTexts, ...readingHeaderTexts },
  errors: ERRORS,
  async handle(call) {
    const { request, services, file } = call
    const { header } = request
    const { handles } = services
    const isLast = completes(header)
    const length = integer(header, 'upload-length') ?? (isLast === false ? undefined : file?.bytes)
    if (isLast === undefined && file?.bytes === 0)
      throw invalidParam('body', 'custom', 'Send the file as the body of the request.')
    const row = await handles.create(accountOf(call), {
      contentType: header('content-type') ?? '',
      name: fileName(header),
      length,
      sha256: digest(header),
    })
    const place = { location: pathOf(row), ...limitHeader(handles, row) }
    try {
      const appendedUpload = await append(call, row.handle, 0, isLast ?? true, isLast === undefined ? undefined : place)
      return answer(call, appendedUpload, 201)
    } catch (error) {
      // Its client does not know the handle, and cannot resume it.
      if (isLast === undefined || !file?.isInformed) await handles.remove(row.account_id, row.handle).catch(() => {})
      throw error
    }
  },
})

/** PATCH /api/v3/uploads/{handle}: the next part of a file. */
export const resumeUpload = defineRoute({
  method: 'PATCH',
  path: '/api/v3/uploads/:handle',
  name: 'resumeUpload',
  tag: 'Uploads',
  summary: 'Send the next part of a file, or its rest after an interruption.',
  description:
    'HEAD says at which offset to continue. What arrives is kept, also if the connection breaks. The last part has Upload-Complete: ?1.',
  admission: 'read',
  scopes: ['images', 'batch'],
  storedBody: [PARTIAL],
  requestHeaders: { 'Upload-Offset': 'Where the part begins: the number of bytes that have arrived.', ...requestHeaders },
  success: 201,
  otherwise: { 204: { description: 'The part has arrived, and more will follow.', headers: stateTexts } },
  produces: ['application/json'],
  answer: uploadAnswer,
  headers: { Location: 'The path of the upload.', ...stateTexts, ...readingHeaderTexts },
  errors: [...ERRORS, 'upload_not_found', 'upload_offset_mismatch'],
  async handle(call) {
    const { header } = call.request
    const [type = ''] = (header('content-type') ?? '').split(';')
    if (type.trim().toLowerCase() !== PARTIAL) throw invalidParam('Content-Type', 'custom', `Must be ${PARTIAL}.`)
    const offset = integer(header, 'upload-offset')
    if (offset === undefined) throw invalidParam('Upload-Offset', 'invalid_type', 'Must be a number of bytes.')
    const isLast = completes(header)
    if (isLast === undefined) throw invalidParam('Upload-Complete', 'invalid_type', 'Must be ?1 or ?0.')
    const appendedUpload = await append(call, call.path.handle ?? '', offset, isLast, { 'upload-offset': String(offset) })
    return answer(call, appendedUpload, isLast ? 201 : 204)
  },
})

/** OPTIONS /api/v3/uploads: what clients of the draft may do. */
export const uploadOptions = defineRoute({
  method: 'OPTIONS',
  path: '/api/v3/uploads',
  name: 'showUploadOptions',
  tag: 'Uploads',
  summary: 'Show the limits of uploads, and that they can be resumed.',
  admission: 'open',
  success: 204,
  produces: [],
  headers: { 'Accept-Patch': PARTIAL, 'Upload-Limit': 'Most bytes of an upload (max-size).' },
  errors: [],
  async handle({ services }) {
    return { headers: { 'accept-patch': PARTIAL, ...limitHeader(services.handles) }, body: '' }
  },
})

/** @param place headers of the first interim response; undefined where the client does not want to resume */
async function append(
  call: Call,
  handle: string,
  offset: number,
  isLast: boolean,
  place: Readonly<Record<string, string>> | undefined,
): Promise<UploadRow> {
  const { file, services, request } = call
  if (!file) throw new Error('a file was sent to a route without one')
  const announcedCount = integer(request.header, 'upload-length')
  const atLast = isLast && file.bytes !== undefined ? offset + file.bytes : undefined
  if (announcedCount !== undefined && atLast !== undefined && announcedCount !== atLast)
    throw new ApiError('upload_length_mismatch')
  return await services.handles.append(accountOf(call), handle, {
    offset,
    stream: file.stream,
    signal: file.signal,
    bytes: file.bytes,
    completes: isLast,
    length: announcedCount ?? atLast,
    onStart() {
      file.begin()
      if (place) file.inform(place)
    },
    onPart: ({ stored }) => place && file.inform({ 'upload-offset': String(stored) }),
  })
}

function answer({ services }: Call, row: UploadRow, status: 201 | 204): Reply {
  const state = progressHeaders(services.handles, row)
  if (status === 204) return { status, headers: state, body: '' }
  const { headers, body } = jsonReply(uploadBody(row))
  return { headers: { ...headers, ...state, location: pathOf(row) }, body }
}

export function accountOf({ visitor: { account } }: Pick<Call, 'visitor'>): string {
  if (account === undefined) throw new Error('an upload was admitted of no account')
  return account
}
