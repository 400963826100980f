import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import { densityOf } from '@pixelmill/codecs/metadata/density'
import { type DecodedImage, decodeToMemory } from '@pixelmill/codecs/pixels/decoded-image'
import { looksDrawn } from '@pixelmill/codecs/pixels/looks-drawn'
import type { Image } from '@pixelmill/codecs/pixels/open'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { isGrey, isTransparent } from '@pixelmill/codecs/pixels/raster'
import { type Size, sizeWithin } from '@pixelmill/codecs/pixels/size'
import { similarityTo } from '@pixelmill/vision/likeness/similarity'
import { z } from 'zod'
import { resize } from '../image/resize.ts'
import { tryEncodings } from '../image/try-encodings.ts'
import { defineTask } from './task.ts'

const rows: Readonly<Record<FormatName, Codec>> = codecs
const format = z.enum(Object.values(codecs).map(({ name }) => name))
const side = z.int().min(1).max(limits.pixels)
const similarity = z.number().min(-1).max(1)
/** More than the number of formats, lossy and lossless. */
const MOST = 16

/**
 * Encodes a picture in several formats at the wanted size, and reports the bytes of each and its similarity to the picture: the
 * same encodings that convert sends for format, quality, width and height.
 */
export const trials = defineTask({
  params: z.object({
    /** Maximum pixels of the longer side; nothing is enlarged. */
    longestSide: side.optional(),
    /** On the common scale of all formats. */
    quality: z.int().min(limits.quality.min).max(limits.quality.max),
    /** Formats to try at the quality, and lossless ones: cheap ones first. */
    lossy: z.array(format),
    exact: z.array(format),
    /** When to try lossless: always, or only for drawings; in any case if nothing else can be tried. */
    exactOf: z.enum(['all', 'drawn']),
    /** Overrides the detection of drawings. */
    drawn: z.boolean().optional(),
    /** CPU seconds after which no further format is started; one is tried in any case. */
    seconds: z.number(),
  }),
  report: z.object({
    format,
    /** Size of one frame of the file, as displayed, in pixels; and the encoded size. */
    width: side,
    height: side,
    trialWidth: side,
    trialHeight: side,
    frames: z.int().min(1).max(limits.frames),
    /** Has transparent pixels, not just an alpha channel. */
    transparent: z.boolean(),
    grey: z.boolean(),
    /** Looks drawn or typeset, not photographed. */
    drawn: z.boolean(),
    /** The file is lossy. */
    lossy: z.boolean(),
    /** 16 bits a channel, CMYK, or further pages or frames: all are lost by conversion. */
    deep: z.boolean(),
    cmyk: z.boolean(),
    hasMore: z.boolean(),
    /** SSIM of plain JPEG at this quality for this picture; null if nothing was tried at a quality. */
    promised: similarity.nullable(),
    /** `quality` is null for lossless encodings, and for formats without quality. */
    tried: z
      .array(z.object({ format, quality: z.int().nullable(), exact: z.boolean(), bytes: z.int().min(1), ssim: similarity }))
      .max(MOST),
    /** Formats for which there was no time. */
    leftOut: z.array(format).max(MOST),
  }),
  mostFiles: 0,
  fileBytes: 0,
  moves: true,
  async run(image, params) {
    const began = process.cpuUsage()
    const { width, height, codec, grey, delay } = image.header
    const { size, decoded, drawn } = await trialPicture(image, params)
    const facts = { ...(await factsOf(image, decoded.raster)), drawn }
    const likeness = await similarityTo(decoded.pixels(), { grey, alpha: facts.transparent, frames: image.frames, delay })
    const encodings = await tryEncodings({ image, size, decoded, similarity: likeness, ...facts }, params, began)
    const promisedSimilarity = encodings.tried.some(({ exact }) => !exact) ? await likeness.promised(params.quality) : null
    const trial = {
      trialWidth: size.width,
      trialHeight: size.height,
      promised: promisedSimilarity,
      ...encodings,
      tried: asSent(image, encodings.tried),
    }
    return { report: { format: codec.name, width, height, frames: image.frames, ...facts, ...trial }, files: [] }
  },
})

/** As long as the files that convert sends, which name the source's density. */
function asSent<Trial extends { readonly format: FormatName; readonly bytes: number }>(
  image: Image,
  trialList: readonly Trial[],
): Trial[] {
  const isDense = densityOf(image.source, image.header.codec) !== undefined
  return trialList.map((trial) => (isDense ? { ...trial, bytes: trial.bytes + (rows[trial.format].density?.bytes ?? 0) } : trial))
}

interface TrialPicture {
  readonly size: Size
  readonly decoded: DecodedImage
  readonly drawn: boolean
}

/**
 * Factor on the longest side for drawings: dense screens show them pixel for pixel. Shrinking blurs them and makes the file
 * larger.
 */
const DENSE = 2

/** The picture at the size for the trials. */
async function trialPicture(
  image: Image,
  params: { readonly longestSide?: number | undefined; readonly drawn?: boolean | undefined },
) {
  const { source, header, frames, pixels } = image
  const own = { width: header.width, height: header.height }
  const size = sizeWithin(header, params.longestSide)
  const at = (size: Size, decodedImage: DecodedImage): TrialPicture => {
    const { raster } = decodedImage
    return { size, decoded: decodedImage, drawn: params.drawn ?? looksDrawn({ ...raster, height: raster.height / frames }) }
  }
  if (size.width < own.width && size.width * DENSE >= own.width && !header.codec.lossy(source)) {
    const whole = at(own, await decodeToMemory(pixels.clone(), image))
    if (whole.drawn) return whole
  }
  return at(size, await decodeToMemory(await resize(image, { ...size, fit: 'inside', background: '#ffffff00' }), image))
}

async function factsOf({ source, header, pixels }: Image, raster: Raster) {
  const { space } = await pixels.metadata()
  return {
    transparent: isTransparent(raster),
    grey: isGrey(raster),
    lossy: header.codec.lossy(source),
    deep: header.deep,
    cmyk: space === 'cmyk',
    hasMore: header.codec.moreInside?.(source) !== undefined,
  }
}
