import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Bitmap } from '@pixelmill/codecs/reader'
import { resample } from '@pixelmill/kernels/resample'
import { type InputShape, ModelFault, type ModelFile, openSession, type Tensor } from './session.ts'

/** ITU-R BT.601, which models of brightness alone were trained with. */
const LIGHT = [0.299, 0.587, 0.114] as const

/** The range of factors that is accepted; known models have 2 to 4. */
const LEAST = 2
const MOST = 8

interface Resolved {
  readonly picture: Bitmap
  readonly factor: number
}

/**
 * Enlarges a picture with a model, tile by tile.
 * @param picture 8 bits, RGB or RGBA
 * @throws ModelFault; ImageError if the result would be too large
 */
export async function superResolve(picture: Bitmap, file: ModelFile): Promise<Resolved> {
  const session = await openSession(file)
  const { channels } = session.input
  const tiling = tilingOf(picture, session.input)
  let result: Resolved | undefined
  for (const part of partsOf(picture, tiling)) {
    const output = await session.run(tileOf(picture, part, tiling, channels))
    if (output.channels !== channels) throw new ModelFault(`it gives ${output.channels} numbers for each pixel, not ${channels}`)
    const factor = factorOf(output, tiling)
    result ??= { picture: blank(picture, factor, channels), factor }
    writePart(output, part, tiling, result)
  }
  if (!result) throw new Error('a picture without pixels')
  return result
}

function factorOf({ width, height, data }: Tensor, tiling: Tiling): number {
  const factor = width / tiling.width
  const isWhole = Number.isInteger(factor) && height === factor * tiling.height
  if (!isWhole || factor < LEAST || factor > MOST)
    throw new ModelFault(`it makes ${width} × ${height} of ${tiling.width} × ${tiling.height} pixels`)
  if (data.some(Number.isNaN)) throw new ModelFault('its output has values that are not numbers')
  return factor
}

/** A part with its margin, 0–1, planar; beyond the edges, the edge pixels repeat. */
function tileOf({ data, width, height, channels }: Bitmap, { left, top }: Part, tiling: Tiling, planes: number): Tensor {
  const pixels = tiling.width * tiling.height
  const tile = new Float32Array(pixels * planes)
  for (let y = 0, at = 0; y < tiling.height; y++) {
    const row = clamp(top + y - tiling.margin, height) * width
    for (let x = 0; x < tiling.width; x++, at++) {
      const from = (row + clamp(left + x - tiling.margin, width)) * channels
      if (planes === 1) tile[at] = lightAt(data, from) / 255
      else for (let plane = 0; plane < 3; plane++) tile[plane * pixels + at] = (data[from + plane] as number) / 255
    }
  }
  return { data: tile, channels: planes, width: tiling.width, height: tiling.height }
}

const clamp = (position: number, length: number): number => Math.max(0, Math.min(length - 1, position))

const lightAt = (data: Bitmap['data'], at: number): number =>
  LIGHT[0] * (data[at] as number) + LIGHT[1] * (data[at + 1] as number) + LIGHT[2] * (data[at + 2] as number)

/** The output picture, enlarged by Lanczos-3 if it needs colours, for a model of brightness alone, or transparency. */
function blank(picture: Bitmap, factor: number, planes: number): Bitmap {
  const { width, height, channels } = picture
  const size = { width: width * factor, height: height * factor }
  const { modelResultPixels } = limits.enhance
  if (size.width * size.height > modelResultPixels)
    throw new ImageError('image_too_large', {
      message: `Send an image of at most ${Math.floor(modelResultPixels / factor ** 2 / 1e5) / 10} megapixels.`,
    })
  const data = new Uint8Array(size.width * size.height * channels)
  if (planes === 1 || channels === 4) resample(picture, size, { left: 0, top: 0, ...size }, 'samples', data)
  return { ...size, channels, data }
}

function writePart(
  { data, channels: planes, ...tile }: Tensor,
  part: Part,
  { margin }: Tiling,
  { picture, factor }: Resolved,
): void {
  const { data: out, width, channels } = picture
  const pixels = tile.width * tile.height
  for (let y = 0; y < part.height * factor; y++) {
    let from = (y + margin * factor) * tile.width + margin * factor
    let to = ((part.top * factor + y) * width + part.left * factor) * channels
    for (let x = 0; x < part.width * factor; x++, from++, to += channels) {
      const lighter = planes === 1 ? (data[from] as number) * 255 - lightAt(out, to) : 0
      for (let channel = 0; channel < 3; channel++) {
        const value = planes === 1 ? (out[to + channel] as number) + lighter : (data[channel * pixels + from] as number) * 255
        out[to + channel] = Math.max(0, Math.min(255, Math.round(value)))
      }
    }
  }
}

/** Side of a tile in pixels, and the margin on each side that only gives context. */
const TILE = 256
const OVERLAP = 16
/** Models that downsample need sides that are divisible by a power of two. */
const GRID = 16

/** How a picture is split: tiles of one size that overlap by their margins. */
interface Tiling extends Size {
  readonly margin: number
}

/** Part of a picture: a tile without its margins. */
interface Part extends Size {
  readonly left: number
  readonly top: number
}

/** A small picture is a single tile, no larger than necessary if the model accepts any size. */
function tilingOf(picture: Size, { width, height }: Partial<Pick<InputShape, 'width' | 'height'>>): Tiling {
  const tileSide = (side: number) => Math.min(TILE, Math.ceil((side + 2 * OVERLAP) / GRID) * GRID)
  const tile = { width: width ?? tileSide(picture.width), height: height ?? tileSide(picture.height) }
  return { ...tile, margin: Math.min(OVERLAP, Math.floor(Math.min(tile.width, tile.height) / 4)) }
}

/** In rows from the top. */
function partsOf(picture: Size, { width, height, margin }: Tiling): readonly Part[] {
  const across = width - 2 * margin
  const down = height - 2 * margin
  const parts: Part[] = []
  for (let top = 0; top < picture.height; top += down) {
    for (let left = 0; left < picture.width; left += across) {
      const inside = { width: Math.min(across, picture.width - left), height: Math.min(down, picture.height - top) }
      parts.push({ left, top, ...inside })
    }
  }
  return parts
}
