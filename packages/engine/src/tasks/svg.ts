import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { libvips, sharp } from '@pixelmill/codecs/sharp'
import { z } from 'zod'
import { fontsLoaded } from '../image/text-mark.ts'
import { cleanSvg } from '../svg/clean.ts'
import { defineFileTask } from './task.ts'

const side = z.int().min(1).max(limits.svg.side)

/** The box that a drawing is made for. */
const box = z.object({
  width: z.number().positive().exactOptional(),
  height: z.number().positive().exactOptional(),
  /** Which of the two sides decides, if both are given: the one that makes it smaller or larger. */
  fit: z.enum(['inside', 'outside']),
})
export type SvgBox = z.output<typeof box>

/** An SVG without what could run or read anything else. */
export const svgCopy = defineFileTask({
  params: z.object({}),
  report: z.object({}),
  leastFiles: 1,
  mostFiles: 1,
  fileBytes: limits.svg.bytes,
  async runOnFile(bytes) {
    return { report: {}, files: [cleanSvg(bytes)] }
  },
})

/** An SVG in pixels, as PNG: in the size of a box, or in its own. */
export const svgPicture = defineFileTask({
  params: z.object({ box: box.exactOptional() }),
  report: z.object({ width: side, height: side }),
  leastFiles: 1,
  mostFiles: 1,
  // Noise in RGBA, stored as it is.
  fileBytes: 4 * limits.svg.pixels + MiB,
  async runOnFile(bytes, { box }) {
    const drawing = cleanSvg(bytes)
    await fontsLoaded()
    return await withSvgLoader(async () => {
      const options = { limitInputPixels: false } as const
      const { width: ownWidth, height: ownHeight } = await sharp(drawing, options).metadata().catch(refuse)
      const { width, height } = sizeFor({ width: ownWidth, height: ownHeight }, box)
      const picture = sharp(drawing, options).resize({ width, height, fit: 'fill' }).png({ compressionLevel: 1 })
      return { report: { width, height }, files: [await picture.toBuffer().catch(refuse)] }
    })
  },
})

const refuse = (cause: unknown): never => {
  throw new ImageError('invalid_image', { message: 'The SVG cannot be drawn.', cause })
}

const LOADER = ['VipsForeignLoadSvgBuffer']

/**
 * libvips can load SVG only meanwhile: other files are never taken for one. It has no address of the file, so librsvg reads nothing but
 * what is in it; and the renderer has no network and no files of others.
 */
async function withSvgLoader<Value>(work: () => Promise<Value>): Promise<Value> {
  libvips().unblock({ operation: LOADER })
  try {
    return await work()
  } finally {
    libvips().block({ operation: LOADER })
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** @throws ImageError image_too_large */
function sizeFor(own: Size, box: SvgBox | undefined): Size {
  const scales = [
    box?.width === undefined ? [] : box.width / own.width,
    box?.height === undefined ? [] : box.height / own.height,
  ].flat()
  const scale = scales.length === 0 ? 1 : box?.fit === 'outside' ? Math.max(...scales) : Math.min(...scales)
  const width = Math.max(1, Math.round(own.width * scale))
  const height = Math.max(1, Math.round(own.height * scale))
  const { side: most, pixels } = limits.svg
  if (width > most || height > most || width * height > pixels)
    throw new ImageError('image_too_large', {
      message: `An SVG is drawn with at most ${most.toLocaleString('en')} pixels a side and ${pixels / 1e6} megapixels; this would be ${width} × ${height}.`,
    })
  return { width, height }
}
