import type { IncomingMessage } from 'node:http'
import { addAbortSignal, type Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits, MiB, megabytes } from '@pixelmill/codecs/contract/limits'
import { refuseNul } from '@pixelmill/codecs/contract/nul'
import type { FormFields } from '@pixelmill/codecs/contract/parse'
import type { HeldUpload, HeldUploads } from '@pixelmill/engine/rendering/held-uploads'
import { serverBusy } from '@pixelmill/engine/rendering/pool'
import { giveBackMemory } from '@pixelmill/engine/rendering/protocol'
import { type Pace, watchPace } from './read-body.ts'
import type { Form, Upload } from './route.ts'
import { type FileStore, type Stored, storeFile } from './store-file.ts'

export interface FormLimits extends WantedParts {
  readonly pace: Pace
  /** Counts the bytes in memory for the account; undefined where they go into the store. */
  readonly memory?: HeldUploads | undefined
  readonly account: string
  /** For a body that is an image, or of any type: its name as a file, and the parameters from the query. */
  readonly raw?: { readonly file: string; readonly query: FormFields; readonly isAnyType: boolean } | undefined
}

/** A form that was read. The caller has to use or remove stored files. */
export interface FormRead extends Omit<Form, 'stored'> {
  readonly stored: Stored | undefined
  /** The bytes in memory, counted until the end of the request. */
  readonly held?: HeldUpload | undefined
}

const IMAGE = /^image\//i

/** Reads one kind of body. */
interface Reader extends Pick<Form, 'fields' | 'files' | 'unknown'> {
  /** Most bytes of the body. */
  readonly mostBytes: number
  /** Reads to the end. @throws the signal's reason when that aborts */
  read(): Promise<void>
  /** Waits for the store. */
  stored(): Promise<Stored | undefined>
  /** Removes what was stored. */
  remove(): Promise<void>
}

/**
 * Reads a multipart form, or in place of one an image alone, under limits while it streams in. Files stay in the chunks in which they
 * arrive, since they are only passed on.
 * @throws ApiError missing_form_data, file_too_large or what is too large for the store, invalid_params, upload_timeout,
 * server_busy; the signal's reason when it aborts; what the store throws. Nothing is left in the store then.
 */
export async function readForm(request: IncomingMessage, form: FormLimits, signal: AbortSignal): Promise<FormRead> {
  const { raw, pace, memory, account } = form
  const refusal = new AbortController()
  const refuse = (reason: unknown) => refusal.abort(reason)
  const stopped = AbortSignal.any([signal, refusal.signal])
  const isImage = raw?.isAnyType || IMAGE.test(request.headers['content-type'] ?? '')
  const reader = raw && isImage ? rawReader(request, form, raw, stopped) : formReader(request, form, isImage, refuse, stopped)
  const tooLarge = () => tooLargeFile(form)
  if (Number(request.headers['content-length'] ?? 0) > reader.mostBytes) throw tooLarge()
  const unwatch = watchPace(request, pace, () => refuse(new ApiError('upload_timeout')))
  const held = memory?.begin(account, () => refuse(serverBusy()))
  const inMemory: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    held?.add(chunk.length)
    if (held) inMemory.push(chunk)
    if (bytes > reader.mostBytes) refuse(tooLarge())
  })
  try {
    await reader.read()
    const stored = await reader.stored()
    stopped.throwIfAborted()
    held?.arrived()
    const { fields, files } = reader
    // With a form the query is not read, so its parameters are ignored too.
    const unknown = [...reader.unknown, ...(isImage ? [] : (raw?.query.keys() ?? []))]
    return { fields, files, unknown, stored, held, release: () => release(inMemory.splice(0)) }
  } catch (reason) {
    held?.[Symbol.dispose]()
    await reader.remove()
    throw reason
  } finally {
    unwatch()
  }
}

