import { Readable } from 'node:stream'
import { limits, megabytes } from '@pixelmill/codecs/contract/limits'
import { refuseNul } from '@pixelmill/codecs/contract/nul'
import type { Upload as TusUpload } from '@tus/server'
import { ApiError, asApiError, isRefusal } from '../../contract/api-error.ts'
import type { Call, Reply } from '../../http/route.ts'
import { offsetMismatch } from '../record-upload.ts'
import type { UploadRow } from '../upload.ts'
import { keptName } from './headers.ts'
import { accountOf } from './send.ts'

export const TUS_PATH = '/api/v3/tus'
export const TUS_VERSION = '1.0.0'

export const TUS_BODY = 'application/offset+octet-stream'

/** Loaded by the first request: most servers never have one. */
const library = () => import('@tus/server')

/**
 * Answers a request of tus 1.0. The package reads the headers and decides by the protocol; the bytes go to the store as those of any other
 * upload, and refusals are answered as everywhere.
 * @throws ApiError
 */
export async function answerTus(call: Call): Promise<Reply> {
  const { request, services } = call
  const isKnown = request.header('tus-resumable') === TUS_VERSION
  if (isKnown && request.method === 'PATCH' && !isPart(request.header('content-type')))
    throw sayError(new ApiError('upload_type_not_supported'))
  const { Server } = await library()
  const { store, row } = await tusStore(call)
  let fault: unknown
  const server = new Server({
    path: TUS_PATH,
    datastore: store,
    relativeLocation: true,
    maxSize: services.handles.limits.mostBytes,
    // The store lets one request write at a time.
    locker: { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) },
    async onResponseError(_request, error) {
      fault = error
      return undefined
    },
  })
  const [path = ''] = request.url.split('?')
  const response = await server.handleWeb(
    new Request(new URL(path, 'http://tus'), { method: request.method, headers: sendTexts(call) }),
  )
  if (response.status >= 400) throw await refusal(call, response, fault, row())
  const headers = Object.fromEntries([...response.headers].filter(([name]) => ANSWERED.test(name)))
  return { status: response.status, headers, body: request.method === 'HEAD' ? Readable.from([]) : '' }
}

const isPart = (type: string | undefined): boolean => type?.split(';')[0]?.trim().toLowerCase() === TUS_BODY

/** The package reads these. */
const READ = [
  'tus-resumable',
  'upload-length',
  'upload-defer-length',
  'upload-metadata',
  'upload-offset',
  'upload-concat',
  'content-type',
  'content-length',
]

const sendTexts = ({ request }: Call): [string, string][] =>
  READ.flatMap((name) => {
    const value = plain(name, request.header(name))
    return value === undefined ? [] : [[name, value] as [string, string]]
  })

/** As the package wants it, which takes fewer forms than clients send. */
function plain(name: string, value: string | undefined): string | undefined {
  if (name === 'content-type') return isPart(value) ? TUS_BODY : value
  if (name !== 'upload-metadata') return value
  // tuspy sends it empty where there is none, and other clients write a space after each comma.
  const pairs = value?.split(',').map((pair) => pair.trim())
  return pairs?.join('') === '' && pairs.length === 1 ? undefined : pairs?.join(',')
}

/** Without those for pages of other sites, which cannot send credentials. */
const ANSWERED = /^(tus-|upload-|location$)/

/** The uploads of the caller, as the package wants them. */
async function tusStore(call: Call) {
  const { services, file } = call
  const { handles } = services
  const account = accountOf(call)
  const { DataStore, Upload } = await library()
  let last: UploadRow | undefined

  const append = async (handle: string, offset: number, stream: Readable, bytes?: number): Promise<UploadRow> => {
    const signal = file?.signal ?? call.signal
    const onStart = () => file?.begin()
    return await handles.append(account, handle, { offset, stream, signal, bytes, completes: 'when full', onStart })
  }
  const nothing = () => Readable.from([])
  const isFull = (row: UploadRow) => row.length === row.stored && row.completed_at === null

  class Store extends DataStore {
    override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
    /** The package adds it to the creation. */
    override getExpiration = () => limits.handles.keptSeconds * 1000
    override async create(upload: TusUpload): Promise<TusUpload> {
      refuseNul({ 'Upload-Metadata': upload.metadata })
      const { filetype, filename } = upload.metadata ?? {}
      const length = upload.size ?? 0
      last = await handles.create(account, { contentType: filetype ?? '', name: keptName(filename), length })
      if (isFull(last)) last = await append(last.handle, 0, nothing())
      // Its address is made of the new id.
      return Object.assign(upload, { id: last.handle, creation_date: createdFor(last) })
    }
    override async getUpload(id: string): Promise<TusUpload> {
      const isAsked = call.request.method === 'HEAD'
      last = await (isAsked ? handles.progress(account, id) : handles.state(account, id))
      // The server may have died between the last part and the end.
      if (isAsked && isFull(last)) last = await append(id, last.stored, nothing())
      const { stored: offset, length, name, content_type: filetype } = last
      const metadata = { ...(name !== null && { filename: name }), filetype }
      return new Upload({ id, offset, metadata, creation_date: createdFor(last), ...(length !== null && { size: length }) })
    }
    override async write(empty: Readable, id: string, offset: number): Promise<number> {
      if (!file) throw new Error('a part was sent to a route without a body')
      empty.resume()
      last = await append(id, offset, file.stream, file.bytes)
      return last.stored
    }
    override async remove(id: string): Promise<void> {
      await handles.remove(account, id)
    }
  }
  return { store: new Store(), row: () => last }
}

const createdFor = ({ expires_at }: UploadRow): string =>
  new Date(expires_at.getTime() - limits.handles.keptSeconds * 1000).toISOString()

/** What the package or the store refuses, as an error of the API. */
async function refusal({ request, services }: Call, response: Response, fault: unknown, row?: UploadRow): Promise<ApiError> {
  const text = (await response.text()).trim()
  if (isRefusal(fault)) return sayError(asApiError(fault))
  if (fault instanceof Error) throw fault
  if (request.header('tus-resumable') !== TUS_VERSION)
    return new ApiError('tus_version_not_supported', { headers: { 'tus-version': TUS_VERSION, 'tus-resumable': TUS_VERSION } })
  const { status } = response
  if (status === 404 || status === 410) return sayError(new ApiError('upload_not_found'))
  if (status === 409 && row) return sayError(offsetMismatch(row, Number(request.header('upload-offset'))))
  if (status === 413) {
    const { mostBytes } = services.handles.limits
    const isLonger = Number(request.header('upload-length') ?? 0) > mostBytes
    return sayError(isLonger ? tooLarge(mostBytes) : new ApiError('upload_length_mismatch'))
  }
  const issue = { path: [], code: 'custom', message: text }
  return sayError(new ApiError('invalid_params', { message: text, issues: [issue] }))
}

const tooLarge = (mostBytes: number): ApiError =>
  new ApiError('upload_too_large', {
    message: `An upload may have at most ${megabytes(mostBytes)}.`,
    headers: { 'tus-max-size': String(mostBytes) },
  })

/** With the protocol's version. */
const sayError = (error: ApiError): ApiError =>
  new ApiError(error.code, {
    message: error.message,
    ...(error.issues && { issues: error.issues }),
    ...(error.facts && { facts: error.facts }),
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    headers: { ...error.headers, 'tus-resumable': TUS_VERSION },
    cause: error.cause,
  })
