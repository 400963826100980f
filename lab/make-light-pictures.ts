import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openPixelmill } from '@pixelmill/engine/library/pixelmill'
import sharp from 'sharp'

/**
 * `node lab/make-light-pictures.ts`: paints a line drawing and a star field, reduces each to an eighth by stored samples (sharp alone)
 * and by light (the engine), and writes both results side by side: docs/images/light-lines.png and light-stars.png.
 */

const FOLDER = join(import.meta.dirname, '../docs/images')
/** Of a reduced picture, and how many pixels of the painted one become one of it. */
const WIDTH = 300
const HEIGHT = 200
const FACTOR = 8
const GAP = 8

type Colour = readonly [red: number, green: number, blue: number]
type Paint = (x: number, y: number) => Colour

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]

/** Pixels from one line of the engraving to the next: of the wall, and of the ball, whose lines are not upright. */
const WALL = 4
const BALL_LINES = { period: 7, across: 0.47, down: 0.883 } as const
/** Half of white's light, in sRGB. */
const HALF_LIGHT: Colour = [188, 188, 188]
/** Below it the drawing is not hatched, but has one grey. */
const STRIP_AT = HEIGHT * FACTOR * 0.86

/** A ball before a wall, black and white lines only; below it, a strip of the grey that sends as much light as the wall's lines. */
const engraving: Paint = (x, y) => {
  if (y >= STRIP_AT) return HALF_LIGHT
  const { light, lines } = surfaceAt(x, y)
  return lines % 1 < light ? WHITE : BLACK
}

const BALL = { x: WIDTH * FACTOR * 0.5, y: STRIP_AT * 0.5, radius: STRIP_AT * 0.4 } as const

/** The light of a place, 0 to 1, and how many lines lie before it. */
function surfaceAt(x: number, y: number): { readonly light: number; readonly lines: number } {
  const across = (x - BALL.x) / BALL.radius
  const down = (y - BALL.y) / BALL.radius
  const depth = 1 - across * across - down * down
  if (depth <= 0) return { light: 0.5, lines: y / WALL }
  const height = Math.sqrt(depth)
  const lit = Math.max(0, -0.5 * across - 0.55 * down + 0.67 * height)
  return { light: 0.06 + 0.9 * lit, lines: (x * BALL_LINES.across + y * BALL_LINES.down) / BALL_LINES.period }
}

/** A number from 0 to 1 that depends only on its argument. */
function chance(seed: number): number {
  const hash = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b)
  return (Math.imul(hash ^ (hash >>> 13), 0x5bd1e995) >>> 0) / 2 ** 32
}

const STARS = 5_000
const tints: readonly Colour[] = [WHITE, [255, 236, 214], [206, 222, 255], [255, 212, 170]]

/** Stars of one to four pixels a side, most of them small, and more of them along a band. */
function starField(): Paint {
  const width = WIDTH * FACTOR
  const height = HEIGHT * FACTOR
  const sky = new Map<number, Colour>()
  for (let star = 0; star < STARS; star++) {
    const left = Math.floor(chance(star * 5) * width)
    const spread = (chance(star * 5 + 1) + chance(star * 5 + 2) + chance(star * 5 + 3) - 1.5) * height
    const isInBand = star % 4 > 0
    const top = Math.floor(isInBand ? height * 0.75 - left * 0.35 + spread * 0.3 : chance(star * 5 + 4) * height)
    const side = star % 97 === 0 ? 4 : star % 31 === 0 ? 3 : star % 7 === 0 ? 2 : 1
    const tint = tints[Math.floor(chance(star * 7 + 3) * tints.length)] as Colour
    for (let y = top; y < Math.min(height, top + side); y++)
      for (let x = left; x < Math.min(width, left + side); x++) sky.set(y * width + x, tint)
  }
  return (x, y) => sky.get(y * width + x) ?? BLACK
}

function paint(at: Paint): Promise<Buffer> {
  const width = WIDTH * FACTOR
  const height = HEIGHT * FACTOR
  const data = new Uint8Array(width * height * 3)
  for (let y = 0, to = 0; y < height; y++) for (let x = 0; x < width; x++, to += 3) data.set(at(x, y), to)
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

await using mill = await openPixelmill()
for (const [name, at, colours] of [
  ['lines', engraving, 64],
  ['stars', starField(), 16],
] as const) {
  const picture = await paint(at)
  const bySamples = await sharp(picture).resize(WIDTH, HEIGHT).png().toBuffer()
  const { bytes: byLight } = await mill.convert(picture, { width: WIDTH, height: HEIGHT, format: 'png' })
  const file = join(FOLDER, `light-${name}.png`)
  await sharp({ create: { width: 2 * WIDTH + GAP, height: HEIGHT, channels: 3, background: '#808080' } })
    .composite([
      { input: bySamples, left: 0, top: 0 },
      { input: byLight, left: WIDTH + GAP, top: 0 },
    ])
    .png({ palette: true, colours, dither: 0, effort: 10, compressionLevel: 9 })
    .toFile(file)
  console.log(`${file}: ${statSync(file).size} bytes`)
}
