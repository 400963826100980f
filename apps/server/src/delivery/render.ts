import { createHash } from 'node:crypto'
import { acceptedFormat } from '@pixelmill/codecs'
import { disposition } from '@pixelmill/dashboard/web/disposition'
import { resultId } from '@pixelmill/engine/recipe/canonical'
import { fileReferences } from '@pixelmill/engine/recipe/recipe'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { type WrittenImage, writtenImages } from '@pixelmill/engine/tasks/task'
import { ApiError } from '../contract/api-error.ts'
import type { Refused } from '../metering/admission-result.ts'
import type { Calls } from '../metering/calls.ts'
import { meteredCall } from '../metering/charge-call.ts'
import type { UsageLog } from '../metering/usage-log.ts'
import { segmentsOf } from './address.ts'
import type { Result } from './cache.ts'
import type { Accepted, Order } from './order.ts'
import { type Origin, type Original, readWhole } from './origin/original.ts'

export interface RenderParts {
  readonly pool: Pick<Pool, 'of'>
  /** Without a burst limit: a page has many images. */
  readonly calls: Calls
  readonly usage: Pick<UsageLog, 'record'>
  readonly heic: 'on' | 'off'
  /** An image was made. */
  onImage(image: {
    readonly operation: string
    readonly inputBytes: number
    readonly outputBytes: number
    readonly pixels: number
  }): void
  /** The call with this id is charged for good: its image is made and will be cached. */
  onCharged(id: string): void
  /** A call could not be given back yet. */
  onFault(error: unknown): void
}

/** What ends the work. */
interface Ends {
  /** The server stops. */
  readonly signal: AbortSignal
  /** Nobody wants the image any more: one that a renderer has begun is finished, for those who come later. */
  readonly gone: AbortSignal
  /** Either of the two. */
  readonly ends: AbortSignal
}

/** The path of the route, under which the calls of misses are listed. */
export const DELIVERY_ROUTE = '/i/:source/*'

/**
 * Makes the image of an order: one call of the account that owns the source.
 * @param original read after the call was admitted
 * @throws ApiError what is wrong with the image; insufficient_credits, monthly_limit_exceeded; server_busy
 */
export async function renderOrder(
  parts: RenderParts,
  order: Order,
  acceptedFormats: Accepted,
  origin: Origin,
  original: () => Promise<Original>,
  ends: Ends,
): Promise<Result> {
  const { accountId } = order.source
  const admissionVerdict = await parts.calls.admit({ accountId })
  if (admissionVerdict.verdict !== 'ok') throw refusalOf(admissionVerdict)
  const chargedCall = meteredCall(admissionVerdict, parts.calls)
  const began = performance.now()
  try {
    const { result, inputBytes } = await make(parts, order, acceptedFormats, origin, await original(), ends)
    await chargedCall.settle()
    parts.onCharged(chargedCall.reservation.id)
    const durationMs = Math.round(performance.now() - began)
    const call = { accountId, keyId: null, endpoint: DELIVERY_ROUTE, status: 200, statusMessage: null }
    parts.usage.record({ ...call, inputBytes, outputBytes: result.body.length, durationMs })
    return result
  } catch (error) {
    await chargedCall.giveBack().catch(parts.onFault)
    throw error
  }
}

/** Visitors of a page are told that it cannot be paid, not what its account has left. */
function refusalOf({ verdict, allowance }: Refused): ApiError {
  if (verdict === 'invalid_or_revoked_api_key') return new ApiError('source_not_found')
  if (verdict === 'monthly_limit_exceeded')
    return new ApiError(verdict, { ...(allowance.month && { retryAfterSeconds: allowance.month.endsInSeconds }) })
  return new ApiError('insufficient_credits', { message: 'The account of this source cannot pay for new images.' })
}

async function make(
  { pool, heic, onImage }: RenderParts,
  { source, path, recipe, files: own }: Order,
  { accepts, allows, auto }: Accepted,
  origin: Origin,
  original: Original,
  { signal, gone, ends }: Ends,
) {
  const format = acceptedFormat([original.bytes], heic)
  if (!format) throw new ApiError('invalid_image_type', { message: 'The original is no accepted image.' })
  const names = [...new Set(fileReferences(recipe).map(({ name }) => name))]
  const further = await Promise.all(names.map((name) => own?.get(name)?.() ?? furtherFile(origin, name, ends)))
  const files = [original.bytes, ...further].map((bytes) => [bytes])
  // Before it is sent to the renderer, which may free its memory.
  const hashes = [original.bytes, ...further].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  const inputBytes = original.bytes.length
  const params = { recipe, files: names, accepts, allows }
  const [image] = writtenImages(await pool.of(source.accountId).run('recipe', params, files, signal, 'sync', gone))
  if (!image) throw new Error('a recipe made no image')
  const { bytes, codec, width, height } = image
  onImage({ operation: 'delivery', inputBytes, outputBytes: bytes.length, pixels: width * height })
  const [hash = '', ...others] = hashes
  const result: Result = {
    // The format is not part of the id where the client's headers have chosen it.
    etag: `"${resultId(hash, others, recipe, 0)}-${codec.name}"`,
    format: codec.name,
    formats: auto,
    width,
    height,
    lastModified: original.lastModified ?? new Date().toUTCString(),
    ...(original.etag !== undefined && { originEtag: original.etag }),
    ...(original.lastModified !== undefined && { originLastModified: original.lastModified }),
    checkedAt: Date.now(),
    headers: headersOf(image, path.at(-1) ?? ''),
    body: bytes,
  }
  return { result, inputBytes }
}

/** A file that a step names is another path of the same source. */
async function furtherFile(origin: Origin, name: string, signal: AbortSignal): Promise<Buffer> {
  const path = segmentsOf(name.split('/').map(encodeURIComponent).join('/'))
  const { bytes } = await readWhole(origin, path, signal)
  return bytes
}

/** Of a name, in characters: some clients cut longer ones. */
const LONGEST_STEM = 100

function headersOf(
  { codec, score, hdr, contentCredentials, keptSource, warnings }: WrittenImage,
  file: string,
): Record<string, string> {
  const stem = [...file.replace(/\.[^.]*$/, '')].slice(0, LONGEST_STEM).join('')
  return {
    'content-type': codec.mime,
    'content-disposition': disposition('inline', `${stem}.${codec.extension}`),
    ...(score !== undefined && { 'x-quality-score': score.toFixed(1) }),
    ...(hdr && { 'x-hdr': hdr }),
    ...(contentCredentials && { 'x-content-credentials': contentCredentials }),
    ...(keptSource && { 'x-kept-source': 'true' }),
    ...(warnings.length > 0 && { 'x-image-warnings': warnings.join(', ') }),
  }
}
