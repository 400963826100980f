import { codecs } from '@pixelmill/codecs'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { isCutOut } from '@pixelmill/codecs/pixels/raster'
import { checkResult } from '@pixelmill/codecs/pixels/size'
import { readStrip } from '@pixelmill/codecs/pixels/strip'
import { sharp } from '@pixelmill/codecs/sharp'
import { maskPresetNames } from '@pixelmill/vision/inference/mask-presets'
import { predictMask } from '@pixelmill/vision/inference/predict-mask'
import { applyMatte } from '@pixelmill/vision/matting/apply-matte'
import { removeBackground } from '@pixelmill/vision/matting/remove-background'
import { z } from 'zod'
import { encode } from '../image/encode.ts'
import { featuresAfter } from '../recipe/source-features.ts'
import { defineTask, featureReport } from './task.ts'

const side = z.int().min(1).max(limits.pixels)

/**
 * The picture without its background, unless confidence is too low; of an animation the first frame. 80 megapixels take a
 * renderer some 4 s as PNG and 500 MB, some 12 s as WebP and 2,400 MB: see docs/design/matting-and-enhancing.md.
 */
export const background = defineTask({
  params: z.object({
    format: z.enum(['png', 'webp']),
    /** Below this confidence there is a report but no file; with 0 there always is one. */
    least: z.number().min(0).max(1),
  }),
  report: z.object({
    /** How likely the cut-out is right; 1 for a picture that was cut out already. */
    confidence: z.number().min(0).max(1),
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    ...featureReport,
  }),
  mostFiles: 1,
  // The largest image without compression.
  fileBytes: limits.pixels * 4 + MiB,
  // Nine times the duration for 12 megapixels on an idle core.
  secondsPerMegapixel: 1.5,
  async run({ source, header, pixels }, { format, least }) {
    const codec = codecs[format]
    checkResult(header, 1, codec)
    const { data, width, height, confidence } = await removeBackground(pixels, least)
    const report = { confidence, width, height }
    if (confidence < least) return { report, files: [] }
    const cut = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    const how = { quality: undefined, frames: 1, grey: header.grey, keepDepth: false }
    const { bytes } = await encode({ pixels: cut, codec, width, height, header, ...how })
    return { report: { ...report, ...featuresAfter({ bytes: source, codec: header.codec }, { bytes, codec }) }, files: [bytes] }
  },
})

const three = z.tuple([z.number(), z.number(), z.number()]).readonly()

/** The picture without its background, by a model. No file if it was cut out already, or the model found no subject. */
export const modelCutOut = defineTask({
  params: z.object({
    format: z.enum(['png', 'webp']),
    model: z.object({
      path: z.string(),
      runtime: z.string(),
      threads: z.int(),
      preset: z.enum(maskPresetNames).optional(),
      size: z.int().optional(),
      mean: three.optional(),
      std: three.optional(),
      activation: z.enum(['auto', 'none', 'sigmoid']),
    }),
  }),
  report: z.object({
    alreadyCutOut: z.boolean(),
    /** Confidence of the model; 0 if it found no subject. */
    confidence: z.number().min(0).max(1),
    /** The preset used for the model. */
    preset: z.enum(maskPresetNames).optional(),
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    ...featureReport,
  }),
  needsModels: true,
  mostFiles: 1,
  // The largest image without compression.
  fileBytes: limits.pixels * 4 + MiB,
  async run({ source, header, pixels }, { format, model }) {
    const codec = codecs[format]
    checkResult(header, 1, codec)
    const { data, width, height } = await readStrip(pixels.ensureAlpha(), 1, false)
    const picture: Raster = { data: data as Uint8Array, width, height, channels: 4 }
    if (isCutOut(picture)) return { report: { alreadyCutOut: true, confidence: 1, width, height }, files: [] }
    const prediction = await predictMask(picture, model)
    const { preset, confidence } = prediction
    const report = { alreadyCutOut: false, confidence, preset, width, height }
    if (confidence === 0) return { report, files: [] }
    applyMatte(picture, prediction.matte)
    const cut = sharp(picture.data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    const how = { quality: undefined, frames: 1, grey: header.grey, keepDepth: false }
    const { bytes } = await encode({ pixels: cut, codec, width, height, header, ...how })
    return { report: { ...report, ...featuresAfter({ bytes: source, codec: header.codec }, { bytes, codec }) }, files: [bytes] }
  },
})
