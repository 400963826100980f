import { addAbortSignal, type Readable } from 'node:stream'
import type { Busboy } from '@fastify/busboy'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits, megabytes } from '@pixelmill/codecs/contract/limits'
import { refuseNul } from '@pixelmill/codecs/contract/nul'
import type { Form, Upload } from './route.ts'
import { type FileStore, type Stored, storeFile } from './store-file.ts'

export type FormParser = InstanceType<typeof Busboy>

export interface WantedParts {
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

export const tooLargeFile = ({ store, fileBytes }: WantedParts): ApiError =>
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
export function collectParts(
  parser: FormParser,
  form: WantedParts,
  refuse: (reason: unknown) => void,
  stoppedSignal: AbortSignal,
): FormParts {
  const { files: heldFields, further = 0, texts, store } = form
  const fields = new Map<string, string[]>()
  const files = new Map<string, Upload>()
  const storing: Promise<Stored | undefined>[] = []
  const arrivedFiles = new Set<string>()
  const namedFields = new Set([...heldFields, ...texts, ...(store ? [store.field] : [])])
  const unnamedFields = new Set<string>()
  // Called at a file's first byte: an empty one, as browsers send for an empty input, counts as none.
  function onlyOne(name: string): void {
    if (arrivedFiles.has(name)) refuse(invalidParam(name, 'repeated', 'Send one file in this field.'))
    arrivedFiles.add(name)
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
    if (name === undefined || namedFields.has(name)) return false
    others.add(name)
    return others.size <= further
  }
  function discard(name: string, stream: Readable): void {
    if (texts.includes(name)) stream.once('data', () => refuse(invalidParam(name, 'invalid_type', 'Must be text, not a file.')))
    stream.resume()
  }
  const put = (file: Readable, to: FileStore) =>
    storeFile(file, to, () => onlyOne(to.field), stoppedSignal).catch((error: unknown) => {
      refuse(error)
      return undefined
    })

  // A part need not have a name, whatever the parser's types say.
  const note = (name: string | undefined) => void (name === undefined || namedFields.has(name) || unnamedFields.add(name))
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
    check(name, heldFields.includes(name) ? '' : value)
    if (valueTruncated) refuse(invalidParam(name, 'too_big', `Must have at most ${limits.fieldBytes} bytes.`))
    fields.set(name, [...(fields.get(name) ?? []), value])
  })
  parser.on('file', (name, stream, fileName) => {
    check(name, fileName)
    const keeps = heldFields.includes(name) || isFurther(name)
    if (!keeps) note(name)
    // A form that ends inside a file is an error of this stream too, which without a listener would end the process.
    stream.on('error', (cause: unknown) => refuse(new ApiError('missing_form_data', { cause })))
    stream.on('limit', () => refuse(tooLargeFile(form)))
    addAbortSignal(stoppedSignal, stream)
    if (store && name === store.field) storing.push(put(stream, store))
    else if (keeps) hold(name, stream)
    else discard(name, stream)
  })
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => refuse(new ApiError('missing_form_data', { message: 'The form has too many fields.' })))
  }
  parser.on('error', (cause: unknown) => refuse(new ApiError('missing_form_data', { cause })))

  const storedFile = async () => (await Promise.all(storing)).find((file) => file !== undefined)
  return {
    fields,
    files,
    unknown: unnamedFields,
    stored: storedFile,
    async remove() {
      const file = await storedFile()
      if (file) await store?.blobs.delete(file.key)
    },
  }
}
