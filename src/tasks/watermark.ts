import type { OverlayOptions } from 'sharp'
import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { encode } from '../image/encode.ts'
import { readWatermark } from '../image/read-watermark.ts'
import { canvas } from '../image/sharp.ts'
import type { Size } from '../image/size.ts'
import { choice, number } from './fields.ts'
import { sameFormat } from './plan.ts'
import { defineOperation } from './task.ts'

/** Position of the watermark as shares of the free space: 0 is left or top, 1 is right or bottom. */
const positions = {
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
] as const satisfies readonly (keyof typeof positions)[]

function place(base: Size, mark: Size, position: keyof typeof positions) {
  const [across, down] = positions[position]
  return { left: Math.round((base.width - mark.width) * across), top: Math.round((base.height - mark.height) * down) }
}

export const watermark = defineOperation({
  summary: 'Overlay a watermark image.',
  description:
    'The watermark keeps its ratio and never exceeds the base. It is applied to every frame of an animation; an animated watermark contributes its first frame.',
  params: z.object({
    position: choice(names, 'Corner or centre of the base.').default('bottom-right'),
    opacity: number(limits.opacity, 'Percent; multiplies the transparency that the watermark has.').default(
      limits.opacity.default,
    ),
    scale: number(limits.scale, 'Watermark width as a fraction of the base width.').default(limits.scale.default),
  }),
  files: ['image', 'watermark'],
  stem: 'watermarked',
  plan: ({ codec, alpha, width, height }) => ({ codec, alpha, width, height }),
  async render(image, { position, opacity, scale }, plan, [file = Buffer.alloc(0)]) {
    const box = { width: Math.max(1, Math.round(plan.width * scale)), height: plan.height }
    const mark = await readWatermark(file, box, opacity / 100)
    const overlay = { input: mark.data, raw: mark.raw, ...place(plan, mark.raw, position) }
    const deep = image.header.deep && plan.codec.deep
    // Compositing gives 8 bits unless the working space has 16.
    const base = deep ? image.pixels.pipelineColourspace('rgb16') : image.pixels
    const marked = base.composite([image.frames === 1 ? overlay : await everyFrame(plan, overlay)])
    return encode({ ...sameFormat(image, marked, plan), grey: false })
  },
})

/**
 * libvips holds an animation as one tall strip: a transparent overlay of the frame's size, tiled vertically, marks each frame.
 */
async function everyFrame({ width, height }: Size, overlay: OverlayOptions): Promise<OverlayOptions> {
  const sheet = canvas(width, height, '#00000000').composite([overlay])
  return { input: await sheet.raw().toBuffer(), raw: { width, height, channels: 4 }, tile: true, gravity: 'northwest' }
}
