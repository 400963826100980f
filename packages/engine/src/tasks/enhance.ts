import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { limits, megabytes } from '@pixelmill/codecs/contract/limits'
import type { Header } from '@pixelmill/codecs/pixels/header'
import type { Image } from '@pixelmill/codecs/pixels/open'
import { clearHidden, isGrey, type Raster } from '@pixelmill/codecs/pixels/raster'
import { checkResult, type Size } from '@pixelmill/codecs/pixels/size'
import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { type EnhanceOptions, type Mode, modes } from '@pixelmill/vision/enhance/choose'
import { sharpnessOf } from '@pixelmill/vision/enhance/edges'
import { type Enhanced, enhance as enhanced } from '@pixelmill/vision/enhance/enhance'
import { measurePicture } from '@pixelmill/vision/enhance/measure'
import type { Operation } from '@pixelmill/vision/enhance/steps'
import { superResolve } from '@pixelmill/vision/inference/super-resolve'
import { z } from 'zod'
import { type Encoded, encode } from '../image/encode.ts'
import { writable } from '../recipe/plan.ts'
import { featuresAfter } from '../recipe/source-features.ts'
import { defineTask, featureReport } from './task.ts'

const formats = Object.values(codecs).map(({ name }) => name)
const side = z.int().min(1).max(limits.pixels)
const file = z.object({ width: side, height: side, bytes: z.int().min(1), format: z.enum(formats) })
const measure = z.number().min(0)

/**
 * Denoises, sharpens or enlarges a picture if its pixels show that this improves it; otherwise returns the file unchanged,
 * without metadata. Of an animation the first frame.
 */
export const enhance = defineTask({
  params: z.object({
    mode: z.enum(modes),
    intensity: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    /** Whether the enhanced file is wanted, or only the report. */
    preview: z.boolean(),
  }),
  report: z.object({
    /** The applied operation; for `auto`, the operation if it was a single one. */
    mode: z.enum(modes),
    requestedMode: z.enum(modes),
    intensity: z.int().min(1).max(3),
    operations: z
      .array(
        z.object({
          name: z.enum(['denoise', 'deblur', 'upscale']),
          params: z.record(z.string(), z.union([z.number(), z.boolean(), z.array(z.number()).max(3).readonly()])),
        }),
      )
      .max(4),
    original: file,
    enhanced: file,
    /** Noise as the standard deviation of brightness, 0–255; sharpness 0–1, see `sharpnessOf`. */
    metrics: z.object({ noiseBefore: measure, noiseAfter: measure, sharpnessBefore: measure, sharpnessAfter: measure }),
    ...featureReport,
  }),
  mostFiles: 1,
  fileBytes: limits.enhance.resultBytes,
  // 80 megapixels take 3 to 15 s of a core, and 35 s if a GIF is written; a slow machine takes several times as long.
  secondsPerMegapixel: 4,
  weigh(header, { mode }) {
    const size = resultSize(header, mode)
    const pixels = size.width * size.height
    if (pixels > limits.pixels) throw tooLarge(`Send an image of at most ${limits.pixels / 4e6} megapixels to upscale.`)
    checkResult(size, 1, codecsFor(header, size)[0] ?? codecs.png)
    return pixels / 1e6
  },
  async run(image, { mode, intensity, preview }) {
    const { header } = image
    const [codec] = codecsFor(header, resultSize(header, mode))
    const picture = await readStrip(image.pixels, 1, header.deep && codec?.deep === true)
    const jpegQuality = header.codec.qualityOf?.(image.source) ?? 100
    const result = enhanced(picture, { mode, intensity }, jpegQuality)
    const file = await fileOf(image, result)
    return { report: reportOf(image, { mode, intensity }, result, file), files: preview ? [file.bytes] : [] }
  },
})

function resultSize({ width, height }: Header, mode: Mode): Size {
  const factor = mode === 'upscale' ? 2 : 1
  return { width: width * factor, height: height * factor }
}

/** The result for a picture, by the filters or by a model. */
export interface Outcome extends Omit<Enhanced, 'operations'> {
  readonly operations: readonly (
    | Operation
    | { readonly name: 'upscale'; readonly params: { readonly factor: number; readonly model: true } }
  )[]
}

