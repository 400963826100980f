import { join } from 'node:path'
import sharp from 'sharp'

/** `node lab/make-example.ts`: paints examples/photo.jpg, a lake at dusk, the same in every run. */

const WIDTH = 1600
const HEIGHT = 1067
const HORIZON = 640
const RIDGES = [
  { base: 520, height: 150, wave: 620, shade: [104, 98, 132] },
  { base: 580, height: 120, wave: 380, shade: [68, 66, 100] },
  { base: 632, height: 80, wave: 210, shade: [34, 37, 62] },
] as const

type Colour = readonly [number, number, number]
const mix = (a: Colour, b: Colour, t: number): Colour => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
]

/** A number from 0 to 1 that depends only on its arguments. */
function chance(x: number, y: number): number {
  const hash = Math.imul(x * 374_761_393 + y * 668_265_263, 1_274_126_177)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/** Value noise in one dimension, smooth between whole numbers, summed over five octaves. */
function rough(x: number, seed: number): number {
  let sum = 0
  for (let octave = 0; octave < 5; octave++) {
    const at = x * 2 ** octave
    const t = at - Math.floor(at)
    const smooth = t * t * (3 - 2 * t)
    sum +=
      (chance(Math.floor(at), seed + octave) * (1 - smooth) + chance(Math.floor(at) + 1, seed + octave) * smooth) / 2 ** octave
  }
  return sum / 2
}

function sky(x: number, y: number): Colour {
  const t = Math.min(1, Math.max(0, y / HORIZON))
  const base = t < 0.55 ? mix([38, 54, 104], [128, 108, 150], t / 0.55) : mix([128, 108, 150], [255, 178, 112], (t - 0.55) / 0.45)
  const glow = Math.exp(-(((x - 1040) / 330) ** 2) - ((y - 560) / 190) ** 2)
  return mix(base, [255, 226, 170], glow * 0.85)
}

function land(x: number, y: number): Colour {
  let colour = sky(x, y)
  for (const [index, { base, height, wave, shade }] of RIDGES.entries()) {
    const crest = base - height * rough(x / wave, index * 17 + 3)
    if (y > crest) colour = mix(shade, sky(x, HORIZON), Math.max(0, 0.35 - index * 0.12) + ((y - crest) / HORIZON) * 0.4)
  }
  return colour
}

/** Below the horizon the scene is mirrored, darkened, and distorted by small waves. */
function scene(x: number, y: number): Colour {
  if (y < HORIZON) return land(x, y)
  const depth = (y - HORIZON) / (HEIGHT - HORIZON)
  const shake = Math.sin(y * (0.9 - depth * 0.6) + rough(x / 90, 91) * 7) * (1 + depth * 9)
  const reflection = land(x + shake, HORIZON - (y - HORIZON) * 1.25 + shake)
  return mix(reflection, [18, 26, 52], 0.25 + depth * 0.4)
}

const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
for (let y = 0; y < HEIGHT; y++) {
  for (let x = 0; x < WIDTH; x++) {
    const grain = (chance(x, y + 5_000) - 0.5) * 9
    const vignette = 1 - 0.32 * ((x / WIDTH - 0.5) ** 2 + (y / HEIGHT - 0.5) ** 2)
    for (const [channel, value] of scene(x, y).entries()) {
      pixels[(y * WIDTH + x) * 3 + channel] = Math.min(255, Math.max(0, value * vignette + grain))
    }
  }
}
await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
  .withExif({ IFD0: { Copyright: 'Pixelmill, MIT' } })
  .jpeg({ quality: 88, mozjpeg: true })
  .toFile(join(import.meta.dirname, '../examples/photo.jpg'))
