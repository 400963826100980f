import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { addGrain, seededRandom } from './random.ts'

const width = 1792
const height = 1152

/**
 * Random shades, mostly grey as in photographs, on a grid with that many columns, smoothly enlarged: one octave of the picture.
 */
const octave = async (columns: number, random: () => number) => {
  const rows = Math.round((columns * height) / width)
  const grid = new Uint8Array(columns * rows * 3)
  for (let at = 0; at < grid.length; at += 3) {
    const light = 40 + 175 * random()
    for (let channel = 0; channel < 3; channel++) grid[at + channel] = light + 60 * (random() - 0.5)
  }
  const raw = { width: columns, height: rows, channels: 3 } as const
  return sharp(grid, { raw }).resize(width, height, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer()
}

/** The detail of photographs falls off as 1/f: halving the weight as the grid doubles gives that. */
async function clouds(random: () => number): Promise<Uint8Array> {
  const picture = new Float32Array(width * height * 3)
  let weight = 0.5
  for (let columns = 6; columns < width; columns *= 2, weight /= 2) {
    const layer = await octave(columns, random)
    for (let i = 0; i < picture.length; i++) picture[i] = (picture[i] ?? 0) + weight * ((layer[i] ?? 0) - 128)
  }
  return Uint8Array.from(picture, (value) => Math.max(0, Math.min(255, 128 + 1.6 * value)))
}

/** Hard edges of objects, which cost an encoder more than clouds. */
function shapes(random: () => number): Buffer {
  const shape = () => {
    const [x, y, w, h, turn, hue, light] = [width, height, width / 4, height / 4, 90, 360, 100].map((most) =>
      Math.round(most * random()),
    )
    const paint = `fill="hsl(${hue} 40% ${light}%)" fill-opacity="0.7" transform="rotate(${turn} ${x} ${y})"`
    return random() < 0.5
      ? `<ellipse cx="${x}" cy="${y}" rx="${w}" ry="${h}" ${paint}/>`
      : `<rect x="${x}" y="${y}" width="${w}" height="${h}" ${paint}/>`
  }
  const drawing = Array.from({ length: 24 }, shape).join('')
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawing}</svg>`)
}

async function drawPhotograph(file: string, seed: number): Promise<void> {
  const random = seededRandom(seed)
  const raw = { width, height, channels: 3 } as const
  const scene = sharp(await clouds(random), { raw }).composite([{ input: shapes(random) }])
  const samples = await scene.removeAlpha().blur(0.7).raw().toBuffer()
  addGrain(samples, seed, 2.5)
  await sharp(samples, { raw }).jpeg({ quality: 90 }).toFile(file)
}

/** Draws missing pictures. */
export async function drawPhotographs(folder: string, count: number): Promise<void> {
  for (let seed = 1; seed <= count; seed++) {
    const file = join(folder, `drawn-${String(seed).padStart(2, '0')}.jpg`)
    if (!existsSync(file)) await drawPhotograph(file, seed)
  }
}
