import { z } from 'zod'
import { codecs } from '../codecs/index.ts'
import { limits } from '../contract/limits.ts'
import { looksDrawn } from '../image/looks-drawn.ts'
import type { Image } from '../image/open.ts'
import type { Raster } from '../image/raster.ts'
import { isGrey, isTransparent } from '../image/raster.ts'
import { resize } from '../image/resize.ts'
import { similarityTo } from '../image/similarity.ts'
import { type Size, sizeWithin } from '../image/size.ts'
import { type DecodedImage, decodeToMemory } from '../image/strip.ts'
import { tryEncodings } from '../image/try-encodings.ts'
import { defineTask } from './task.ts'

const format = z.enum(Object.values(codecs).map(({ name }) => name))
const side = z.int().min(1).max(limits.pixels)
const similarity = z.number().min(-1).max(1)
/** More than there are formats, with loss and without. */
const MOST = 16

/**
 * Writes a picture in several formats at the size that is wanted, and reports how many bytes each takes and how similar to the
 * picture it looks: what convert sends for the same format, quality, width and height.
 */
export const trials = defineTask({
  params: z.object({
    /** Pixels that the longer side may have; nothing is enlarged. */
    longestSide: side.optional(),
    /** On the one scale of all formats. */
    quality: z.int().min(limits.quality.min).max(limits.quality.max),
    /** Formats to be tried at the quality, and without loss: the cheap ones first. */
    lossy: z.array(format),
    exact: z.array(format),
    /** When to try without loss: always, or only what looks drawn. Where nothing else can be tried, it is in any case. */
    exactOf: z.enum(['all', 'drawn']),
    /** Who knows better than the blocks of the picture. */
    drawn: z.boolean().optional(),
    /** Seconds of CPU after which nothing more is begun; something is tried in any case. */
    seconds: z.number(),
  }),
  report: z.object({
    format,
    /** Of one frame of the file, as displayed, in pixels; and of what was tried. */
    width: side,
    height: side,
    trialWidth: side,
    trialHeight: side,
    frames: z.int().min(1).max(limits.frames),
    /** Is transparent somewhere: having an alpha channel is not enough. */
    transparent: z.boolean(),
    grey: z.boolean(),
    /** Looks drawn or typeset, not photographed. */
    drawn: z.boolean(),
    /** Lost something when the file was written. */
    lossy: z.boolean(),
    /** 16 bits a channel; inks instead of light; pages or frames behind the first: all of which conversion loses. */
    deep: z.boolean(),
    cmyk: z.boolean(),
    hasMore: z.boolean(),
    /** SSIM that plain JPEG of the quality has on this picture; null where nothing was tried at a quality. */
    promised: similarity.nullable(),
    /** `quality` is null where nothing is lost, and where the format has none. */
    tried: z
      .array(z.object({ format, quality: z.int().nullable(), exact: z.boolean(), bytes: z.int().min(1), ssim: similarity }))
      .max(MOST),
    /** For what there was no time. */
    leftOut: z.array(format).max(MOST),
  }),
  mostFiles: 0,
  fileBytes: 0,
  moves: true,
  async run(image, params) {
    const began = process.cpuUsage()
    const { width, height, codec, grey, delay } = image.header
    const { size, decoded, drawn } = await trialPicture(image, params)
    const found = { ...(await factsOf(image, decoded.raster)), drawn }
    const likeness = await similarityTo(decoded.pixels(), { grey, alpha: found.transparent, frames: image.frames, delay })
    const tried = await tryEncodings({ image, size, decoded, similarity: likeness, ...found }, params, began)
    const promised = tried.tried.some(({ exact }) => !exact) ? await likeness.promised(params.quality) : null
    const trial = { trialWidth: size.width, trialHeight: size.height, promised, ...tried }
    return { report: { format: codec.name, width, height, frames: image.frames, ...found, ...trial }, files: [] }
  },
})

interface TrialPicture {
  readonly size: Size
  readonly decoded: DecodedImage
  readonly drawn: boolean
}

/** How many times the longest side a drawing may have: dense screens show it pixel for pixel. Made smaller it blurs, and grows. */
const DENSE = 2

/** The picture at the size at which it is to be tried. */
async function trialPicture(
  image: Image,
  params: { readonly longestSide?: number | undefined; readonly drawn?: boolean | undefined },
) {
  const { source, header, frames, pixels } = image
  const [own, size] = [{ width: header.width, height: header.height }, sizeWithin(header, params.longestSide)]
  const at = (size: Size, decoded: DecodedImage): TrialPicture => {
    const { raster } = decoded
    return { size, decoded, drawn: params.drawn ?? looksDrawn({ ...raster, height: raster.height / frames }) }
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
