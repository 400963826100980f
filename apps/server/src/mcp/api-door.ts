import { recognise } from '@pixelmill/codecs'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import type {
  CropShapes,
  Door,
  Edited,
  EditOrder,
  FailedOutput,
  ListOrder,
  MadeImage,
  PageOrder,
  Prepared,
  WrittenRecipe,
} from 'pixelmill/agent-tools/door'
import { z } from 'zod'
import { ApiError, isRefusal } from '../contract/api-error.ts'
import type { OwnAnswer, OwnRequest } from '../contract/own-request.ts'
import { imagesOf, jsonOf, type NamedBytes, succeedAnswer } from './api-answers.ts'
import type { ApiDoorParts } from './api-door-parts.ts'
import { type Image, image, inlineBytes } from './inline-image.ts'

/** The tools as a caller of the API has them. */
export class ApiDoor implements Door<Image> {
  readonly image = image
  readonly edits = {}
  readonly batch = { archive: z.string().describe('Handle of an uploaded ZIP.'), name: z.string().optional() }
  readonly texts = {
    images:
      'image: {handle} of PUT /api/v3/uploads or of a result, {source, path} in a source of the account, {url} of a picture on the web, or {base64} up to 256 KiB.',
    results: 'A result is a handle for an hour, to use again or to GET with the API key; of a source, a signed URL that lasts.',
    batch: 'Converts a ZIP of images, as one call for each image.',
  }
  readonly results
  readonly #parts: ApiDoorParts

  constructor(parts: ApiDoorParts) {
    this.#parts = parts
    this.results = {
      template: parts.address('/api/v3/uploads/{part}'),
      read: (_uri: URL, handle: string) => this.#upload(handle),
    }
  }

  /** As its own endpoint answers it, which checks what the key may do. */
  async #upload(handle: string): Promise<Buffer> {
    return (await this.#ask({ method: 'GET', url: `/api/v3/uploads/${encodeURIComponent(handle)}` })).body
  }

