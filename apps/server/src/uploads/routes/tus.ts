import { limits } from '@pixelmill/codecs/contract/limits'
import { ApiError } from '../../contract/api-error.ts'
import { readingHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { downloadUpload } from './stored.ts'
import { answerTus, TUS_BODY, TUS_PATH, TUS_VERSION } from './tus-server.ts'

// tus 1.0, for its clients: https://tus.io/protocols/resumable-upload

const EXTENSIONS = 'creation,creation-with-upload,termination,expiration'

const version = { 'Tus-Resumable': TUS_VERSION } as const
const expiry = { 'Upload-Expires': 'Until when the upload is kept; every part adds to it.' } as const
const offset = { 'Upload-Offset': 'Bytes that have arrived.' } as const

const ERRORS = [
  ...(['invalid_params', 'tus_version_not_supported', 'upload_length_mismatch', 'upload_timeout'] as const),
  ...(['upload_in_use', 'too_many_uploads', 'storage_full', 'storage_unavailable'] as const),
]
const BODY = [TUS_BODY]

/** POST /api/v3/tus */
export const createTusUpload = defineRoute({
  method: 'POST',
  path: TUS_PATH,
  name: 'createTusUpload',
  tag: 'Uploads',
  summary: 'tus: begin an upload.',
  description: 'The last part of its Location is the handle of the upload. The body may have the first bytes.',
  admission: 'read',
  scopes: ['images', 'batch'],
  storedBody: BODY,
  requestHeaders: {
    ...version,
    'Upload-Length': 'Bytes of the whole file.',
    'Upload-Metadata': 'filename and filetype are kept; other keys are ignored.',
  },
  success: 201,
  produces: [],
  headers: { Location: 'The path of the upload.', ...version, ...expiry, ...readingHeaderTexts },
  errors: [...ERRORS, 'upload_too_large'],
  handle: answerTus,
})

/** PATCH /api/v3/tus/{handle} */
export const appendTusUpload = defineRoute({
  method: 'PATCH',
  path: `${TUS_PATH}/:handle`,
  name: 'appendTusUpload',
  tag: 'Uploads',
  summary: 'tus: send more of an upload.',
  description: 'What arrives is kept, also if the connection breaks.',
  admission: 'read',
  scopes: ['images', 'batch'],
  storedBody: BODY,
  requestHeaders: { ...version, ...offset },
  success: 204,
  produces: [],
  headers: { ...offset, ...version, ...expiry, ...readingHeaderTexts },
  errors: [...ERRORS, 'upload_not_found', 'upload_offset_mismatch', 'upload_type_not_supported'],
  handle: answerTus,
})

/** The methods in whose place a client may send POST. */
const OVERRIDDEN = ['PATCH', 'HEAD', 'DELETE']

/** POST /api/v3/tus/{handle}: for clients, and proxies in between, that know only GET and POST. */
export const overrideTusUpload = defineRoute({
  method: 'POST',
  path: `${TUS_PATH}/:handle`,
  name: 'overrideTusUpload',
  tag: 'Uploads',
  summary: 'tus: what X-HTTP-Method-Override says, for clients that cannot send it as the method.',
  admission: 'read',
  scopes: ['images', 'batch'],
  storedBody: BODY,
  requestHeaders: { 'X-HTTP-Method-Override': OVERRIDDEN.join(', '), ...version, ...offset },
  success: 204,
  otherwise: { 200: { description: 'OK', headers: { ...offset, ...version } } },
  produces: [],
  headers: { ...offset, ...version, ...expiry, ...readingHeaderTexts },
  errors: [...appendTusUpload.errors, 'method_not_allowed'],
  async handle(call) {
    const method = (call.request.header('x-http-method-override') ?? '').trim().toUpperCase()
    if (!OVERRIDDEN.includes(method)) throw new ApiError('method_not_allowed', { headers: { allow: ALLOWED } })
    return await answerTus({ ...call, request: { ...call.request, method } })
  },
})

/** Of an upload; POST only with the header. */
const ALLOWED = 'GET, HEAD, PATCH, DELETE'

/** HEAD /api/v3/tus/{handle}; GET is that of the upload. */
export const showTusUpload = defineRoute({
  ...downloadUpload,
  path: `${TUS_PATH}/:handle`,
  name: 'showTusUpload',
  summary: 'tus: ask with HEAD how much of an upload has arrived; download it with GET.',
  description: 'HEAD ends a request that still sends the upload: it continues at Upload-Offset.',
  errors: [...downloadUpload.errors, 'tus_version_not_supported'],
  handle: async (call) => (call.request.method === 'HEAD' ? await answerTus(call) : await downloadUpload.handle(call)),
})

/** DELETE /api/v3/tus/{handle} */
export const deleteTusUpload = defineRoute({
  method: 'DELETE',
  path: `${TUS_PATH}/:handle`,
  name: 'deleteTusUpload',
  tag: 'Uploads',
  summary: 'tus: delete an upload.',
  admission: 'read',
  scopes: ['images', 'batch'],
  requestHeaders: version,
  success: 204,
  produces: [],
  headers: { ...version, ...readingHeaderTexts },
  errors: ['upload_not_found', 'upload_in_use', 'tus_version_not_supported', 'storage_unavailable'],
  handle: answerTus,
})

/** OPTIONS /api/v3/tus: for everybody, since it needs no account. */
export const tusOptions = defineRoute({
  method: 'OPTIONS',
  path: TUS_PATH,
  name: 'showTusOptions',
  tag: 'Uploads',
  summary: 'tus: show what this server supports.',
  admission: 'open',
  success: 204,
  produces: [],
  headers: {
    ...version,
    'Tus-Version': TUS_VERSION,
    'Tus-Extension': EXTENSIONS,
    'Tus-Max-Size': `Bytes of an upload: by default ${limits.archive.bytes}.`,
  },
  errors: [],
  async handle({ services }) {
    const headers = {
      'tus-resumable': TUS_VERSION,
      'tus-version': TUS_VERSION,
      'tus-extension': EXTENSIONS,
      'tus-max-size': String(services.handles.limits.mostBytes),
    }
    return { headers, body: '' }
  },
})
