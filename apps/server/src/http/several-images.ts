import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { codecs } from '@pixelmill/codecs'
import { preference } from '@pixelmill/codecs/accept'
import { component } from '@pixelmill/codecs/contract/component'
import { featuresOf, sourceFeatures, type WrittenImage } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import { planArchive } from '../archives/plan-archive.ts'
import { readPlan } from '../archives/read-plan.ts'
import type { Reply } from './route.ts'

const formats = Object.values(codecs).map(({ name }) => name)

/** What is said of the source beside its images. */
export const sourceDescription = z
  .object({
    width: z.int(),
    height: z.int(),
    blurHash: z.string(),
    dominantColor: z.string(),
    altText: z.string().describe('By a model, in English; empty for a decorative picture.'),
    decorative: z.boolean(),
  })
  .meta(component('SourceDescription'))

export type SourceDescription = z.output<typeof sourceDescription>

/** manifest.json of an answer with several images. */
export const manifest = z
  .object({
    source: sourceDescription.optional().describe('With describe.'),
    recipeId: z.string().describe('SHA-256 of what the recipe means, in hexadecimal digits.'),
    outputs: z.array(
      z
        .object({
          name: z.string(),
          file: z.string().describe('Its name in the archive.'),
          format: z.enum(formats).meta(component('ImageFormat')),
          width: z.int(),
          height: z.int(),
          bytes: z.int(),
          ...sourceFeatures,
          qualityScore: z.number().optional().describe('SSIMULACRA2, where a score or a number of bytes was asked for.'),
        })
        .meta(component('ImagesManifestEntry')),
    ),
  })
  .meta(component('ImagesManifest'))

export const SEVERAL_TYPES = ['application/zip', 'multipart/mixed'] as const

export interface NamedImage {
  readonly name: string
  readonly image: WrittenImage
}

/** An answer with several images: a ZIP, or the parts of multipart/mixed where the client prefers that. The manifest is the first. */
export async function severalImages(
  images: readonly NamedImage[],
  recipeId: string,
  accept: string | undefined,
  source?: SourceDescription,
): Promise<Reply> {
  const entries = { ...manifestOf(images, recipeId), ...(source && { source }) }
  const body = Buffer.from(`${JSON.stringify(entries, null, 1)}\n`)
  const files = [
    { path: 'manifest.json', mime: 'application/json', bytes: body },
    ...images.map(({ name, image }) => ({ path: fileName(name, image), mime: image.codec.mime, bytes: image.bytes })),
  ]
  const [zip, mixedText] = SEVERAL_TYPES
  return preference(accept, mixedText) > preference(accept, zip) ? mixedParts(files) : await archive(files)
}

interface NamedFile {
  readonly path: string
  readonly mime: string
  readonly bytes: Buffer
}

const fileName = (name: string, { codec }: WrittenImage): string => `${name}.${codec.extension}`

const manifestOf = (images: readonly NamedImage[], recipeId: string): z.output<typeof manifest> => ({
  recipeId,
  outputs: images.map(({ name, image }) => ({
    name,
    file: fileName(name, image),
    format: image.codec.name,
    width: image.width,
    height: image.height,
    bytes: image.bytes.length,
    ...featuresOf(image),
    ...(image.score !== undefined && { qualityScore: Math.round(image.score * 10) / 10 }),
  })),
})

/** The same images give the same bytes: the time of every file is that of the oldest that a ZIP can say. */
const OLDEST = new Date(Date.UTC(1980, 0, 1))

async function archive(files: readonly NamedFile[]): Promise<Reply> {
  const rows = files.map(({ path, bytes }) => ({ path, content: bytes, bytes: bytes.length, crc32: crc32(bytes) }))
  const plan = planArchive<never>(rows, OLDEST)
  const body = await buffer(await readPlan(plan, { first: 0, last: plan.size - 1 }, inMemory))
  return { headers: { 'content-type': SEVERAL_TYPES[0], 'content-disposition': 'attachment; filename="images.zip"' }, body }
}

const inMemory = (): never => {
  throw new Error('every file of this archive is in memory')
}

/** RFC 2046, §5.1. */
function mixedParts(files: readonly NamedFile[]): Reply {
  const boundary = randomUUID()
  const parts = files.flatMap(({ path, mime, bytes }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Type: ${mime}\r\nContent-Disposition: attachment; filename="${path}"\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { headers: { 'content-type': `${SEVERAL_TYPES[1]}; boundary="${boundary}"` }, body }
}