  async presets(): Promise<object> {
    return jsonOf(await this.#ask({ method: 'GET', url: '/api/user/presets' }))
  }

  edit(order: EditOrder<Image>, cancelledSignal: AbortSignal): Promise<Edited> {
    const signal = AbortSignal.any([cancelledSignal, this.#parts.gone])
    const { source, path = '' } = order.image
    const isDelivered = source !== undefined && Object.keys(order.files).length === 0
    return isDelivered ? this.#editOriginal({ source, path }, order, signal) : this.#editBytes(order, signal)
  }

  async inspect(question: Image, fields: readonly string[] | undefined, signal: AbortSignal): Promise<object> {
    return await this.#factsOf(await this.#bytesOf(question, signal), fields)
  }

  async makeBatch({ archive, name }: Readonly<Record<string, unknown>>, work: WrittenRecipe | 'optimize'): Promise<object> {
    const fields = work === 'optimize' ? { optimize: 'true' } : { recipe: JSON.stringify(work) }
    const texts = { upload: String(archive), ...fields, ...(name !== undefined && { name: String(name) }) }
    return jsonOf(await this.#sendForm('/api/v2/batch', texts, {}))
  }

  async batchStatus(id: string): Promise<object> {
    const status = jsonOf(await this.#ask({ method: 'GET', url: `/api/v2/batch/${encodeURIComponent(id)}/status` }))
    const { resultUrl } = status as { readonly resultUrl?: string }
    return { ...status, ...(resultUrl !== undefined && { resultUrl: this.#parts.address(resultUrl) }) }
  }

  async suggestCrop(question: Image, shapes: CropShapes, signal: AbortSignal): Promise<object> {
    const body = Buffer.from(JSON.stringify({ image: dataUri(await this.#bytesOf(question, signal)), ...cropQuestion(shapes) }))
    const headers = { 'content-type': 'application/json' }
    return jsonOf(await this.#ask({ method: 'POST', url: '/v1/ai/smart-crop', headers, body }))
  }

  async prepare(question: Image, { widths, format, language }: PageOrder, cancelledSignal: AbortSignal): Promise<Prepared> {
    const signal = AbortSignal.any([cancelledSignal, this.#parts.gone])
    // Read once: an address on the web may be slow, and answer with another picture the next time.
    const content = await this.#bytesOf(question, signal)
    const outputs = widths.map((width) => ({ name: `w${width}`, format, steps: [{ resize: { width, enlarge: false } }] }))
    const order = { image: question, recipe: { outputs }, files: {}, preview: false }
    const { source, path = '' } = question
    const { images, failed = [] } =
      source === undefined
        ? await this.#editBytes(order, signal, content)
        : await this.#editOriginal({ source, path }, order, signal)
    const facts = await this.#factsOf(content, ['width', 'height', 'blurHash', 'dominantColor'])
    return { images, failed, facts: { ...facts, ...(await this.#altText(content, language)) } }
  }

  async #factsOf(content: Buffer, fields: readonly string[] | undefined): Promise<object> {
    const query = fields === undefined ? '' : `?fields=${encodeURIComponent(fields.join(','))}`
    return jsonOf(await this.#sendForm(`/api/v3/info${query}`, {}, { image: content }))
  }

  /** The images are made and charged before: where no model writes a text, the answer says why. */
  async #altText(content: Buffer, language: string): Promise<object> {
    const body = Buffer.from(JSON.stringify({ images: [dataUri(content)], language }))
    const headers = { 'content-type': 'application/json' }
    try {
      const answer = jsonOf(await this.#ask({ method: 'POST', url: '/v1/ai/alt-text', headers, body }))
      const [text] = altTextAnswer.parse(answer).results
      return { altText: text?.altText ?? null, decorative: text?.decorative ?? false }
    } catch (error) {
      if (!isRefusal(error)) throw error
      return { altText: null, altTextError: { error: error.code, message: error.message } }
    }
  }

  async list({ source, prefix, folders, cursor }: ListOrder): Promise<object> {
    if (source === undefined) {
      const { sources } = sourceNames.parse(jsonOf(await this.#ask({ method: 'GET', url: '/api/user/sources' })))
      return { sources }
    }
    const query = new URLSearchParams({
      ...(prefix && { prefix }),
      ...(folders && { delimiter: '/' }),
      ...(cursor && { cursor }),
    })
    const { data, nextCursor } = filePage.parse(
      jsonOf(await this.#ask({ method: 'GET', url: `/api/user/sources/${encodeURIComponent(source)}/files?${query}` })),
    )
    return { files: data.map(({ path, bytes }) => ({ path, ...(bytes !== undefined && { bytes }) })), nextCursor }
  }

  async usage(): Promise<object> {
    const answer = jsonOf(await this.#ask({ method: 'GET', url: '/api/v2/usage' }))
    // Lists that grow with use are for people.
    return Object.fromEntries(Object.entries(answer).filter(([, value]) => !Array.isArray(value)))
  }

  /** Makes images and keeps them as uploads of the account, which has space for them before it pays. */
  async #editBytes(
    { image: one, recipe, files, preview }: EditOrder<Image>,
    signal: AbortSignal,
    readContent?: Buffer,
  ): Promise<Edited> {
    const names = parseJson(recipeSchema, recipe).outputs.map(({ name }) => name)
    const further = await Promise.all(
      Object.entries(files).map(async ([name, each]) => [name, await this.#bytesOf(each, signal)] as const),
    )
    const contents = { ...Object.fromEntries(further), image: readContent ?? (await this.#bytesOf(one, signal)) }
    let editResult: Edited = { images: [] }
    try {
      await this.#sendForm('/api/v3/images', { recipe: JSON.stringify(recipe) }, contents, async (answer) => {
        const images = await imagesOf(answer, names)
        const shownBytes = preview && images[0] ? await this.#parts.preview(images[0].bytes, signal) : undefined
        editResult = { images: await this.#keep(images, signal), preview: shownBytes }
      })
    } catch (error) {
      await this.#remove(editResult.images.map((madeImages) => madeImages.image.handle ?? ''))
      throw error
    }
    return editResult
  }

  /** Makes URLs that make the images and keep them: one for each output, each charged when it is made. */
  async #editOriginal(
    { source, path }: { readonly source: string; readonly path: string },
    { recipe, preview }: EditOrder<Image>,
    signal: AbortSignal,
  ): Promise<Edited> {
    const { steps, outputs } = parseJson(recipeSchema, recipe)
    const images: MadeImage[] = []
    const failedOutputs: FailedOutput[] = []
    let first: Buffer | undefined
    for (const output of outputs) {
      signal.throwIfAborted()
      try {
        const { url, content, ...facts } = await this.#parts.deliver(source, path, { steps, outputs: [output] })
        const uri = this.#parts.address(url)
        images.push({ output: output.name, ...facts, bytes: content.length, uri, image: { url: uri } })
        first ??= content
      } catch (error) {
        // Those before it are made and charged: an error would hide them.
        if (!isRefusal(error) || images.length === 0) throw error
        failedOutputs.push({ output: output.name, error: error.code, message: error.message })
      }
    }
    return { images, failed: failedOutputs, preview: preview && first ? await this.#parts.preview(first, signal) : undefined }
  }

  async #bytesOf({ handle, source, path, base64, url }: Image, signal: AbortSignal): Promise<Buffer> {
    if (handle !== undefined) return await this.#parts.readUpload(handle)
    if (source !== undefined) return await this.#parts.readOriginal(source, path ?? '', signal)
    if (url !== undefined) return await this.#parts.fetchImage(url, signal)
    return inlineBytes(base64 ?? '')
  }

  async #sendForm(
    url: string,
    texts: Readonly<Record<string, string>>,
    files: Readonly<Record<string, Buffer>>,
    beforeCharge?: OwnRequest['beforeCharge'],
  ): Promise<OwnAnswer> {
    const fields = new FormData()
    for (const [name, text] of Object.entries(texts)) fields.set(name, text)
    for (const [name, bytes] of Object.entries(files)) fields.set(name, new Blob([new Uint8Array(bytes)]), name)
    const writtenResponse = new Response(fields)
    const headers = { 'content-type': writtenResponse.headers.get('content-type') ?? '' }
    const body = Buffer.from(await writtenResponse.arrayBuffer())
    return await this.#ask({ method: 'POST', url, headers, body, ...(beforeCharge && { beforeCharge }) })
  }

  async #ask(request: OwnRequest): Promise<OwnAnswer> {
    return succeedAnswer(await this.#parts.api(request))
  }

  /** Keeps images as uploads of the account: all of them or, if that fails or the agent goes away, none. */
  async #keep(images: readonly NamedBytes[], signal: AbortSignal): Promise<readonly MadeImage[]> {
    const madeImages: (MadeImage & { readonly handle: string })[] = []
    try {
      for (const { name: output, width, height, bytes } of images) {
        const codec = recognise(bytes)
        if (!codec) throw new Error('the API answered with something that is no image')
        const { handle, expiresAt } = await this.#parts.saveUpload(bytes, codec.mime)
        madeImages.push({
          output,
          format: codec.name,
          mime: codec.mime,
          width,
          height,
          bytes: bytes.length,
          image: { handle },
          uri: this.#parts.address(`/api/v3/uploads/${handle}`),
          expiresAt,
          handle,
        })
        signal.throwIfAborted()
      }
      return madeImages
    } catch (error) {
      await this.#remove(madeImages.map(({ handle }) => handle))
      throw error
    }
  }

  /** Removes uploads, which would expire in any case. */
  async #remove(handles: readonly string[]): Promise<void> {
    await Promise.allSettled(handles.map((handle) => this.#parts.removeUpload(handle)))
  }
}

const sourceNames = z.object({ sources: z.array(z.object({ name: z.string(), type: z.string() })) })

const filePage = z.object({
  data: z.array(z.object({ path: z.string(), bytes: z.int().optional() })),
  nextCursor: z.string().nullable(),
})

const altTextAnswer = z.object({
  results: z.array(z.object({ altText: z.string().optional(), decorative: z.boolean().optional() })),
})

const cropQuestion = ({ platforms, ratio }: CropShapes) => ({
  ...(platforms && { platforms }),
  ...(ratio && { customRatio: ratio }),
})

function dataUri(bytes: Buffer): string {
  const codec = recognise(bytes)
  if (!codec) throw new ApiError('invalid_image_type')
  return `data:${codec.mime};base64,${bytes.toString('base64')}`
}
