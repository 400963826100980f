import { acceptedFormat } from '@pixelmill/codecs'
import { limits, megabytes } from '@pixelmill/codecs/contract/limits'
import { fairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import { type InfoField, imageInfo, infoFields } from '@pixelmill/engine/tasks/info'
import { z } from 'zod'
import { eachImage, type ImageResult } from '../ai/each-image.ts'
import { inspectArchive } from '../archives/inspect.ts'
import { readEntry } from '../archives/read-entry.ts'
import type { ArchiveSource } from '../archives/source.ts'
import { chooseImages } from '../batch/choose-images.ts'
import { ApiError } from '../contract/api-error.ts'
import { itemError } from '../contract/item-error.ts'
import { jsonReply, rateLimitHeaderTexts } from '../http/reply.ts'
import { type Call, defineRoute, type Upload } from '../http/route.ts'
import { imageOf, imageUrlErrors, imageUrlField, uploadField, uploadFieldErrors } from '../uploads/routes/uploaded-file.ts'

/** Places are personal data: they are answered only where they are asked for. */
const byDefault = infoFields.filter((name) => name !== 'exif.gps')

const fieldList = z
  .string()
  .default(byDefault.join(','))
  .transform((sentText) => [...new Set(sentText.split(',').map((name) => name.trim()))])
  .pipe(z.array(z.enum(infoFields, `Must be names of fields, separated by commas: ${infoFields.join(', ')}.`)))
  .meta({ description: `What is asked, separated by commas: ${infoFields.join(', ')}. By default all but exif.gps.` })

const query = z.object({ fields: fieldList })

const ofImages = z.object({
  images: z.array(
    z.object({
      path: z.string().describe('In the archive.'),
      info: imageInfo.optional(),
      error: itemError.optional(),
    }),
  ),
})

type Info = z.output<typeof imageInfo>

/** POST /api/v3/info: what an image is and carries. */
export const info = defineRoute({
  method: 'POST',
  path: '/api/v3/info',
  name: 'inspect',
  tag: 'Recipes',
  summary: 'Describe an image, or up to 100 in a ZIP: size, format, colours, metadata, hashes.',
  description:
    'Answers the fields that are asked for; the pixels are decoded only where one of them needs that. ' +
    `The file may be a ZIP of up to ${limits.info.images} images and ${megabytes(limits.info.archiveBytes)}: then the answer is a list, and each image that could be read costs a call. ` +
    'Instead of a form, the body may be the image itself with a type image/*.',
  admission: 'api',
  form: {
    files: ['image'],
    fileBytes: limits.info.archiveBytes,
    orUpload: true,
    orUrl: true,
    fields: z.object({ ...uploadField, ...imageUrlField }),
    raw: 'image',
  },
  query,
  produces: ['application/json'],
  answer: z.union([ofImages, imageInfo]),
  headers: rateLimitHeaderTexts,
  errors: [
    ...uploadFieldErrors,
    ...imageUrlErrors,
    ...(['missing_image_file', 'invalid_image_type', 'invalid_image', 'image_too_large'] as const),
    ...(['invalid_archive', 'archive_too_large', 'archive_has_no_images', 'conversion_failed'] as const),
  ],
  async handle(call) {
    const image = await imageOf(call, limits.info.archiveBytes)
    const { fields } = call.query as z.output<typeof query>
    const body = isArchive(image) ? { images: await ofArchive(call, image, fields) } : await ofImage(call, image.chunks, fields)
    call.form.release()
    return jsonReply(body)
  },
})

/** Local file header of a ZIP (APPNOTE, 4.3.7). */
const isArchive = ({ chunks }: Upload): boolean =>
  Buffer.concat(chunks.slice(0, 4)).subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))

async function ofImage({ services, visitor, signal }: Call, chunks: readonly Buffer[], fields: InfoField[]): Promise<Info> {
  if (chunks.reduce((sum, { length }) => sum + length, 0) > limits.uploadBytes)
    throw new ApiError('file_too_large', { message: `An image may have at most ${megabytes(limits.uploadBytes)}.` })
  if (!acceptedFormat(chunks, services.config.HEIC)) throw new ApiError('invalid_image_type')
  if (visitor.account === undefined) throw new Error('an image was admitted of no account')
  const { report } = await services.pool.of(visitor.account).run('info', { fields }, [chunks], signal)
  return report
}

/** Unpacked images that a process holds in memory at once, of all requests. */
const unpackedQueue = fairQueue(4)

/** Each image is a call; those that cannot be read cost nothing. @throws ApiError of the first image where none can be read */
async function ofArchive(call: Call, file: Upload, fields: InfoField[]) {
  const { metered, account = '' } = call.visitor
  const source = inMemory(file)
  const { images: entries, archiveBytes, unpackedBytes } = limits.info
  const inspectedEntries = await inspectArchive(source, { entries, archiveBytes, unpackedBytes })
  const items = await chooseImages(source, inspectedEntries, [{ name: 'image', format: 'png' }])
  const images = items.flatMap(({ source: path, entry }) => (entry ? [{ path, entry }] : []))
  await metered?.widen(images.length)
  const { results, summary } = await eachImage(images, call.signal, ({ entry }, _index, signal) =>
    unpackedQueue.run(account, signal, async () => ({
      info: await ofImage(call, await readEntry(source, entry, limits.uploadBytes), fields),
    })),
  )
  await metered?.widen(summary.succeeded)
  return results.map((result, index) => ({ path: images[index]?.path, ...describeResult(result) }))
}

const describeResult = (result: ImageResult<{ readonly info: Info }>) =>
  result.status === 'ok' ? { info: result.info } : { error: { code: result.error.code, message: result.error.message } }

function inMemory({ chunks, bytes }: Upload): ArchiveSource {
  const whole = Buffer.concat(chunks)
  return { size: bytes, read: async (position, length) => whole.subarray(position, position + length) }
}
