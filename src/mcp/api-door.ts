import { z } from 'zod'
import { unpackAll } from '../archives/unpack.ts'
import { recognise } from '../codecs/index.ts'
import { ApiError, invalidParam } from '../contract/api-error.ts'
import { type ErrorName, errors } from '../contract/errors.ts'
import { parseJson } from '../contract/parse.ts'
import { type Recipe, recipeSchema } from '../recipe/recipe.ts'
import type { FormatName } from '../web/image-formats.ts'
import type { CropShapes, Door, EditOrder, MadeImage, WrittenRecipe } from './door.ts'

/** A request to the server's own API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** What the tools need of a server. */
export interface ApiDoorParts {
  /** Sends a request with the agent's own credentials, which is admitted and charged as any other. */
  api(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer>
  /** The content of an upload of the account. @throws ApiError upload_not_found */
  readUpload(handle: string): Promise<Buffer>
  saveUpload(bytes: Buffer, mime: string): Promise<{ readonly handle: string; readonly expiresAt: string }>
  /** The original of a source of the account. @throws ApiError source_not_found, source_image_not_found */
  readOriginal(source: string, path: string, signal: AbortSignal): Promise<Buffer>
  /** Makes an image of a source of the account, which is then at a signed URL. @throws ApiError as GET /i/ does */
  deliver(source: string, path: string, recipe: Recipe): Promise<DeliveredImage>
  /** Makes the address of a path, as the agent reaches this server. */
  address(path: string): string
}

export interface DeliveredImage {
  /** From /i/ on. */
  readonly url: string
  readonly format: FormatName
  readonly mime: string
  readonly width: number
  readonly height: number
  readonly bytes: number
}

/** Base64 in a tool call costs an agent a token for every few bytes. */
const MOST_INLINE_BYTES = 256 * 1024

const image = z
  .strictObject({
    handle: z.string().optional(),
    source: z.string().optional(),
    path: z.string().optional(),
    base64: z.string().optional(),
  })
  .refine(
    ({ handle, source, path, base64 }) =>
      [handle, source, base64].filter((value) => value !== undefined).length === 1 &&
      (source === undefined) === (path === undefined),
    'Must be {handle}, {source, path} or {base64}.',
  )

type Image = z.output<typeof image>

/** The tools as a caller of the API has them. */
export function apiDoor(parts: ApiDoorParts): Door<Image> {
  const { api, address } = parts
  const asked = async (request: ApiRequest, signal: AbortSignal) => succeeded(await api(request, signal))
  const json = async (request: ApiRequest, signal: AbortSignal) => jsonOf(await asked(request, signal))

  async function bytesOf({ handle, source, path, base64 }: Image, signal: AbortSignal): Promise<Buffer> {
    if (handle !== undefined) return await parts.readUpload(handle)
    if (source !== undefined) return await parts.readOriginal(source, path ?? '', signal)
    const bytes = Buffer.from(base64 ?? '', 'base64')
    if (bytes.length > MOST_INLINE_BYTES)
      throw invalidParam('image', 'too_big', 'base64 may have 256 KiB: upload larger images with PUT /api/v3/uploads.')
    return bytes
  }
  async function form(
    url: string,
    texts: Readonly<Record<string, string>>,
    files: Readonly<Record<string, Buffer>>,
    signal: AbortSignal,
  ) {
    const fields = new FormData()
    for (const [name, text] of Object.entries(texts)) fields.set(name, text)
    for (const [name, bytes] of Object.entries(files)) fields.set(name, new Blob([new Uint8Array(bytes)]), name)
    const written = new Response(fields)
    const headers = { 'content-type': written.headers.get('content-type') ?? '' }
    return await asked({ method: 'POST', url, headers, body: Buffer.from(await written.arrayBuffer()) }, signal)
  }
  /** The images as uploads of the account. */
  async function editBytes({ image: one, recipe, files }: EditOrder<Image>, signal: AbortSignal): Promise<readonly MadeImage[]> {
    const { outputs } = parseJson(recipeSchema, recipe)
    const named = await Promise.all(
      Object.entries(files).map(async ([name, each]) => [name, await bytesOf(each, signal)] as const),
    )
    const contents = { ...Object.fromEntries(named), image: await bytesOf(one, signal) }
    const answer = await form('/api/v3/images', { recipe: JSON.stringify(recipe) }, contents, signal)
    const [output] = outputs
    if (outputs.length > 1) return await Promise.all((await severalOf(answer.body)).map(kept))
    const size = { width: Number(answer.headers['x-image-width']), height: Number(answer.headers['x-image-height']) }
    return [await kept({ name: output?.name ?? 'image', ...size, bytes: answer.body })]
  }
  async function kept({ name: output, width, height, bytes }: NamedBytes): Promise<MadeImage> {
    const codec = recognise(bytes)
    if (!codec) throw new Error('the API answered with something that is no image')
    const { handle, expiresAt } = await parts.saveUpload(bytes, codec.mime)
    return {
      ...{ output, format: codec.name, mime: codec.mime, width, height, bytes: bytes.length },
      ...{ image: { handle }, uri: address(`/api/v3/uploads/${handle}`), expiresAt },
    }
  }
  /** URLs that make the images and keep them: one for each output. */
  async function editOriginal(source: string, path: string, recipe: WrittenRecipe): Promise<readonly MadeImage[]> {
    const { steps, outputs } = parseJson(recipeSchema, recipe)
    const made: MadeImage[] = []
    for (const output of outputs) {
      const { url, ...facts } = await parts.deliver(source, path, { steps, outputs: [output] })
      made.push({ output: output.name, ...facts, uri: address(url), image: { url: address(url) } })
    }
    return made
  }
  return {
    image,
    edits: {},
    batch: { archive: z.string().describe('Handle of an uploaded ZIP.'), name: z.string().optional() },
    texts: {
      images:
        'image: {handle} of PUT /api/v3/uploads or of a result, {source, path} in a source of the account, or {base64} up to 256 KiB.',
      results: 'A result is a handle for an hour, to use again or to GET with the API key; of a source, a signed URL that lasts.',
      batch: 'Converts a ZIP of images, as one call for each image.',
    },
    edit: (order, signal) => {
      const { source, path = '' } = order.image
      const isDelivered = source !== undefined && Object.keys(order.files).length === 0
      return isDelivered ? editOriginal(source, path, order.recipe) : editBytes(order, signal)
    },
    async inspect(asked, fields, signal) {
      const query = fields === undefined ? '' : `?fields=${encodeURIComponent(fields.join(','))}`
      return jsonOf(await form(`/api/v3/info${query}`, {}, { image: await bytesOf(asked, signal) }, signal))
    },
    async makeBatch({ archive, name }, recipe, signal) {
      const texts = { upload: String(archive), recipe: JSON.stringify(recipe), ...(name !== undefined && { name: String(name) }) }
      return jsonOf(await form('/api/v2/batch', texts, {}, signal))
    },
    async batchStatus(id, signal) {
      const status = await json({ method: 'GET', url: `/api/v2/batch/${encodeURIComponent(id)}/status` }, signal)
      const { resultUrl } = status as { readonly resultUrl?: string }
      return { ...status, ...(resultUrl !== undefined && { resultUrl: address(resultUrl) }) }
    },
    async suggestCrop(asked, shapes, signal) {
      const bytes = await bytesOf(asked, signal)
      const body = Buffer.from(JSON.stringify({ image: dataUri(bytes), ...cropQuestion(shapes) }))
      return await json(
        { method: 'POST', url: '/v1/ai/smart-crop', headers: { 'content-type': 'application/json' }, body },
        signal,
      )
    },
    async usage(signal) {
      const {
        daily: _days,
        byEndpoint: _endpoints,
        ...totals
      } = (await json({ method: 'GET', url: '/api/v2/usage' }, signal)) as {
        readonly daily?: unknown
        readonly byEndpoint?: unknown
      }
      return totals
    },
  }
}

const cropQuestion = ({ platforms, ratio }: CropShapes) => ({
  ...(platforms && { platforms }),
  ...(ratio && { customRatio: ratio }),
})

function dataUri(bytes: Buffer): string {
  const codec = recognise(bytes)
  if (!codec) throw new ApiError('invalid_image_type')
  return `data:${codec.mime};base64,${bytes.toString('base64')}`
}

const errorBody = z.object({
  statusMessage: z.string(),
  message: z.string(),
  issues: z
    .array(z.object({ path: z.array(z.union([z.string(), z.number()])), code: z.string(), message: z.string() }))
    .optional(),
})

/** @throws ApiError the API's own */
function succeeded(answer: ApiAnswer): ApiAnswer {
  if (answer.status < 400) return answer
  const { statusMessage, message, issues } = errorBody.parse(JSON.parse(answer.body.toString()))
  if (!(statusMessage in errors)) throw new Error(`the API answered with an unknown error: ${statusMessage}`)
  const retryAfter = Number(answer.headers['retry-after'])
  throw new ApiError(statusMessage as ErrorName, {
    message,
    ...(issues && { issues }),
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  })
}

const jsonOf = ({ body }: ApiAnswer): object => JSON.parse(body.toString()) as object

interface NamedBytes {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

const manifest = z.object({
  outputs: z.array(z.object({ name: z.string(), file: z.string(), width: z.number(), height: z.number() })),
})

/** The images of a ZIP, in the order of its manifest. */
async function severalOf(archive: Buffer): Promise<readonly NamedBytes[]> {
  const files = await unpackAll(archive)
  const { outputs } = manifest.parse(JSON.parse(files.get('manifest.json')?.toString() ?? ''))
  return outputs.map(({ file, ...facts }) => {
    const bytes = files.get(file)
    if (!bytes) throw new Error(`the API answered without ${file}`)
    return { ...facts, bytes }
  })
}
