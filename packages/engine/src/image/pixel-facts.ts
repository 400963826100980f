import { limits } from '@pixelmill/codecs/contract/limits'
import { looksDrawn } from '@pixelmill/codecs/pixels/looks-drawn'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { sharp } from '@pixelmill/codecs/sharp'
import type { Sharp } from 'sharp'
import { paletteOf } from './palette.ts'
import { blurHashOf, HASHED_SIDE, PERCEIVED_SIDE, perceptualHashOf, thumbHashOf } from './picture-hashes.ts'

/** What only decoded pixels tell. */
export interface PixelFacts {
  /** Whether it was drawn or typeset rather than photographed. */
  readonly drawn: boolean
  readonly dominantColor: string | null
  readonly palette: string[]
  readonly thumbHash: string
  readonly blurHash: string
  readonly perceptualHash: string
}

export type PixelFact = keyof PixelFacts

/** Computes the wanted facts of a still picture, which is decoded once, as small as they allow. */
export async function pixelFacts(pixels: Sharp, wantedNames: readonly PixelFact[]): Promise<Partial<PixelFacts>> {
  const isWanted = (...names: readonly PixelFact[]) => names.some((name) => wantedNames.includes(name))
  const facts: { -readonly [Name in PixelFact]?: PixelFacts[Name] } = {}
  // Decoded once: lines of text, by which drawings are recognised, need more pixels than all others.
  const side = isWanted('drawn') ? limits.ai.modelCopy.drawn : HASHED_SIDE
  const picture = await rgba(pixels.resize(inside(side)))
  if (isWanted('drawn')) facts.drawn = looksDrawn(await rgba(opaque(picture)))
  const small = await rgba(pipeline(picture).resize(inside(HASHED_SIDE)))
  if (isWanted('thumbHash')) facts.thumbHash = thumbHashOf(small)
  if (isWanted('blurHash')) facts.blurHash = blurHashOf(await rgba(opaque(small)))
  if (isWanted('perceptualHash')) facts.perceptualHash = perceptualHashOf(await grey(opaque(picture)))
  if (isWanted('dominantColor', 'palette')) {
    const palette = await paletteOf(small)
    if (isWanted('palette')) facts.palette = palette
    if (isWanted('dominantColor')) facts.dominantColor = palette[0] ?? null
  }
  return facts
}

const inside = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const

async function rgba(pixels: Sharp): Promise<Raster> {
  const { data, info } = await pixels
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 4 }
}

async function grey(pixels: Sharp): Promise<Raster> {
  const square = pixels.resize({ width: PERCEIVED_SIDE, height: PERCEIVED_SIDE, fit: 'fill' })
  const data = await square.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer()
  return { data, width: PERCEIVED_SIDE, height: PERCEIVED_SIDE, channels: 1 }
}

const pipeline = ({ data, width, height }: Raster): Sharp => sharp(data, { raw: { width, height, channels: 4 } })

const opaque = (picture: Raster): Sharp => pipeline(picture).flatten({ background: '#fff' })
