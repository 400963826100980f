import { join } from 'node:path'
import { packageFolder } from '@pixelmill/codecs/installation'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { libvips, sharp } from '@pixelmill/codecs/sharp'
import type { RawPixels } from './read-watermark.ts'

export const fontNames = ['sans', 'serif', 'mono'] as const
export const weights = ['normal', 'bold'] as const

export interface TextStyle {
  readonly font: (typeof fontNames)[number]
  readonly weight: (typeof weights)[number]
  /** #rrggbb or #rrggbbaa. */
  readonly color: string
  /** The colour of an outline. */
  readonly stroke?: string | undefined
}

/** DejaVu: Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and more. A character that it lacks is an empty box. */
const FONTS = 'dejavu-fonts-ttf'
const faces = {
  sans: { family: 'DejaVu Sans', normal: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf' },
  serif: { family: 'DejaVu Serif', normal: 'DejaVuSerif.ttf', bold: 'DejaVuSerif-Bold.ttf' },
  mono: { family: 'DejaVu Sans Mono', normal: 'DejaVuSansMono.ttf', bold: 'DejaVuSansMono-Bold.ttf' },
} as const

/** Cairo, which draws the text, refuses a side of 32,768 pixels. */
const MOST_SIDE = 32_000
/** Pixels at which a text is measured: fewer for a long one, of which each character may be three times as wide. */
const trialSize = (text: string): number => Math.min(100, Math.floor(MOST_SIDE / 3.5 / text.length))
/** An outline of this share of the font's size is visible on any picture. */
const OUTLINE = 0.06

/**
 * A text as RGBA pixels, as large as fits into the box; undefined if nothing of it is visible. It is laid out by Pango: from right to
 * left and with joined letters where its script asks for that.
 */
export async function textMark(text: string, style: TextStyle, box: Size): Promise<RawPixels | undefined> {
  const trialPixels = trialSize(text)
  const trial = await drawText(text, style, trialPixels)
  if (!trial) return undefined
  const width = Math.min(MOST_SIDE, box.width)
  const height = Math.min(MOST_SIDE, box.height)
  const size = trialPixels * Math.min(width / trial.width, height / trial.height)
  const mask = await drawText(text, style, Math.max(1, Math.floor(size)))
  if (!mask) return undefined
  const fill = rgba(style.color)
  if (!style.stroke) return colourLayers(mask, [{ mask: mask.data, colour: fill }])
  const outline = Math.max(1, Math.round(OUTLINE * size))
  const wide = await padMask(mask, outline)
  const soft = sharp(wide.data, { raw: { ...sizeOf(wide), channels: 1 } })
    .blur(Math.max(0.5, outline / 2))
    .linear(6, 0)
    .toColourspace('b-w')
  const around = await soft.raw().toBuffer()
  return colourLayers(wide, [
    { mask: around, colour: rgba(style.stroke) },
    { mask: wide.data, colour: fill },
  ])
}

interface Mask extends Size {
  /** One byte a pixel: how much of it the text covers. */
  readonly data: Buffer
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height })

/** Pango reads markup: only what stands for the characters themselves reaches it. */
const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')

let loading: Promise<unknown> | undefined

/**
 * Draws a letter in each face. Pango takes a character that a face lacks from the faces that were loaded before: so these are always the
 * same, in the same order.
 */
async function loadFaces(): Promise<void> {
  for (const weight of weights) for (const font of fontNames) await drawnIn('x', font, weight, 1)
}

/** The faces are there from then on, for texts of SVG too. */
export async function fontsLoaded(): Promise<void> {
  loading ??= loadFaces()
  await loading
}

async function drawText(text: string, { font, weight }: TextStyle, pixels: number): Promise<Mask | undefined> {
  await fontsLoaded()
  return drawnIn(text, font, weight, pixels)
}

async function drawnIn(
  text: string,
  font: TextStyle['font'],
  weight: TextStyle['weight'],
  pixels: number,
): Promise<Mask | undefined> {
  const { family, ...files } = faces[font]
  const folder = packageFolder(FONTS)
  if (folder === undefined) throw new Error(`the package ${FONTS} is missing`)
  const fontfile = join(folder, 'ttf', files[weight])
  const name = `${family} ${weight === 'bold' ? 'Bold ' : ''}${pixels}`
  try {
    const image = libvips()({ text: { text: escapeXml(text), fontfile, font: name, dpi: 72 } })
    const { data, info } = await image.extractChannel(0).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height }
  } catch (error) {
    // libvips refuses a text without a mark, such as one of spaces.
    if (error instanceof Error && /no text to render/i.test(error.message)) return undefined
    throw error
  }
}

async function padMask({ data, ...size }: Mask, by: number): Promise<Mask> {
  const border = { top: by, right: by, bottom: by, left: by, background: '#000' }
  const wide = sharp(data, { raw: { ...size, channels: 1 } })
    .extend(border)
    .toColourspace('b-w')
  return { data: await wide.raw().toBuffer(), width: size.width + 2 * by, height: size.height + 2 * by }
}

type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

function rgba(colour: string): Rgba {
  const at = (index: number) => Number.parseInt(colour.slice(1 + 2 * index, 3 + 2 * index) || 'ff', 16)
  return [at(0), at(1), at(2), at(3)]
}

/** The masks in their colours, each over the one before. */
function colourLayers(size: Mask, layers: readonly { readonly mask: Buffer; readonly colour: Rgba }[]): RawPixels {
  const { width, height } = size
  const data = Buffer.alloc(width * height * 4)
  for (const { mask, colour } of layers) {
    const [, , , opacity] = colour
    for (let pixel = 0; pixel < width * height; pixel++) {
      const over = ((mask[pixel] ?? 0) * opacity) / (255 * 255)
      const at = pixel * 4
      const under = ((data[at + 3] ?? 0) / 255) * (1 - over)
      const alpha = over + under
      if (alpha === 0) continue
      for (let channel = 0; channel < 3; channel++) {
        data[at + channel] = Math.round(((colour[channel] ?? 0) * over + (data[at + channel] ?? 0) * under) / alpha)
      }
      data[at + 3] = Math.round(alpha * 255)
    }
  }
  return { data, raw: { width, height, channels: 4 } }
}