/** Pixels with transparency for which encoders other than PNG's have enough memory beside the enhanced picture. */
const MOST_ALPHA_PIXELS = 40_000_000

/**
 * The formats for a picture of this size, the preferred one first: that of the file, unless writing it needs a program or half a
 * minute, as for HEIC. The others are for results that are too large in it.
 */
export function codecsFor(header: Header, { width, height }: Size): readonly Codec[] {
  const { codec } = writable(header, header, NO_PROGRAMS)
  const small = header.alpha ? codecs.webp : codecs.jpeg
  const others = codec.improvedQuality !== undefined ? [small, codecs.png] : [codecs.png, small]
  return [...new Set([codec, ...others])].filter(
    (codec) =>
      Math.max(width, height) <= codec.maxSide && (codec === codecs.png || !header.alpha || width * height <= MOST_ALPHA_PIXELS),
  )
}

/**
 * An unchanged picture is not re-encoded if its metadata can be removed without that.
 * @throws ImageError image_too_large if no format writes the picture within the maximum size
 */
export async function fileOf({ source, header: sourceHeader }: Image, { picture, operations }: Outcome): Promise<Encoded> {
  const { width, height } = picture
  const { strip } = sourceHeader.codec
  if (operations.length === 0 && strip) return { bytes: strip(source), codec: sourceHeader.codec, width, height, untouched: true }
  const header = { ...sourceHeader, deep: picture.data.BYTES_PER_ELEMENT === 2 }
  for (const codec of codecsFor(sourceHeader, picture)) {
    const pixels = pipelineOf({ ...picture, channels: picture.channels === 4 ? 4 : 3, frames: 1 })
    const quality = codec.improvedQuality
    const editedPicture = { pixels, codec, quality, width, height, frames: 1, header, grey: sourceHeader.grey, keepDepth: true }
    const file = await encode(editedPicture)
    if (file.bytes.length <= limits.enhance.resultBytes) return file
  }
  const most = megabytes(limits.enhance.resultBytes)
  throw tooLarge(`Send a smaller image; the enhanced one, of ${width} × ${height} pixels, would have more than ${most}.`)
}

export function reportOf({ source, header }: Image, { mode, intensity }: EnhanceOptions, result: Outcome, file: Encoded) {
  const { bytes, codec } = file
  const { picture, operations, before, after } = result
  const [only, ...more] = operations
  return {
    mode: mode === 'auto' && only && more.length === 0 ? only.name : mode,
    requestedMode: mode,
    intensity,
    operations: operations.map(({ name, params }) => ({ name, params: { ...params } })),
    original: { width: header.width, height: header.height, bytes: source.length, format: header.codec.name },
    enhanced: { width: picture.width, height: picture.height, bytes: bytes.length, format: codec.name },
    metrics: {
      noiseBefore: round(before.noise[0]?.deviation ?? 0),
      noiseAfter: round(after.noise[0]?.deviation ?? 0),
      sharpnessBefore: round(sharpnessOf(before.softness)),
      sharpnessAfter: round(sharpnessOf(after.softness)),
    },
    ...featuresAfter({ bytes: source, codec: header.codec }, file),
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

const tooLarge = (message: string) => new ImageError('image_too_large', { message })

/** The picture enlarged by a model, with the same report as `enhance`. */
export const modelUpscale = defineTask({
  params: z.object({
    model: z.object({ path: z.string(), runtime: z.string(), threads: z.int() }),
    intensity: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    /** Whether the enlarged file is wanted, or only the report. */
    preview: z.boolean(),
  }),
  report: enhance.report,
  needsModels: true,
  mostFiles: 1,
  fileBytes: limits.enhance.resultBytes,
  async run(image, { model, intensity, preview }) {
    const strip = await readStrip(image.pixels, 1, false)
    const { picture, factor } = await superResolve(strip, model)
    if (picture.channels === 4) clearHidden(picture as Raster)
    const grey = isGrey(strip)
    const enhancedPicture = {
      picture,
      operations: [{ name: 'upscale', params: { factor, model: true } }],
      before: measurePicture(strip, grey),
      after: measurePicture(picture, grey),
    } as const
    const file = await fileOf(image, enhancedPicture)
    const report = reportOf(image, { mode: 'upscale', intensity }, enhancedPicture, file)
    return { report, files: preview ? [file.bytes] : [] }
  },
})
