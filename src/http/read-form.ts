import type { IncomingMessage } from 'node:http'
import { ApiError } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import type { FormFields } from '../contract/parse.ts'
import { giveBackMemory } from '../rendering/give-back-memory.ts'
import type { HeldUpload, HeldUploads } from '../rendering/held-uploads.ts'
import { serverBusy } from '../rendering/pool.ts'
import { type Pace, watchPace } from './body-pace.ts'
import { openParser } from './form-parser.ts'
import { collectParts, tooLargeFile, type WantedParts } from './form-parts.ts'
import type { Form } from './route.ts'
import type { Stored } from './store-file.ts'

export interface FormLimits extends WantedParts {
  readonly pace: Pace
  /** Where the bytes are counted; left out where they go into the store. */
  readonly memory?: HeldUploads | undefined
  /** The file that a body of an image type is, and the parameters that come in the query with it. */
  readonly raw?: { readonly file: string; readonly query: FormFields } | undefined
}

/** A form as it was read. What was stored is the caller's: to use, or to remove. */
export interface FormRead extends Omit<Form, 'stored'> {
  readonly stored: Stored | undefined
  /** What is held in memory, until the request's end. */
  readonly held?: HeldUpload | undefined
}

const IMAGE = /^image\//i

/** Takes the bytes of a body. */
interface Reader extends Pick<Form, 'fields' | 'files' | 'unknown'> {
  /** Bytes that the body may have. */
  readonly mostBytes: number
  /** Reads to the end. @throws the signal's reason when that aborts */
  read(): Promise<void>
  /** Waits for the store. */
  stored(): Promise<Stored | undefined>
  /** Removes what was stored. */
  remove(): Promise<void>
}

/**
 * Reads a multipart form, or an image alone in place of one, under limits while it streams in. Files stay as the chunks they came
 * in: they are only passed on.
 * @throws ApiError missing_form_data, file_too_large or what is too large for the store, invalid_params, upload_timeout,
 * server_busy; the signal's reason when it aborts; what the store throws. Nothing is left in the store then.
 */
export async function readForm(request: IncomingMessage, form: FormLimits, signal: AbortSignal): Promise<FormRead> {
  const { raw, pace, memory } = form
  const refusal = new AbortController()
  const refuse = (reason: unknown) => refusal.abort(reason)
  const stopped = AbortSignal.any([signal, refusal.signal])
  const isImage = IMAGE.test(request.headers['content-type'] ?? '')
  const reader = raw && isImage ? rawReader(request, form, raw, stopped) : formReader(request, form, isImage, refuse, stopped)
  const tooLarge = () => tooLargeFile(form)
  if (Number(request.headers['content-length'] ?? 0) > reader.mostBytes) throw tooLarge()
  const unwatch = watchPace(request, pace, () => refuse(new ApiError('upload_timeout')))
  const held = memory?.begin(() => refuse(serverBusy()))
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
    // With a form the query is not read, so that what it names is ignored too.
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

/** A chunk that is part of a larger piece of memory shares it with what else has come. */
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
  const { files, fileBytes, store } = form
  if (isImage && files.length > 1) throw new ApiError('missing_form_data', { message: needsForm(files) })
  const mostBytes = fileBytes * files.length + (store?.bytes ?? 0) + limits.formOverheadBytes
  const parser = openParser(request, store?.bytes ?? fileBytes)
  const parts = collectParts(parser, form, refuse, stopped)
  const read = () => toEnd(request, stopped, parser, () => request.pipe(parser))
  return { ...parts, mostBytes, read }
}

const needsForm = (files: readonly string[]): string =>
  `Send the files ${files.join(' and ')} as multipart/form-data: a body that is an image holds only one.`

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

/** Begins to read, and waits for the end of `sink`. @throws the signal's reason when that aborts */
function toEnd(request: IncomingMessage, stopped: AbortSignal, sink: NodeJS.EventEmitter, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    function end(): void {
      stopped.removeEventListener('abort', end)
      request.unpipe()
      // After a refusal what is still to come is read past, so that a client that only writes gets to see the answer.
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
