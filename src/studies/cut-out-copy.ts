import type { Sharp } from 'sharp'
import { z } from 'zod'
import type { Codec } from '../codecs/codec.ts'
import { codecs } from '../codecs/index.ts'
import { limits, MiB } from '../contract/limits.ts'
import type { Image } from '../image/image.ts'
import { isCutOut } from '../image/matting/already-cut-out.ts'
import { checkResult, type Size } from '../image/result-size.ts'
import { pipelineOf, readStrip } from '../image/strip.ts'
import { defineStudy } from './study.ts'

const side = z.int().min(1).max(limits.pixels)

/** Formats whose pixels are exact: a picture that came in one has flat colours more often than not, which JPEG would stain. */
const exact: ReadonlySet<Codec['name']> = new Set(['png', 'gif', 'bmp', 'tiff'])
/** Pixels up to which the copy of such a picture is a PNG. */
const MOST_EXACT = 4_000_000
/** The first is for the eye; the others are for what would be too many bytes otherwise. */
const QUALITIES = [95, 85, 70] as const

/**
 * The copy of a picture that a service sees which cuts out: encoded anew, so that neither metadata nor what else hides in a file
 * leaves the house; upright, in sRGB with 8 bits a channel, opaque, and no larger than the service takes.
 */
export const cutOutCopy = defineStudy({
  params: z.object({
    /** Of the answer that is to come of it: a picture that it cannot hold is refused before anybody is paid. */
    format: z.enum(['png', 'webp']),
    mostPixels: z.int().min(1),
    mostSide: z.int().min(1),
    mostBytes: z.int().min(1),
  }),
  report: z.object({
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    /** Has transparency that is worth keeping: there is no copy then, since there is nothing to cut out. */
    alreadyCutOut: z.boolean(),
    type: z.enum(['image/jpeg', 'image/png']),
  }),
  mostFiles: 1,
  fileBytes: 64 * MiB,
  async examine(image, { format, mostPixels, mostSide, mostBytes }) {
    const { header } = image
    const { width, height } = header
    checkResult(header, 1, codecs[format])
    const report = { width, height, alreadyCutOut: false, type: 'image/jpeg' } as const
    const opaque = await opaquePixels(image)
    if (!opaque) return { report: { ...report, alreadyCutOut: true }, files: [] }
    const size = within(header, mostPixels, mostSide)
    const raw = await readStrip(opaque.resize({ ...size, fit: 'fill' }), 1, false)
    const png = exact.has(header.codec.name) && size.width * size.height <= MOST_EXACT
    const exactly = png ? await pipelineOf(raw).png().toBuffer() : undefined
    if (exactly && exactly.length <= mostBytes) return { report: { ...report, type: 'image/png' as const }, files: [exactly] }
    return { report, files: [await photograph(pipelineOf(raw), mostBytes)] }
  },
})

/** The picture on white; undefined where it is cut out already. */
async function opaquePixels({ header, pixels }: Image): Promise<Sharp | undefined> {
  if (!header.alpha) return pixels
  const picture = await readStrip(pixels, 1, false)
  // 8 bits were asked for.
  if (isCutOut({ ...picture, data: picture.data as Uint8Array })) return undefined
  return pipelineOf(picture).flatten({ background: '#fff' })
}

/** The largest size of that shape which has neither too many pixels nor too long a side. */
function within({ width, height }: Size, mostPixels: number, mostSide: number): Size {
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)), mostSide / Math.max(width, height))
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

async function photograph(pixels: Sharp, mostBytes: number): Promise<Buffer> {
  let copy = Buffer.alloc(0)
  for (const quality of QUALITIES) {
    copy = await pixels.clone().jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer()
    if (copy.length <= mostBytes) break
  }
  return copy
}
