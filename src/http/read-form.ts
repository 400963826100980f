import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { ApiError, invalidParam } from '../contract/api-error.ts'
import { limits, MiB } from '../contract/limits.ts'
import type { Form, Upload } from './route.ts'

/** With the default of 64 KiB the parser would pause and wake the socket at every chunk: a fifth of its CPU. */
const STREAM_BYTES = MiB

const MULTIPART = /^multipart\/form-data\s*;/i

export interface FormLimits {
  /** The fields whose files are kept; others are read past. */
  readonly files: readonly string[]
  readonly timeoutSeconds: number
}

/**
 * Collects a multipart form under limits, while it streams in. Files stay as the chunks they came in: they are only
 * passed on.
 * @throws ApiError missing_form_data, file_too_large, invalid_params, upload_timeout; the signal's reason when it aborts
 */
export function readForm(
  request: IncomingMessage,
  { files: wanted, timeoutSeconds }: FormLimits,
  signal: AbortSignal,
): Promise<Form> {
  const largest = limits.uploadBytes * wanted.length + limits.formOverheadBytes
  if (Number(request.headers['content-length'] ?? 0) > largest) throw new ApiError('file_too_large')
  const parser = openParser(request)
  const fields = new Map<string, string[]>()
  const files = new Map<string, Upload>()
  const seen = new Set<string>()

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => stop(new ApiError('upload_timeout')), timeoutSeconds * 1000)
    function stop(reason?: unknown): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      request.unpipe(parser)
      if (reason === undefined) resolve({ fields, files })
      else reject(reason)
      // After a refusal what is still to come is read past, so that a client that only writes gets to see the answer.
      request.resume()
    }
    const onAbort = () => stop(signal.reason)
    if (signal.aborted) {
      stop(signal.reason)
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })

    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (valueTruncated) stop(invalidParam(name, 'too_big', `Must have at most ${limits.fieldBytes} bytes.`))
      fields.set(name, [...(fields.get(name) ?? []), value])
    })
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = []
      let bytes = 0
      stream.on('data', (chunk: Buffer) => {
        if (!wanted.includes(name)) return
        // An empty file, as browsers send for an empty input, is no file.
        if (chunks.length === 0 && seen.has(name)) stop(invalidParam(name, 'repeated', 'Send one file in this field.'))
        seen.add(name)
        chunks.push(chunk)
        bytes += chunk.length
      })
      // A form that ends inside a file is an error of that stream too, which would end the process if nobody listened.
      stream.on('error', (cause: unknown) => stop(new ApiError('missing_form_data', { cause })))
      stream.on('limit', () => stop(new ApiError('file_too_large')))
      stream.on('end', () => wanted.includes(name) && bytes > 0 && files.set(name, { chunks, bytes }))
    })
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(event, () => stop(new ApiError('missing_form_data', { message: 'The form has too many fields.' })))
    }
    parser.on('error', (cause: unknown) => stop(new ApiError('missing_form_data', { cause })))
    parser.on('finish', () => stop())
    request.pipe(parser)
  })
}

function openParser(request: IncomingMessage): InstanceType<typeof Busboy> {
  if (!MULTIPART.test(request.headers['content-type'] ?? '')) throw new ApiError('missing_form_data')
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      highWaterMark: STREAM_BYTES,
      fileHwm: STREAM_BYTES,
      limits: {
        fileSize: limits.uploadBytes,
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
