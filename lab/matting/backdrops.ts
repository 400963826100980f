import sharp from 'sharp'

/** The background of a composite: RGB in rows. */
export type Backdrop = Buffer
type Random = () => number
type Colour = readonly [number, number, number]

const colour = (random: Random, from: number, to: number): Colour => {
  const shade = from + random() * (to - from)
  const tint = () => Math.max(0, Math.min(255, shade + (random() - 0.5) * 90))
  return [tint(), tint(), tint()]
}

function paint(width: number, height: number, shade: (x: number, y: number) => Colour): Backdrop {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) for (const value of shade(x, y)) data[at++] = Math.max(0, Math.min(255, value))
  }
  return data
}

/** Random values on a grid with cells of this many pixels, smooth between them: 0–1. */
function noise(random: Random, width: number, height: number, across: number, down = across): (x: number, y: number) => number {
  const columns = Math.ceil(width / across) + 2
  const grid = Float32Array.from({ length: columns * (Math.ceil(height / down) + 2) }, random)
  const ease = (t: number) => t * t * (3 - 2 * t)
  return (x, y) => {
    const u = x / across
    const v = y / down
    const left = Math.floor(u)
    const top = Math.floor(v)
    const at = top * columns + left
    const s = ease(u - left)
    const t = ease(v - top)
    const a = grid[at] ?? 0
    const b = grid[at + 1] ?? 0
    const c = grid[at + columns] ?? 0
    const d = grid[at + columns + 1] ?? 0
    return (a + (b - a) * s) * (1 - t) + (c + (d - c) * s) * t
  }
}

const times = ([r, g, b]: Colour, factor: number): Colour => [r * factor, g * factor, b * factor]
const between = (a: Colour, b: Colour, t: number): Colour => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
]

type Paint = (random: Random, width: number, height: number) => Backdrop

const white: Paint = (random, width, height) => {
  const level = 244 + random() * 10
  const fall = random() * 14
  return paint(width, height, (x, y) => {
    const value = level - fall * ((2 * x) / width - 1) ** 2 - fall * ((2 * y) / height - 1) ** 2
    return [value, value, value]
  })
}

const plain: Paint = (random, width, height) => {
  const base = colour(random, 40, 215)
  return paint(width, height, (_, y) => times(base, 1.04 - (0.08 * y) / height))
}

const linear: Paint = (random, width, height) => {
  const from = colour(random, 40, 130)
  const to = colour(random, 130, 230)
  const angle = random() * 2 * Math.PI
  const dx = Math.cos(angle)
  const dy = Math.sin(angle)
  return paint(width, height, (x, y) =>
    between(from, to, 0.5 + 0.5 * ((x / width - 0.5) * dx + (y / height - 0.5) * dy) * Math.SQRT2),
  )
}

const radial: Paint = (random, width, height) => {
  const middle = colour(random, 120, 235)
  const rim = colour(random, 30, 120)
  return paint(width, height, (x, y) => between(middle, rim, Math.min(1, Math.hypot(x / width - 0.5, y / height - 0.45) * 1.3)))
}

/** A table in front of a wall, with a soft edge between them. */
const sweep: Paint = (random, width, height) => {
  const wall = colour(random, 120, 220)
  const table = colour(random, 120, 220)
  const edge = 0.6 + random() * 0.2
  return paint(width, height, (_, y) => between(wall, table, 1 / (1 + Math.exp(-(y / height - edge) * 16))))
}

const bricks: Paint = (random, width, height) => {
  const brick = colour(random, 90, 140)
  const mortar = colour(random, 150, 200)
  const grain = noise(random, width, height, 4)
  const tone = noise(random, width, height, 70, 34)
  return paint(width, height, (x, y) => {
    const brickX = x + (Math.floor(y / 34) % 2) * 35
    const joint = y % 34 < 4 || brickX % 70 < 4
    return times(joint ? mortar : brick, 0.75 + 0.25 * grain(x, y) + 0.25 * tone(x, y))
  })
}

const grass: Paint = (random, width, height) => {
  const dark = [35, 60, 20] as Colour
  const light = [140, 175, 75] as Colour
  const blade = noise(random, width, height, 3, 11)
  const patch = noise(random, width, height, 60)
  return paint(width, height, (x, y) => between(dark, light, 0.75 * blade(x, y) + 0.25 * patch(x, y)))
}

const gravel: Paint = (random, width, height) => {
  const dark = colour(random, 60, 100)
  const light = colour(random, 150, 200)
  const coarse = noise(random, width, height, 9)
  const fine = noise(random, width, height, 4)
  return paint(width, height, (x, y) => between(dark, light, 0.65 * coarse(x, y) + 0.35 * fine(x, y)))
}

const wood: Paint = (random, width, height) => {
  const dark = [95, 60, 35] as Colour
  const light = [190, 140, 90] as Colour
  const warp = noise(random, width, height, 160, 40)
  const fibre = noise(random, width, height, 120, 3)
  return paint(width, height, (x, y) => between(dark, light, 0.35 + 0.25 * Math.sin(y / 9 + 7 * warp(x, y)) + 0.4 * fibre(x, y)))
}

const fabric: Paint = (random, width, height) => {
  const base = colour(random, 70, 190)
  const fold = noise(random, width, height, 150)
  const grain = noise(random, width, height, 3)
  return paint(width, height, (x, y) => {
    const weave = ((x >> 1) + (y >> 1)) % 4 < 2 ? 1.08 : 0.9
    return times(base, weave * (0.78 + 0.3 * fold(x, y) + 0.16 * grain(x, y)))
  })
}

/** Textures differ between the two sets, so that none is recognised by its parameters. */
export const studio = {
  tuning: { white, plain, linear, sweep, bricks, grass },
  'held out': { white, plain, radial, sweep, gravel, wood, fabric },
} as const

/** A photograph as the backdrop, more or less out of focus. */
export async function photograph(file: string, width: number, height: number, blur: number): Promise<Backdrop> {
  const resizedPhotograph = sharp(file).autoOrient().resize(width, height, { fit: 'cover' }).removeAlpha().toColourspace('srgb')
  return (blur ? resizedPhotograph.blur(blur) : resizedPhotograph).raw().toBuffer()
}
