import { ImageError, invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { resizedTo, under } from '@pixelmill/codecs/hdr/placement'
import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import { sharp } from '@pixelmill/codecs/sharp'
import { modes } from '@pixelmill/vision/enhance/choose'
import { enhance as enhanced } from '@pixelmill/vision/enhance/enhance'
import { removeBackground as cutOut } from '@pixelmill/vision/matting/remove-background'
import { z } from 'zod'
import { choice } from '../fields.ts'
import type { Picture } from '../picture.ts'
import { defineStep } from '../step.ts'

/** Seconds of a core of an AMD EPYC (2 GHz): to find the subject in a picture of any size; and for a megapixel. See docs/design/kernels.md. */
const FINDING = 0.25
const CUTTING = 0.02
const ENHANCING = 0.06

/** The confidence below which the built-in remover is not believed; the default of BG_MIN_CONFIDENCE. */
const LEAST_CONFIDENCE = 0.7

/** @throws ImageError invalid_params: these steps look at one picture, and what they do would differ from frame to frame */
function requireStill({ frames }: Picture): void {
  if (frames > 1)
    throw invalidParam('frames', 'custom', 'Is for still pictures; ask for a format without animation, such as png.')
}

/** IPTC's word for pictures that were improved without making anything up. */
const ENHANCED = 'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced'

export const removeBackground = defineStep({
  label: 'Remove background',
  summary: 'Make the background transparent, by the built-in remover.',
  params: z.strictObject({}),
  example: {},
  action: { action: 'c2pa.edited', description: 'The background was removed.' },
  plan: (before) => ({ ...before, alpha: true }),
  seconds: (before) => FINDING + CUTTING * before,
  from: 'decoded',
  to: () => 'decoded',
  async apply(picture) {
    requireStill(picture)
    const { data, width, height, confidence } = await cutOut(picture.pixels, LEAST_CONFIDENCE)
    if (confidence < LEAST_CONFIDENCE) throw new ImageError('background_not_separable')
    const opacityAt = (x: number, y: number) => (data[(Math.floor(y) * width + Math.floor(x)) * 4 + 3] ?? 0) / 255
    return {
      pixels: sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }),
      placement: under(picture.canvas, (x, y) => 1 - opacityAt(x, y)),
    }
  },
})

export const enhance = defineStep({
  label: 'Enhance',
  summary: 'Denoise, deblur or enlarge the picture; auto does what its pixels show to improve it.',
  params: z.strictObject({
    operation: choice(modes, 'auto neither enlarges nor changes what is good already; upscale doubles both sides.').default(
      'auto',
    ),
  }),
  example: {},
  action: { action: 'c2pa.enhanced', digitalSourceType: ENHANCED },
  plan: (before, { operation }) =>
    operation === 'upscale' ? { ...before, width: before.width * 2, height: before.height * 2 } : before,
  seconds: (_before, after) => ENHANCING * after,
  from: 'decoded',
  to: () => 'decoded',
  async apply(picture, { operation }) {
    requireStill(picture)
    const { pixels, header, source } = picture
    const strip = await readStrip(pixels, 1, header.deep)
    const jpegQuality = header.codec.qualityOf?.(source) ?? 100
    const { picture: result } = enhanced(strip, { mode: operation, intensity: 2 }, jpegQuality)
    const { width, height } = result
    const after = pipelineOf({ ...result, channels: result.channels === 4 ? 4 : 3, frames: 1 })
    return { pixels: after, width, height, placement: resizedTo(picture.canvas, { width, height }) }
  },
})
