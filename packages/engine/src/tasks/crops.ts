import { codecs } from '@pixelmill/codecs'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { isTargetFormat } from '@pixelmill/codecs/image-formats'
import type { Header } from '@pixelmill/codecs/pixels/header'
import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import { salienceMapOf } from '@pixelmill/vision/salience/map'
import { SALIENCE_SIDE } from '@pixelmill/vision/salience/salience'
import { z } from 'zod'
import { encode } from '../image/encode.ts'
import { resize } from '../image/resize.ts'
import { featuresAfter } from '../recipe/source-features.ts'
import { defineTask, featureReport } from './task.ts'

const side = z.int().min(1).max(limits.pixels)
const mapSide = z.int().min(1).max(SALIENCE_SIDE)

/** The salience map: one byte per pixel, as the only file. */
export const focus = defineTask({
  params: z.object({}),
  report: z.object({
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    mapWidth: mapSide,
    mapHeight: mapSide,
  }),
  mostFiles: 1,
  fileBytes: SALIENCE_SIDE ** 2,
  async run({ header: { width, height }, pixels }) {
    const map = await salienceMapOf(pixels)
    return { report: { width, height, mapWidth: map.width, mapHeight: map.height }, files: [Buffer.from(map.data)] }
  },
})

const formats = Object.values(codecs).map(({ name }) => name)

const cut = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
  /** Size in the file; at most that of the region. */
  toWidth: z.int(),
  toHeight: z.int(),
})

/** The image's own format if browsers display it and it stays small; otherwise one that all browsers display. */
const codecFor = ({ codec, alpha }: Header) => (isTargetFormat(codec.name) ? codec : alpha ? codecs.png : codecs.jpeg)

/** Several parts of one image, decoded once: each is a separate file, in sRGB, without metadata. */
export const cuts = defineTask({
  params: z.object({ cuts: z.array(cut) }),
  report: z.object({ format: z.enum(formats), ...featureReport }),
  mostFiles: limits.ai.smartCrop.crops,
  // Twice the largest crop, 2,048 × 2,048 pixels, without compression.
  fileBytes: 32 * MiB,
  async run(image, params) {
    const codec = codecFor(image.header)
    const whole = await readStrip(image.pixels, 1, false)
    const files: Buffer[] = []
    // One after the other: each needs the memory of a picture while it is encoded.
    for (const { x, y, width, height, toWidth, toHeight } of params.cuts) {
      const part = pipelineOf(whole).extract({ left: x, top: y, width, height })
      const header = { ...image.header, width, height, deep: false }
      const box = { width: toWidth, height: toHeight, fit: 'fill', background: '#ffffff00' } as const
      const pixels = await resize({ ...image, header, frames: 1, pixels: part, samples: undefined }, box)
      const size = { width: toWidth, height: toHeight, frames: 1 }
      const { bytes } = await encode({ pixels, codec, quality: undefined, ...size, header, grey: header.grey, keepDepth: false })
      files.push(bytes)
    }
    const [bytes = Buffer.alloc(0)] = files
    const features = featuresAfter({ bytes: image.source, codec: image.header.codec }, { bytes, codec })
    return { report: { format: codec.name, ...features }, files }
  },
})
