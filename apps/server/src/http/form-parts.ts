import { addAbortSignal, type Readable } from 'node:stream'
import type { Busboy } from '@fastify/busboy'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits, megabytes } from '@pixelmill/codecs/contract/limits'
import { refuseNul } from '@pixelmill/codecs/contract/nul'
import { ApiError } from '../contract/api-error.ts'
import type { Upload } from './route.ts'
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

/** The parts of a form, collected from its parser until `stop` aborts; `refuse` gets what is wrong with one. */
export class FormParts {
  readonly fields = new Map<string, string[]>()
  readonly files = new Map<string, Upload>()
  /** Names of fields that the form does not have. */
  readonly unknownFields = new Set<string>()
  readonly #form: WantedParts
  readonly #refuse: (reason: unknown) => void
  readonly #stop: AbortSignal
  readonly #declaredFields: ReadonlySet<string>
  readonly #furtherFields = new Set<string>()
  readonly #fieldsWithFile = new Set<string>()
  readonly #storing: Promise<Stored | undefined>[] = []

  constructor(parser: FormParser, form: WantedParts, refuse: (reason: unknown) => void, stop: AbortSignal) {
    this.#form = form
    this.#refuse = refuse
    this.#stop = stop
    this.#declaredFields = new Set([...form.files, ...form.texts, ...(form.store ? [form.store.field] : [])])
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => this.#addText(name, value, valueTruncated))
    parser.on('file', (name, stream, fileName) => this.#addFile(name, stream, fileName))
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(event, () => refuse(new ApiError('missing_form_data', { message: 'The form has too many fields.' })))
    }
    parser.on('error', (cause: unknown) => refuse(new ApiError('missing_form_data', { cause })))
  }

  /** Waits for the store. */
  async storedFile(): Promise<Stored | undefined> {
    return (await Promise.all(this.#storing)).find((file) => file !== undefined)
  }

  /** Removes what was stored. @throws StorageUnavailable */
  async remove(): Promise<void> {
    const file = await this.storedFile()
    if (file) await this.#form.store?.blobs.delete(file.key)
  }

  #addText(name: string, value: string, isCut: boolean): void {
    this.#noteUnknown(name)
    // The text in a field for a file is a file without a file name, and not read.
    this.#refuseNul(name, this.#form.files.includes(name) ? '' : value)
    if (isCut) this.#refuse(invalidParam(name, 'too_big', `Must have at most ${limits.fieldBytes} bytes.`))
    this.fields.set(name, [...(this.fields.get(name) ?? []), value])
  }

  #addFile(name: string, stream: Readable, fileName: string): void {
    const { files, store } = this.#form
    this.#refuseNul(name, fileName)
    const isHeld = files.includes(name) || this.#isFurther(name)
    if (!isHeld) this.#noteUnknown(name)
    // A form that ends inside a file is an error of this stream too, which without a listener would end the process.
    stream.on('error', (cause: unknown) => this.#refuse(new ApiError('missing_form_data', { cause })))
    stream.on('limit', () => this.#refuse(tooLargeFile(this.#form)))
    addAbortSignal(this.#stop, stream)
    if (store && name === store.field) this.#storing.push(this.#store(stream, store))
    else if (isHeld) this.#hold(name, stream)
    else this.#discard(name, stream)
  }

  #hold(name: string, stream: Readable): void {
    const chunks: Buffer[] = []
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      if (chunks.length === 0) this.#onlyOne(name)
      chunks.push(chunk)
      bytes += chunk.length
    })
    stream.on('end', () => bytes > 0 && this.files.set(name, { chunks, bytes }))
  }

  #store(stream: Readable, store: FileStore): Promise<Stored | undefined> {
    return storeFile(stream, store, () => this.#onlyOne(store.field), this.#stop).catch((error: unknown) => {
      this.#refuse(error)
      return undefined
    })
  }

  #discard(name: string, stream: Readable): void {
    if (this.#form.texts.includes(name))
      stream.once('data', () => this.#refuse(invalidParam(name, 'invalid_type', 'Must be text, not a file.')))
    stream.resume()
  }

  /** Called at a file's first byte: an empty one, as browsers send for an empty input, counts as none. */
  #onlyOne(name: string): void {
    if (this.#fieldsWithFile.has(name)) this.#refuse(invalidParam(name, 'repeated', 'Send one file in this field.'))
    this.#fieldsWithFile.add(name)
  }

  /** A part need not have a name, whatever the parser's types say. */
  #isFurther(name: string | undefined): boolean {
    if (name === undefined || this.#declaredFields.has(name)) return false
    this.#furtherFields.add(name)
    return this.#furtherFields.size <= (this.#form.further ?? 0)
  }

  #noteUnknown(name: string | undefined): void {
    if (name !== undefined && !this.#declaredFields.has(name)) this.unknownFields.add(name)
  }

  #refuseNul(name = '', text = ''): void {
    try {
      refuseNul({ [name]: text })
    } catch (reason) {
      this.#refuse(reason)
    }
  }
}
