import type { OverlayOptions } from 'sharp'
import { z } from 'zod'
import { limits } from '../../contract/limits.ts'
import { readWatermark } from '../../image/read-watermark.ts'
import { canvas } from '../../image/sharp.ts'
import type { Size } from '../../image/size.ts'
import { choice, number } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Position of the watermark as shares of the free space: 0 is left or top, 1 is right or bottom. */
const places = {
  'top-left': [0, 0],
  'top-right': [1, 0],
  'bottom-left': [0, 1],
  'bottom-right': [1, 1],
  center: [0.5, 0.5],
} as const satisfies Record<string, readonly [across: number, down: number]>

const names = [
  'top-left',
  'top-right',
  'bottom-left',
  'bottom-right',
  'center',
] as const satisfies readonly (keyof typeof places)[]

export const position = choice(names, 'Corner or centre of the base.').default('bottom-right')
export const opacity = number(limits.opacity, 'Percent; multiplies the transparency that the watermark has.')
export const scale = number(limits.scale, 'Watermark width as a fraction of the base width.')

export const watermark = defineStep({
  summary: 'Overlay an image on every frame; of an animated watermark the first frame is used.',
  params: z.strictObject({
    image: z.string().describe('Name of the file part that has the watermark.'),
    position,
    opacity: opacity.default(50),
    scale: scale.default(0.25),
  }),
  files: ({ image }) => ({ image }),
  plan: (before) => ({ ...before, grey: false }),
  from: 'decoded',
  to: () => 'finished',
  async apply({ pixels, frames }, { image, position, opacity, scale }, { after, deep, file }) {
    const box = { width: Math.max(1, Math.round(after.width * scale)), height: after.height }
    const mark = await readWatermark(file(image), image, box, opacity / 100)
    const overlay = { input: mark.data, raw: mark.raw, ...place(after, mark.raw, position) }
    // Compositing gives 8 bits unless the working space has 16.
    const base = deep ? pixels.pipelineColourspace('rgb16') : pixels
    return base.composite([frames === 1 ? overlay : await everyFrame(after, overlay)])
  },
})

function place(base: Size, mark: Size, position: keyof typeof places) {
  const [across, down] = places[position]
  return { left: Math.round((base.width - mark.width) * across), top: Math.round((base.height - mark.height) * down) }
}

/** libvips holds an animation as one tall strip: a transparent overlay of the frame's size, tiled vertically, marks each frame. */
async function everyFrame({ width, height }: Size, overlay: OverlayOptions): Promise<OverlayOptions> {
  const sheet = canvas(width, height, '#00000000').composite([overlay])
  return { input: await sheet.raw().toBuffer(), raw: { width, height, channels: 4 }, tile: true, gravity: 'northwest' }
}
