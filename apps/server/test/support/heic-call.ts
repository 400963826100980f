import assert from 'node:assert/strict'
import { codecs, recognise } from '@pixelmill/codecs'
import { heicReader } from '@pixelmill/codecs/heic/reader'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import type { HeicWriter } from '@pixelmill/codecs/programs'
import { at, corners, cornersOf } from '@pixelmill/codecs/test/support/corners'
import * as heif from '@pixelmill/codecs/test/support/heif'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import type { Answer, caller } from './call.ts'

/** Calls with HEIC files, and what the answers have to be. */

type Post = ReturnType<typeof caller>['post']

export const opaque = (await writeHeic(corners(240, 160))).bytes
const translucent = (await writeHeic(sharp(await corners(240, 160).ensureAlpha(0.5).png().toBuffer()))).bytes
const noisy = (await writeHeic(photo())).bytes
/** Stored lying, displayed upright. */
export const turnedBytes = heif.heif([heif.picture(await heif.encode(corners(240, 160)), heif.turn(90))])
export const logo = await solid(4, 4, '#000000').png().toBuffer()
const black = await solid(240, 160, '#000000').png().toBuffer()

export const inputs = { opaque, translucent }
export type Input = keyof typeof inputs

/** Parameters, file name and picture of each operation that keeps the format. */
export const edits = {
  resize: [{ width: 61, height: 41, fit: 'fill' }, 'resized', 61, 41, 'RGBW'],
  crop: [{ x: 20, y: 10, width: 201, height: 139 }, 'cropped', 201, 139, 'RGBW'],
  flip: [{}, 'flipped', 240, 160, 'BWRG'],
  flop: [{}, 'flopped', 240, 160, 'GRWB'],
  watermark: [{ position: 'center', scale: 0.02 }, 'watermarked', 240, 160, 'RGBW'],
  optimize: [{}, 'optimized', 240, 160, 'RGBW'],
} as const
export type Edit = keyof typeof edits

/** The pixels of an answer, whose content type has to be that of its bytes. */
async function pixelsOf({ bytes, headers }: Answer) {
  const codec = recognise(bytes)
  assert.equal(headers.get('content-type'), codec?.mime)
  if (codec === codecs.heic) return await heicReader.decode(bytes)
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, data }
}

/** Without an encoder of HEIC another format is sent instead. */
export const sentInstead = (writer: HeicWriter | 'auto', input: Input) =>
  writer !== 'none' ? codecs.heic : input === 'translucent' ? codecs.png : codecs.jpeg

export async function assertEdited(post: Post, writer: HeicWriter | 'auto', input: Input, operation: Edit): Promise<void> {
  const [fields, stem, width, height, looks] = edits[operation]
  const image = inputs[input]
  const answer = await post(operation, fields, operation === 'watermark' ? { image, watermark: logo } : { image })
  assert.equal(answer.status, 200, String(answer.error?.message))
  const header = (name: string) => answer.headers.get(name)
  const picture = await pixelsOf(answer)
  // Where no encoding is smaller, optimize sends the HEIC as it came.
  const sentCodec = operation === 'optimize' && answer.bytes.equals(image) ? codecs.heic : sentInstead(writer, input)
  assert.equal(header('content-type'), sentCodec.mime)
  assert.equal(header('content-disposition'), `attachment; filename="${stem}.${sentCodec.extension}"`)
  assert.equal(header('x-format-fallback'), sentCodec === codecs.heic ? null : `heic->${sentCodec.name}`)
  assert.deepEqual([header('x-image-width'), header('x-image-height')], [String(width), String(height)])
  assert.deepEqual([picture.width, picture.height, cornersOf(picture)], [width, height, looks])
  if (input === 'translucent') assert.ok(Math.abs((at(picture, 20, 20)[3] ?? 0) - 128) <= 3)
  if (operation === 'optimize') assert.ok(answer.bytes.length <= image.length)
}

export async function assertConverted(post: Post): Promise<void> {
  for (const format of ['webp', 'avif', 'jpeg', 'png'] as const) {
    const answer = await post('convert', { format, width: 80 }, { image: turnedBytes })
    assert.equal(answer.status, 200, String(answer.error?.message))
    assert.deepEqual([recognise(answer.bytes)?.name, answer.headers.get('x-format-fallback')], [format, null])
    const picture = await pixelsOf(answer)
    assert.deepEqual([picture.width, picture.height, cornersOf(picture)], [80, 120, 'GWRB'])
  }
}

export async function assertCroppedAsDisplayed(post: Post): Promise<void> {
  const answer = await post('crop', { x: 82, y: 2, width: 76, height: 100 }, { image: turnedBytes })
  assert.equal(cornersOf(await pixelsOf(answer)), 'WWWW')
  const beyond = await post('crop', { x: 100, y: 0, width: 100, height: 10 }, { image: turnedBytes })
  assert.deepEqual([beyond.status, beyond.error?.statusMessage], [400, 'invalid_params'])
}

export async function assertNeverLarger(post: Post, qualities: readonly number[]): Promise<void> {
  for (const quality of qualities) {
    const answer = await post('optimize', { quality }, { image: noisy })
    assert.equal(answer.status, 200, String(answer.error?.message))
    assert.ok(answer.bytes.length <= noisy.length, `${quality}: ${answer.bytes.length} of ${noisy.length}`)
    const { width, height } = await pixelsOf(answer)
    assert.deepEqual([width, height], [240, 160])
  }
}

export async function assertWatermarkRead(post: Post): Promise<void> {
  const answer = await post('watermark', { position: 'top-left', scale: 1 }, { image: black, watermark: opaque })
  assert.equal(cornersOf(await pixelsOf(answer)), 'RGBW')
}

export async function assertRefused(post: Post): Promise<void> {
  const cut = await post('optimize', {}, { image: opaque.subarray(0, -50) })
  assert.deepEqual([cut.status, cut.error?.statusMessage], [400, 'invalid_image'])
  const huge = heif.grid(2, 1, { width: 100_000, height: 100_000 }, [2, 3])
  const tile = heif.picture(await heif.encode(corners()))
  const promising = await post('resize', { width: 9, height: 9 }, { image: heif.heif([huge, tile, tile]) })
  assert.deepEqual([promising.status, promising.error?.statusMessage], [400, 'image_too_large'])
}
