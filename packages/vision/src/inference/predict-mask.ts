import type { Raster } from '@pixelmill/codecs/pixels/raster'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { sharp } from '@pixelmill/codecs/sharp'
import { resample } from '@pixelmill/kernels/resample'
import type { Matte } from '../matting/apply-matte.ts'
import { type MaskPreset, type MaskPresetName, maskPresets, presetOfSize, type Three } from './mask-presets.ts'
import { type InputShape, ModelFault, type ModelFile, openSession, type Tensor } from './session.ts'

/** A segmentation model, and settings that override its preset. */
export interface MaskModel extends ModelFile {
  readonly preset?: MaskPresetName | undefined
  readonly size?: number | undefined
  readonly mean?: Three | undefined
  readonly std?: Three | undefined
  readonly activation: 'auto' | MaskPreset['activation']
}

/** A model's output for a picture. */
export interface Prediction {
  readonly preset: MaskPresetName
  /** How much of each pixel is subject, 0–1; covers the whole picture, at any aspect ratio. */
  readonly matte: Matte
  /** 0–1. */
  readonly confidence: number
}

/** If the output's range is smaller, the model found no subject. */
const LEAST_CONTRAST = 0.1

/** @throws ModelFault */
export async function predictMask(picture: Raster, model: MaskModel): Promise<Prediction> {
  const session = await openSession(model)
  const preset = model.preset ?? presetOfSize(session.input.width)
  const settings = settingsOf(model, maskPresets[preset])
  const { height = settings.size, width = settings.size } = session.input
  const input = await scaledRaster(picture, { width, height })
  const output = await session.run(normalise(input, session.input, settings))
  const shares = sharesOf(output, settings.activation)
  const [least, most] = rangeOf(shares)
  if (!Number.isFinite(least) || !Number.isFinite(most)) throw new ModelFault('its output has values that are not numbers')
  const confidence = most - least < LEAST_CONTRAST ? 0 : certainty(shares)
  // Without a subject, the output is not stretched, which would make one up.
  const data = settings.stretch && confidence > 0 ? shares.map((share) => (share - least) / (most - least)) : shares
  return { preset, matte: { data, width: output.width, height: output.height }, confidence }
}

type Settings = Omit<MaskPreset, 'activation'> & { readonly activation: MaskPreset['activation'] | undefined }

function settingsOf({ size, mean, std, activation }: MaskModel, preset: MaskPreset): Settings {
  const knownActivation = preset.activation === 'sigmoid' ? ('sigmoid' as const) : undefined
  return {
    ...preset,
    ...(size !== undefined && { size }),
    ...(mean && { mean }),
    ...(std && { std }),
    activation: activation === 'auto' ? knownActivation : activation,
  }
}

/** As in rembg: divided by the picture's largest sample, not by 255, then normalised; planar. */
function normalise({ data, width, height }: Raster, { channels }: InputShape, { mean, std }: Settings): Tensor {
  if (channels !== 3) throw new ModelFault('it takes grey pictures, not RGB')
  const pixels = width * height
  const largest = data.reduce((most, value) => Math.max(most, value), 0)
  const result = new Float32Array(pixels * 3)
  for (let channel = 0; channel < 3; channel++) {
    const middle = mean[channel] as number
    const spread = std[channel] as number
    const scale = 1 / Math.max(largest, 1e-6)
    for (let pixel = 0; pixel < pixels; pixel++)
      result[channel * pixels + pixel] = ((data[pixel * 3 + channel] as number) * scale - middle) / spread
  }
  return { data: result, channels: 3, height, width }
}

/** Values further outside of 0–1 are logits: the exported model lacks the sigmoid. */
const TOLERANCE = 0.05

/** Converts a model's output to shares of 0–1. */
function sharesOf({ data, channels, width, height }: Tensor, activation: Settings['activation']): Float32Array {
  if (channels !== 1) throw new ModelFault(`it gives ${channels} numbers for each pixel, not one`)
  if (data.length !== width * height || data.length < 4) throw new ModelFault(`it gives ${data.length} numbers`)
  const [least, most] = rangeOf(data)
  const isLogits = activation === 'sigmoid' || (activation === undefined && (least < -TOLERANCE || most > 1 + TOLERANCE))
  return data.map((value) => (isLogits ? 1 / (1 + Math.exp(-value)) : Math.max(0, Math.min(1, value))))
}

function rangeOf(data: Float32Array): readonly [number, number] {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const value of data) {
    if (Number.isNaN(value)) return [Number.NaN, Number.NaN]
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return [least, most]
}

/** Mean distance of the subject's pixels from one half, scaled to 0–1: 1 if the model is certain everywhere. */
function certainty(shares: Float32Array): number {
  let decidedCount = 0
  let subject = 0
  for (const share of shares) {
    decidedCount += share * Math.abs(2 * share - 1)
    subject += share
  }
  return subject > 0 ? decidedCount / subject : 0
}

/** Resizes to exactly this size, as RGB. Samples are averaged as they are, as models were trained. */
async function scaledRaster(picture: Raster, to: Size): Promise<Raster> {
  const colours = picture.channels === 4 ? await withoutAlpha(picture) : picture
  const data = new Uint8Array(to.width * to.height * 3)
  resample(colours, to, { left: 0, top: 0, ...to }, 'samples', data)
  return { data, ...to, channels: 3 }
}

async function withoutAlpha({ data, width, height }: Raster): Promise<Raster> {
  const pixels = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }).removeAlpha()
  return { data: await pixels.raw().toBuffer(), width, height, channels: 3 }
}