/** Frees the chunks that do not share their memory with others. */
function release(chunks: readonly Buffer[]): void {
  for (const chunk of chunks) if (chunk.length === chunk.buffer.byteLength) giveBackMemory(chunk)
}

function formReader(
  request: IncomingMessage,
  form: FormLimits,
  isImage: boolean,
  refuse: (reason: unknown) => void,
  stopped: AbortSignal,
): Reader {
  const { files, further = 0, fileBytes, store } = form
  if (isImage && files.length > 1) throw new ApiError('missing_form_data', { message: needsForm(files) })
  const mostBytes = fileBytes * (files.length + further) + (store?.bytes ?? 0) + limits.formOverheadBytes
  const parser = openParser(request, store?.bytes ?? fileBytes)
  const parts = collectParts(parser, form, refuse, stopped)
  const read = () => toEnd(request, stopped, parser, () => request.pipe(parser))
  return { ...parts, mostBytes, read }
}

const needsForm = (files: readonly string[]): string =>
  `Send the files ${files.join(' and ')} as multipart/form-data: a request body that is an image can contain only one file.`

function rawReader(
  request: IncomingMessage,
  { fileBytes, texts }: FormLimits,
  { file, query }: NonNullable<FormLimits['raw']>,
  stopped: AbortSignal,
): Reader {
  const chunks: Buffer[] = []
  const files = new Map<string, { readonly chunks: readonly Buffer[]; readonly bytes: number }>()
  return {
    fields: query,
    files,
    unknown: [...query.keys()].filter((name) => !texts.includes(name)),
    mostBytes: fileBytes,
    async read() {
      await toEnd(request, stopped, request, () => request.on('data', (chunk: Buffer) => chunks.push(chunk)))
      const bytes = chunks.reduce((total, { length }) => total + length, 0)
      if (bytes > 0) files.set(file, { chunks, bytes })
    },
    stored: async () => undefined,
    remove: async () => {},
  }
}

/** Starts reading, and waits for the end of `sink`. @throws the signal's reason when that aborts */
function toEnd(request: IncomingMessage, stopped: AbortSignal, sink: NodeJS.EventEmitter, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    function end(): void {
      stopped.removeEventListener('abort', end)
      request.unpipe()
      // After a refusal the rest is discarded, so that a client that writes everything before it reads sees the answer.
      request.resume()
      if (stopped.aborted) reject(stopped.reason)
      else resolve()
    }
    stopped.addEventListener('abort', end)
    sink.once(sink === request ? 'end' : 'finish', end)
    if (stopped.aborted) end()
    else begin()
  })
}

/** With the default of 64 KiB the parser would pause and resume the socket at every chunk: a fifth of its CPU. */
const STREAM_BYTES = MiB

const MULTIPART = /^multipart\/form-data\s*;/i

type FormParser = InstanceType<typeof Busboy>

/**
 * A parser for a request's form, whose files may have `fileBytes` each.
 * @throws ApiError missing_form_data
 */
function openParser({ headers }: IncomingMessage, fileBytes: number): FormParser {
  if (!MULTIPART.test(headers['content-type'] ?? '')) throw new ApiError('missing_form_data')
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      highWaterMark: STREAM_BYTES,
      fileHwm: STREAM_BYTES,
      limits: {
        fileSize: fileBytes,
        files: limits.formFields,
        fields: limits.formFields,
        parts: 2 * limits.formFields,
        fieldSize: limits.fieldBytes,
      },
    })
  } catch (cause) {
    throw new ApiError('missing_form_data', { message: 'The Content-Type has no boundary.', cause })
  }
}

interface WantedParts {
  /** The fields whose files are kept in memory; others are discarded. */
  readonly files: readonly string[]
  /** How many others are kept too. */
  readonly further?: number
  /** The fields that contain text. */
  readonly texts: readonly string[]
  /** Most bytes of one file. */
  readonly fileBytes: number
  /** The store for the file of one further field. */
  readonly store?: FileStore | undefined
}

