import { acceptedFormat } from '@pixelmill/codecs'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { operations } from '@pixelmill/engine/tasks/index'
import { writtenImage } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { fetchOriginal } from '../delivery/origin/web.ts'
import { parseJsonBytes } from '../http/read-body.ts'
import { jsonReply } from '../http/reply.ts'
import { type Call, defineRoute } from '../http/route.ts'
import { accountOf, countHeader, faults, typeOf } from './answer.ts'

const imageSchema = { size: z.int().describe('Bytes.'), type: z.string() }

/** POST /shrink: as Tinify's clients send an image to be compressed. */
export const shrink = defineRoute({
  method: 'POST',
  path: '/shrink',
  name: 'shrink',
  tag: 'Tinify',
  summary: 'Compress an image, as the clients of Tinify ask for it.',
  description:
    'The body is the image, or JSON {"source": {"url": "https://…"}}. Basic authentication with the user name api and the API key as the password. It costs one call; the result is at Location for an hour. docs/tinify.md says what differs.',
  admission: 'tinify',
  form: { files: ['image'], fields: z.object({}), raw: 'image', rawTypes: 'any' },
  success: 201,
  produces: ['application/json'],
  answer: z.object({
    input: z.object(imageSchema),
    output: z.object({ ...imageSchema, width: z.int(), height: z.int(), ratio: z.number(), url: z.string() }),
  }),
  headers: { Location: 'Where the result is.', 'Compression-Count': 'Calls of the account in this month.' },
  faults,
  errors: [
    ...(['missing_image_file', 'invalid_params', 'invalid_image_type', 'invalid_image', 'image_too_large'] as const),
    ...(['conversion_failed', 'source_image_not_found', 'source_unavailable', 'too_many_uploads'] as const),
  ],
  handle,
})

async function handle(call: Call) {
  const { services, signal, visitor } = call
  const account = accountOf(call)
  const source = await sourceOf(call)
  if (!acceptedFormat([source], services.config.HEIC)) throw new ApiError('invalid_image_type')
  const params = operations.optimize.params.parse({})
  const type = typeOf(source)
  // Before the renderer frees its memory. Whatever fails after this gives the call back; the upload ends within the hour.
  const original = await services.handles.save(account, source, { contentType: type })
  const size = source.length
  const image = writtenImage(await services.pool.of(account).run('optimize', params, [[source]], signal))
  const { bytes, codec, width, height } = image
  services.metrics.onImage({ operation: 'optimize', inputBytes: size, outputBytes: bytes.length, pixels: width * height })
  const result = await services.handles.save(account, bytes, { contentType: codec.mime })
  const { secure, host = 'localhost' } = visitor
  const path = `/output/${original.handle}.${result.handle}`
  // Relative, as clients resolve it by the address that they have: a proxy may not say that it speaks HTTPS.
  const url = `${secure ? 'https' : 'http'}://${host}${path}`
  const ratio = Math.round((10_000 * bytes.length) / size) / 10_000
  const reply = jsonReply({ input: { size, type }, output: { size: bytes.length, type: codec.mime, width, height, ratio, url } })
  return { ...reply, headers: { ...reply.headers, location: path, ...(await countHeader(call)) } }
}

const byUrl = z.strictObject({ source: z.strictObject({ url: z.url({ protocol: /^https?$/ }) }) })

/** @throws ApiError missing_image_file, invalid_params, source_image_not_found, source_unavailable */
async function sourceOf({ form, request, services, signal }: Call): Promise<Buffer> {
  const sentBytes = Buffer.concat(form.files.get('image')?.chunks ?? [])
  if (sentBytes.length === 0) throw new ApiError('missing_image_file', { message: 'The request has no image.' })
  if (!/^application\/json\b/i.test(request.header('content-type') ?? '')) return sentBytes
  const { source } = parseJson(byUrl, parseJsonBytes(sentBytes))
  const read = await fetchOriginal(source.url, { send: services.outbound.guardedFetch }, undefined, signal)
  if (!read.bytes) throw new Error('an origin said unchanged of a file that was never read')
  return read.bytes
}
