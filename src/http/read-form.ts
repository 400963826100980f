import type { IncomingMessage } from 'node:http'
import { ApiError } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import { giveBackMemory } from '../rendering/give-back-memory.ts'
import type { HeldUpload, HeldUploads } from '../rendering/held-uploads.ts'
import { serverBusy } from '../rendering/pool.ts'
import { type Pace, watchPace } from './body-pace.ts'
import { type FormParser, openParser } from './form-parser.ts'
import { collectParts, tooLargeFile, type WantedParts } from './form-parts.ts'
import type { Form } from './route.ts'
import type { Stored } from './store-file.ts'

export interface FormLimits extends WantedParts {
  readonly pace: Pace
  /** Where the bytes are counted; left out where they go into the store. */
  readonly memory?: HeldUploads | undefined
}

/** A form as it was read. What was stored is the caller's: to use, or to remove. */
export interface FormRead extends Omit<Form, 'stored'> {
  readonly stored: Stored | undefined
  /** What is held in memory, until the request's end. */
  readonly held?: HeldUpload | undefined
}

/**
 * Reads a multipart form under limits, while it streams in. Files stay as the chunks they came in: they are only passed on.
 * @throws ApiError missing_form_data, file_too_large or what is too large for the store, invalid_params, upload_timeout,
 * server_busy; the
 * signal's reason when it aborts; what the store throws. Nothing is left in the store then.
 */
export async function readForm(request: IncomingMessage, form: FormLimits, signal: AbortSignal): Promise<FormRead> {
  const { files, fileBytes, store, pace, memory } = form
  const mostBytes = fileBytes * files.length + (store?.bytes ?? 0) + limits.formOverheadBytes
  const tooLarge = () => tooLargeFile(form)
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge()
  const parser = openParser(request, store?.bytes ?? fileBytes)
  const refusal = new AbortController()
  const refuse = (reason: unknown) => refusal.abort(reason)
  const stopped = AbortSignal.any([signal, refusal.signal])
  const parts = collectParts(parser, form, refuse, stopped)
  const unwatch = watchPace(request, pace, () => refuse(new ApiError('upload_timeout')))
  const held = memory?.begin(() => refuse(serverBusy()))
  const inMemory: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    held?.add(chunk.length)
    if (held) inMemory.push(chunk)
    if (bytes > mostBytes) refuse(tooLarge())
  })
  try {
    await parse(request, parser, stopped)
    const stored = await parts.stored()
    stopped.throwIfAborted()
    held?.arrived()
    return { fields: parts.fields, files: parts.files, stored, held, release: () => release(inMemory.splice(0)) }
  } catch (reason) {
    held?.[Symbol.dispose]()
    await parts.remove()
    throw reason
  } finally {
    unwatch()
  }
}

/** A chunk that is part of a larger piece of memory shares it with what else has come. */
function release(chunks: readonly Buffer[]): void {
  for (const chunk of chunks) if (chunk.length === chunk.buffer.byteLength) giveBackMemory(chunk)
}

/** Feeds the parser to its end. @throws the signal's reason when that aborts */
function parse(request: IncomingMessage, parser: FormParser, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    function end(): void {
      stopped.removeEventListener('abort', end)
      request.unpipe(parser)
      // After a refusal what is still to come is read past, so that a client that only writes gets to see the answer.
      request.resume()
      if (stopped.aborted) reject(stopped.reason)
      else resolve()
    }
    stopped.addEventListener('abort', end)
    parser.once('finish', end)
    if (stopped.aborted) end()
    else request.pipe(parser)
  })
}
