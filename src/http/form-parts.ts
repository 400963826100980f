import { addAbortSignal, type Readable } from 'node:stream'
import { ApiError, invalidParam } from '../contract/api-error.ts'
import { limits, megabytes } from '../contract/limits.ts'
import type { FormParser } from './form-parser.ts'
import type { Form, Upload } from './route.ts'
import { type FileStore, type Stored, storeFile } from './store-file.ts'

export interface WantedParts {
  /** The fields whose files are kept in memory; others are read past. */
  readonly files: readonly string[]
  /** The fields that are text. */
  readonly texts: readonly string[]
  /** Bytes of one of the files. */
  readonly fileBytes: number
  /** Where the file of one further field goes. */
  readonly store?: FileStore | undefined
}

export const tooLargeFile = ({ store, fileBytes }: WantedParts): ApiError =>
  store
    ? new ApiError(store.tooLarge)
    : new ApiError('file_too_large', { message: `Send a file of at most ${megabytes(fileBytes)}.` })

/** What is kept of a form while it is parsed. */
export interface FormParts extends Pick<Form, 'fields' | 'files' | 'unknown'> {
  /** Waits for the store. */
  stored(): Promise<Stored | undefined>
  /** Removes what was stored. @throws StorageUnavailable */
  remove(): Promise<void>
}

/** Keeps what a parser finds until `stopped` aborts; `refuse` is told of the first thing that must not be. */
export function collectParts(
  parser: FormParser,
  form: WantedParts,
  refuse: (reason: unknown) => void,
  stopped: AbortSignal,
): FormParts {
  const { files: wanted, texts, store } = form
  const fields = new Map<string, string[]>()
  const files = new Map<string, Upload>()
  const storing: Promise<Stored | undefined>[] = []
  const seen = new Set<string>()
  const known = new Set([...wanted, ...texts, ...(store ? [store.field] : [])])
  const unknown = new Set<string>()
  // An empty file, as browsers send for an empty input, is no file.
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
  function readPast(name: string, stream: Readable): void {
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

  parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
    note(name)
    if (valueTruncated) refuse(invalidParam(name, 'too_big', `Must have at most ${limits.fieldBytes} bytes.`))
    fields.set(name, [...(fields.get(name) ?? []), value])
  })
  parser.on('file', (name, stream) => {
    note(name)
    // A form that ends inside a file is an error of that stream too, which would end the process if nobody listened.
    stream.on('error', (cause: unknown) => refuse(new ApiError('missing_form_data', { cause })))
    stream.on('limit', () => refuse(tooLargeFile(form)))
    addAbortSignal(stopped, stream)
    if (store && name === store.field) storing.push(put(stream, store))
    else if (wanted.includes(name)) hold(name, stream)
    else readPast(name, stream)
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