const tooLargeFile = ({ store, fileBytes }: WantedParts): ApiError =>
  store
    ? new ApiError(store.tooLarge)
    : new ApiError('file_too_large', { message: `Send a file of at most ${megabytes(fileBytes)}.` })

/** The parts of a form, while it is parsed. */
interface FormParts extends Pick<Form, 'fields' | 'files' | 'unknown'> {
  /** Waits for the store. */
  stored(): Promise<Stored | undefined>
  /** Removes what was stored. @throws StorageUnavailable */
  remove(): Promise<void>
}

/** Collects the parser's parts until `stopped` aborts; calls `refuse` with what is wrong with one. */
function collectParts(parser: FormParser, form: WantedParts, refuse: (reason: unknown) => void, stopped: AbortSignal): FormParts {
  const { files: wanted, further = 0, texts, store } = form
  const fields = new Map<string, string[]>()
  const files = new Map<string, Upload>()
  const storing: Promise<Stored | undefined>[] = []
  const seen = new Set<string>()
  const known = new Set([...wanted, ...texts, ...(store ? [store.field] : [])])
  const unknown = new Set<string>()
  // Called at a file's first byte: an empty one, as browsers send for an empty input, counts as none.
  function onlyOne(name: string): void {
    if (seen.has(name)) refuse(invalidParam(name, 'repeated', 'Send one file in this field.'))
    seen.add(name)
  }
  function hold(name: string, stream: Readable): void {
    const chunks: Buffer[] = []
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      if (chunks.length === 0) onlyOne(name)
      chunks.push(chunk)
      bytes += chunk.length
    })
    stream.on('end', () => bytes > 0 && files.set(name, { chunks, bytes }))
  }
  const others = new Set<string>()
  function isFurther(name: string): boolean {
    if (name === undefined || known.has(name)) return false
    others.add(name)
    return others.size <= further
  }
  function discard(name: string, stream: Readable): void {
    if (texts.includes(name)) stream.once('data', () => refuse(invalidParam(name, 'invalid_type', 'Must be text, not a file.')))
    stream.resume()
  }
  const put = (file: Readable, to: FileStore) =>
    storeFile(file, to, () => onlyOne(to.field), stopped).catch((error: unknown) => {
      refuse(error)
      return undefined
    })

  // A part need not have a name, whatever the parser's types say.
  const note = (name: string | undefined) => void (name === undefined || known.has(name) || unknown.add(name))
  function check(name = '', text = ''): void {
    try {
      refuseNul({ [name]: text })
    } catch (reason) {
      refuse(reason)
    }
  }

  parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
    note(name)
    // The text in a field for a file is a file without a file name, and not read.
    check(name, wanted.includes(name) ? '' : value)
    if (valueTruncated) refuse(invalidParam(name, 'too_big', `Must have at most ${limits.fieldBytes} bytes.`))
    fields.set(name, [...(fields.get(name) ?? []), value])
  })
  parser.on('file', (name, stream, fileName) => {
    check(name, fileName)
    const keeps = wanted.includes(name) || isFurther(name)
    if (!keeps) note(name)
    // A form that ends inside a file is an error of this stream too, which without a listener would end the process.
    stream.on('error', (cause: unknown) => refuse(new ApiError('missing_form_data', { cause })))
    stream.on('limit', () => refuse(tooLargeFile(form)))
    addAbortSignal(stopped, stream)
    if (store && name === store.field) storing.push(put(stream, store))
    else if (keeps) hold(name, stream)
    else discard(name, stream)
  })
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => refuse(new ApiError('missing_form_data', { message: 'The form has too many fields.' })))
  }
  parser.on('error', (cause: unknown) => refuse(new ApiError('missing_form_data', { cause })))

  const stored = async () => (await Promise.all(storing)).find((file) => file !== undefined)
  return {
    fields,
    files,
    unknown,
    stored,
    async remove() {
      const file = await stored()
      if (file) await store?.blobs.delete(file.key)
    },
  }
}
