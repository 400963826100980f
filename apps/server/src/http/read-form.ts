import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import type { FormFields } from '@pixelmill/codecs/contract/parse'
import type { HeldUpload, HeldUploads } from '@pixelmill/engine/concurrency/capacity'
import { serverBusy } from '@pixelmill/engine/rendering/pool'
import { giveBackOwnMemory } from '@pixelmill/engine/rendering/protocol'
import { ApiError } from '../contract/api-error.ts'
import { type FormParser, FormParts, tooLargeFile, type WantedParts } from './form-parts.ts'
import { type Pace, watchPace } from './read-body.ts'
import type { Form } from './route.ts'
import type { Stored } from './store-file.ts'

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
  const stoppedSignal = AbortSignal.any([signal, refusal.signal])
  const isImage = raw?.isAnyType || IMAGE.test(request.headers['content-type'] ?? '')
  const reader =
    raw && isImage ? rawReader(request, form, raw, stoppedSignal) : formReader(request, form, isImage, refuse, stoppedSignal)
  const tooLarge = () => tooLargeFile(form)
  if (Number(request.headers['content-length'] ?? 0) > reader.mostBytes) throw tooLarge()
  const unwatch = watchPace(request, pace, () => refuse(new ApiError('upload_timeout')))
  const heldUpload = memory?.begin(account, () => refuse(serverBusy()))
  const inMemory: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    heldUpload?.add(chunk.length)
    if (heldUpload) inMemory.push(chunk)
    if (bytes > reader.mostBytes) refuse(tooLarge())
  })
  try {
    await reader.read()
    const storedFile = await reader.stored()
    stoppedSignal.throwIfAborted()
    heldUpload?.arrived()
    const { fields, files } = reader
    // With a form the query is not read, so its parameters are ignored too.
    const unknownTexts = [...reader.unknown, ...(isImage ? [] : (raw?.query.keys() ?? []))]
    return {
      fields,
      files,
      unknown: unknownTexts,
      stored: storedFile,
      held: heldUpload,
      release: () => giveBackOwnMemory(inMemory.splice(0)),
    }
  } catch (reason) {
    heldUpload?.[Symbol.dispose]()
    await reader.remove()
    throw reason
  } finally {
    unwatch()
  }
}

function formReader(
  request: IncomingMessage,
  form: FormLimits,
  isImage: boolean,
  refuse: (reason: unknown) => void,
  stoppedSignal: AbortSignal,
): Reader {
  const { files, further = 0, fileBytes, store } = form
  if (isImage && files.length > 1) throw new ApiError('missing_form_data', { message: needsForm(files) })
  const mostBytes = fileBytes * (files.length + further) + (store?.bytes ?? 0) + limits.formOverheadBytes
  const parser = openParser(request, store?.bytes ?? fileBytes)
  const parts = new FormParts(parser, form, refuse, stoppedSignal)
  return {
    fields: parts.fields,
    files: parts.files,
    unknown: parts.unknownFields,
    mostBytes,
    read: () => toEnd(request, stoppedSignal, parser, () => request.pipe(parser)),
    stored: () => parts.storedFile(),
    remove: () => parts.remove(),
  }
}

const needsForm = (files: readonly string[]): string =>
  `Send the files ${files.join(' and ')} as multipart/form-data: a request body that is an image can contain only one file.`

function rawReader(
  request: IncomingMessage,
  { fileBytes, texts }: FormLimits,
  { file, query }: NonNullable<FormLimits['raw']>,
  stoppedSignal: AbortSignal,
): Reader {
  const chunks: Buffer[] = []
  const files = new Map<string, { readonly chunks: readonly Buffer[]; readonly bytes: number }>()
  return {
    fields: query,
    files,
    unknown: [...query.keys()].filter((name) => !texts.includes(name)),
    mostBytes: fileBytes,
    async read() {
      await toEnd(request, stoppedSignal, request, () => request.on('data', (chunk: Buffer) => chunks.push(chunk)))
      const bytes = chunks.reduce((total, { length }) => total + length, 0)
      if (bytes > 0) files.set(file, { chunks, bytes })
    },
    stored: async () => undefined,
    remove: async () => {},
  }
}

/** Starts reading, and waits for the end of `sink`. @throws the signal's reason when that aborts */
function toEnd(
  request: IncomingMessage,
  stoppedSignal: AbortSignal,
  sink: NodeJS.EventEmitter,
  begin: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    function end(): void {
      stoppedSignal.removeEventListener('abort', end)
      request.unpipe()
      // After a refusal the rest is discarded, so that a client that writes everything before it reads sees the answer.
      request.resume()
      if (stoppedSignal.aborted) reject(stoppedSignal.reason)
      else resolve()
    }
    stoppedSignal.addEventListener('abort', end)
    sink.once(sink === request ? 'end' : 'finish', end)
    if (stoppedSignal.aborted) end()
    else begin()
  })
}

/** With the default of 64 KiB the parser would pause and resume the socket at every chunk: a fifth of its CPU. */
const STREAM_BYTES = MiB

const MULTIPART = /^multipart\/form-data\s*;/i

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
