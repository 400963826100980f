import type {
  AltTextData,
  AltTextResponses,
  ConvertData,
  ImageInfo,
  InspectData,
  OptimizeData,
  Recipe,
  RemoveBackgroundData,
  StartBatchData,
  Batch as Status,
} from './api-types.ts'
import { Batch, pauseOf, type Waiting } from './batch.ts'
import { dataUri, type FileInput, formOf, type ImageInput, isFile } from './files.ts'
import { type Picture, type Preparation, pictureIn, picturesOf, preparationOf } from './picture.ts'
import { type Options, type Send, sender } from './request.ts'
import { type Files, writeZip, zippedFiles } from './zip.ts'

interface Abortable {
  readonly signal?: AbortSignal
}

/** The fields of a form beside its files. */
type Fields<Form> = Form extends object ? Partial<Omit<Form, 'image' | 'imageUrl' | 'file' | 'recipe' | 'upload'>> : never
/** A form, and not the raw body that a route may also take. */
type FormIn<Body> = Exclude<Body, Blob>

export type ConvertOptions = Fields<FormIn<ConvertData['body']>> & Abortable
export type OptimizeOptions = Fields<FormIn<OptimizeData['body']>> & Abortable
export type RemoveBackgroundOptions = Fields<FormIn<RemoveBackgroundData['body']>> & Abortable
export type BatchOptions = Fields<StartBatchData['body']> & { readonly recipe?: Recipe } & Abortable
export type InfoFields = NonNullable<NonNullable<InspectData['query']>['fields']>
export type AltTextOptions = Omit<AltTextData['body'], 'images'> & Abortable
export type AltTexts = AltTextResponses[200]

export interface ImagesOptions extends Abortable {
  /** Further files that steps name, such as a watermark. */
  readonly files?: Readonly<Record<string, FileInput>>
  /** What formats `auto` and `best` may give, such as `image/avif,image/webp`. */
  readonly accept?: string
}

/** A batch that is being uploaded: `batch(zip).wait()` uploads and waits. */
export type StartedBatch = Promise<Batch> & { wait(waiting?: Waiting): Promise<Batch> }

/** A Pixelmill server. Every call may throw PixelmillError. */
export class Pixelmill {
  /** Any other call of the API: it is repeated and its errors are thrown as of all others. */
  readonly send: Send

  constructor(options: Options = {}) {
    this.send = sender(options)
  }

  /** Converts, resizes and compresses an image. */
  async convert(image: ImageInput, { signal, ...fields }: ConvertOptions = {}): Promise<Picture> {
    return await pictureIn(await this.#post('/api/v1/convert', ...withImage(image, fields), signal))
  }

  /** The same format in fewer bytes, and never more than the image has. */
  async optimize(image: ImageInput, { signal, ...fields }: OptimizeOptions = {}): Promise<Picture> {
    return await pictureIn(await this.#post('/api/v1/optimize', ...withImage(image, fields), signal))
  }

  /** Removes the background of an image. */
  async removeBackground(image: FileInput, { signal, ...fields }: RemoveBackgroundOptions = {}): Promise<Picture> {
    return await pictureIn(await this.#post('/api/background-remove', fields, { image }, signal))
  }

  /** Makes the outputs of a recipe, or of a preset by its name, from one image. */
  async images(image: ImageInput, recipe: Recipe | string, options: ImagesOptions = {}): Promise<readonly Picture[]> {
    const name = (typeof recipe === 'string' ? undefined : recipe.outputs?.[0]?.name) ?? 'image'
    return await picturesOf(await this.#render(image, recipe, options), name)
  }

  /** The same, and what the image is: its size, BlurHash, dominant colour and alternative text. */
  async prepare(image: ImageInput, recipe: Recipe | string, options: ImagesOptions = {}): Promise<Preparation> {
    return await preparationOf(await this.#render(image, recipe, options, { describe: true }))
  }

  async #render(image: ImageInput, recipe: Recipe | string, { files, accept = '*/*', signal }: ImagesOptions, more: object = {}) {
    const fields = typeof recipe === 'string' ? { preset: recipe } : { recipe }
    // Several images come as parts: a ZIP would have to be unpacked.
    const headers = { accept: `multipart/mixed,${accept},application/zip;q=0.1` }
    return await this.#post('/api/v3/images', ...withImage(image, { ...fields, ...more }, files), signal, headers)
  }

  /** What an image is and carries. @param fields by default all but `exif.gps` */
  async info(image: ImageInput, fields?: InfoFields, { signal }: Abortable = {}): Promise<ImageInfo> {
    const query = fields ? `?fields=${fields.join(',')}` : ''
    return await jsonOf(await this.#post(`/api/v3/info${query}`, ...withImage(image, {}), signal))
  }

  /** Starts to convert images: of a ZIP, or by their paths. */
  batch(images: FileInput | Files, options: BatchOptions = {}): StartedBatch {
    const start = this.#batch(images, options)
    return Object.assign(start, { wait: async (waiting?: Waiting) => await (await start).wait(waiting) })
  }

  async #batch(images: FileInput | Files, { signal, ...fields }: BatchOptions): Promise<Batch> {
    const file = isFile(images) ? images : await writeZip(await zippedFiles(images), signal && { signal })
    const response = await this.#post('/api/v2/batch', fields, { file }, signal)
    return new Batch(this.send, (await response.json()) as Status, pauseOf(response))
  }

  /** Writes alternative texts for images, one for each. */
  async altText(images: FileInput | readonly FileInput[], { signal, ...rest }: AltTextOptions = {}): Promise<AltTexts> {
    const list = isFile(images) ? [images] : images
    const body = JSON.stringify({ images: await Promise.all(list.map(dataUri)), ...rest })
    return await jsonOf(await this.send('/v1/ai/alt-text', { method: 'POST', body, signal }))
  }

  async #post(
    path: string,
    fields: Readonly<Record<string, unknown>>,
    files: Readonly<Record<string, FileInput>>,
    signal?: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return await this.send(path, { method: 'POST', body: await formOf(fields, files), headers, signal })
  }
}

const jsonOf = async <Body>(response: Response): Promise<Body> => (await response.json()) as Body

/** The fields and files of a form, in which an address is a field. */
function withImage(
  image: ImageInput,
  fields: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, FileInput>> = {},
): readonly [fields: Readonly<Record<string, unknown>>, files: Readonly<Record<string, FileInput>>] {
  return image instanceof URL ? [{ ...fields, imageUrl: image.href }, files] : [fields, { ...files, image }]
}
