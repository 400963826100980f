import { createHash } from 'node:crypto'
import { acceptedFormat } from '@pixelmill/codecs'
import type { Codec, Effort } from '@pixelmill/codecs/codec'
import { disposition } from '@pixelmill/dashboard/web/disposition'
import { resultId } from '@pixelmill/engine/recipe/canonical'
import { hasTarget } from '@pixelmill/engine/recipe/fields'
import { fileReferences, type Recipe } from '@pixelmill/engine/recipe/recipe'
import type { CallersLane, Pool } from '@pixelmill/engine/rendering/pool'
import { type WrittenImage, writtenImages } from '@pixelmill/engine/tasks/task'
import { ApiError } from '../contract/api-error.ts'
import { segmentsOf } from './address.ts'
import type { Result } from './cache.ts'
import type { Accepted, Order } from './order.ts'
import { type Origin, type Original, readWhole } from './origin/original.ts'
import type { Preparation, RunTask } from './preparation.ts'
import { svgOriginal } from './svg-original.ts'

export interface MakeParts {
  readonly pool: Pick<Pool, 'of'>
  readonly heic: 'on' | 'off'
}

/** What ends the work. */
export interface Ends {
  /** The server stops. */
  readonly signal: AbortSignal
  /** Every client that waited has left: an image that a renderer has begun is finished, for those who come later. */
  readonly gone: AbortSignal
  /** Either of the two. */
  readonly ends: AbortSignal
}

/** For whom a result is made. */
export interface Purpose {
  readonly lane: CallersLane
  /** Of the encoder, where its format depends on the client and the URL does not choose one. */
  readonly effort: Effort | undefined
}

interface MadeResult {
  readonly result: Result
  readonly inputBytes: number
}

/**
 * The image of an order, made of its original, or the original itself.
 * @throws ApiError what is wrong with the image; server_busy
 */
export async function makeResult(
  parts: MakeParts,
  order: Order,
  acceptedFormats: Accepted,
  origin: Origin,
  original: Original,
  ends: Ends,
  { lane, effort: chosenEffort }: Purpose,
): Promise<MadeResult> {
  const runTask = tasksOf(parts.pool, order.source.accountId, ends, lane)
  const inputBytes = original.bytes.length
  const svg = await svgOriginal(order, original.bytes, runTask)
  if (svg?.kind === 'copy') return { result: svgResult(order, svg.bytes, original, acceptedFormats), inputBytes }
  const picture = svg?.bytes ?? original.bytes
  const codec = acceptedFormat([picture], parts.heic)
  if (!codec) throw new ApiError('invalid_image_type', { message: 'The original is no accepted image.' })
  const readFile = (name: string) => furtherFile(origin, name, ends.ends)
  const preparation: Preparation = (await order.prepare?.(picture, runTask, readFile)) ?? {
    recipe: order.recipe,
    files: new Map(),
  }
  if (preparation === 'original') return { result: originalResult(order, codec, original), inputBytes }
  const { files: own } = preparation
  const effort = mayChooseEffort(preparation.recipe) ? chosenEffort : undefined
  const recipe = effort ? withEffort(preparation.recipe, effort) : preparation.recipe
  const names = [...new Set(fileReferences(recipe).map(({ name }) => name))]
  const further = await Promise.all(names.map((name) => own.get(name) ?? readFile(name)))
  const files = [picture, ...further]
  const [hash = '', ...others] = files.map(sha256)
  const { accepts, allows, auto } = acceptedFormats
  const [image] = writtenImages(await runTask('recipe', { recipe, files: names, accepts, allows }, files))
  if (!image) throw new Error('a recipe made no image')
  const { bytes, width, height } = image
  const result: Result = {
    // The format is not part of the id where the client's headers have chosen it.
    etag: `"${resultId(hash, others, recipe, 0)}-${image.codec.name}"`,
    format: image.codec.name,
    formats: auto,
    width,
    height,
    ...validatorsOf(original),
    headers: { ...fileHeaders(order, image.codec), ...featureHeaders(image) },
    ...(effort && image.codec.cost.small !== undefined && { effort }),
    body: bytes,
  }
  return { result, inputBytes }
}

const tasksOf =
  (pool: MakeParts['pool'], accountId: string, { signal, gone }: Ends, lane: CallersLane): RunTask =>
  (task, params, files) =>
    pool.of(accountId).run(
      task,
      params,
      files.map((bytes) => [bytes]),
      signal,
      lane,
      gone,
    )

/** Whether the format is the server's choice, and with it how long the encoder looks for fewer bytes. */
function mayChooseEffort({ outputs: [output] }: Recipe): boolean {
  return output?.format === 'auto' && output.effort === undefined && !hasTarget(output)
}

const withEffort = (recipe: Recipe, effort: Effort): Recipe => ({
  ...recipe,
  outputs: recipe.outputs.map((output) => ({ ...output, effort })),
})

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The original as it is. It was not decoded, so its size is not known. */
const originalResult = (order: Order, codec: Codec, original: Original): Result => ({
  etag: `"${sha256(original.bytes)}-original"`,
  format: codec.name,
  formats: '',
  width: 0,
  height: 0,
  ...validatorsOf(original),
  headers: fileHeaders(order, codec),
  body: original.bytes,
})

/** It must run and load nothing, wherever it is opened; what it has embedded may be shown. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"

/** An SVG that is sent as it is, to all clients. */
const svgResult = (order: Order, bytes: Buffer, original: Original, { auto }: Accepted): Result => ({
  etag: `"${sha256(bytes)}-svg"`,
  format: 'svg',
  formats: auto,
  width: 0,
  height: 0,
  ...validatorsOf(original),
  headers: { ...fileHeaders(order, { mime: 'image/svg+xml', extension: 'svg' }), 'content-security-policy': SVG_POLICY },
  body: bytes,
})

const validatorsOf = ({ etag, lastModified, caching }: Original) => ({
  lastModified: lastModified ?? new Date().toUTCString(),
  ...(etag !== undefined && { originEtag: etag }),
  ...(lastModified !== undefined && { originLastModified: lastModified }),
  ...(caching && { caching }),
  checkedAt: Date.now(),
})

/** A file that a step names is another path of the same source. */
async function furtherFile(origin: Origin, name: string, signal: AbortSignal): Promise<Buffer> {
  const path = segmentsOf(name.split('/').map(encodeURIComponent).join('/'))
  const { bytes } = await readWhole(origin, path, signal)
  return bytes
}

/** Of a name, in characters: some clients cut longer ones. */
const LONGEST_STEM = 100

function fileHeaders({ path, disposition: namedFile }: Order, codec: Pick<Codec, 'mime' | 'extension'>): Record<string, string> {
  const name = namedFile?.stem ?? path.at(-1)?.replace(/\.[^.]*$/, '') ?? ''
  const stem = [...name].slice(0, LONGEST_STEM).join('')
  return {
    'content-type': codec.mime,
    'content-disposition': disposition(namedFile?.type ?? 'inline', `${stem}.${codec.extension}`),
  }
}

const featureHeaders = ({ score, hdr, contentCredentials, keptSource, warnings }: WrittenImage): Record<string, string> => ({
  ...(score !== undefined && { 'x-quality-score': score.toFixed(1) }),
  ...(hdr && { 'x-hdr': hdr }),
  ...(contentCredentials && { 'x-content-credentials': contentCredentials }),
  ...(keptSource && { 'x-kept-source': 'true' }),
  ...(warnings.length > 0 && { 'x-image-warnings': warnings.join(', ') }),
})
