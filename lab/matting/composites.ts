import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { addGrain, seededRandom } from '@pixelmill/codecs/test/photographs/random'
import sharp from 'sharp'
import { type Backdrop, photograph, studio } from './backdrops.ts'
import { type CutOut, cutOutsIn, generatedCutOuts } from './cut-outs.ts'

/** A picture like a camera's, and its true alpha. */
export interface Composite {
  readonly subject: string
  readonly backdrop: string
  /** Plain, with gradients or of one texture: the cases that the classical remover is made for. */
  readonly studio: boolean
  readonly jpeg: Buffer
  readonly alpha: Buffer
  readonly width: number
  readonly height: number
}

export type SetName = keyof typeof studio

const sizes = [
  [640, 640],
  [720, 540],
  [540, 720],
] as const

interface Recipe {
  readonly subject: CutOut
  readonly backdrop: string
  readonly studio: boolean
  paint(width: number, height: number, seed: number): Promise<Backdrop>
}

/**
 * Every subject of the set on every kind of backdrop; subjects and photographs alternate between the two sets.
 * @param every keeps only every nth composite
 */
export async function* compositesOf(set: SetName, cutOuts: string, backgrounds: string, every = 1): AsyncGenerator<Composite> {
  const mine = <T>(list: readonly T[]) => list.filter((_, at) => at % 2 === (set === 'tuning' ? 0 : 1))
  const photographs = globSync('*.{jpg,jpeg,png}', { cwd: backgrounds })
    .sort()
    .map((name) => join(backgrounds, name))
  const subjects = [...mine(await cutOutsIn(cutOuts)), ...mine(await generatedCutOuts(photographs.slice(0, MOST_PIECES)))]
  const recipes = subjects.flatMap((subject, at) =>
    // The kinds of backdrop rotate: with every 4, the first subject's first and fifth, the next one's fourth and eighth.
    recipesOf(subject, at, set, mine(photographs)).filter((_, kind) => (at + kind) % every === 0),
  )
  const first = set === 'tuning' ? 1_000 : 9_000
  for (const [at, recipe] of recipes.entries()) {
    const [width, height] = sizes[at % sizes.length] ?? sizes[0]
    yield await compose(recipe, width, height, first + at)
  }
}

/** Photographs from which pieces are cut out. */
const MOST_PIECES = 12

function recipesOf(subject: CutOut, at: number, set: SetName, photographs: readonly string[]): readonly Recipe[] {
  const drawings = Object.entries(studio[set]).map(([backdrop, paint]) => ({
    subject,
    backdrop,
    studio: true,
    paint: async (width: number, height: number, seed: number) => paint(seededRandom(seed), width, height),
  }))
  const onPhotographs = (
    [
      ['blurred photograph', 12],
      ['photograph', 0],
    ] as const
  ).map(([backdrop, blur]) => ({
    subject,
    backdrop,
    studio: false,
    paint: (width: number, height: number) =>
      photograph(photographs[(at + blur) % photographs.length] ?? '', width, height, blur),
  }))
  return [...drawings, ...onPhotographs]
}

/** The soft shadow of a subject on a table; not part of the subject. */
const WITH_SHADOW = new Set(['white', 'sweep'])
const SHADE = 0.4

async function castShadow(behind: Buffer, subject: Buffer, size: Size, left: number, top: number, width: number, height: number) {
  const canvas = sharp({ create: { width, height, channels: 4, background: '#00000000' } })
  const raw = { width: size.width, height: size.height, channels: 4 } as const
  const flat = Math.round(size.height * 0.25)
  const shape = await sharp(subject, { raw }).resize(size.width, flat, { fit: 'fill' }).png().toBuffer()
  const floor = Math.min(height - 1, top + size.height - Math.round(flat * 0.7))
  const subjectPixels = await sharp(shape)
    .extract({ left: 0, top: 0, width: size.width, height: Math.max(1, Math.min(flat, height - floor)) })
    .toBuffer()
  const cast = await canvas
    .composite([{ input: subjectPixels, left, top: floor }])
    .png()
    .toBuffer()
  const shade = await sharp(cast)
    .extractChannel(3)
    .blur(Math.max(3, size.width / 30))
    .raw()
    .toBuffer()
  for (let at = 0; at < behind.length; at++)
    behind[at] = (behind[at] ?? 0) * (1 - (SHADE * (shade[Math.floor(at / 3)] ?? 0)) / 255)
}

/** The subject covers half to nearly all of the shorter side; every fourth one is cut off by the lower edge. */
async function compose(
  { subject, backdrop, studio, paint }: Recipe,
  width: number,
  height: number,
  seed: number,
): Promise<Composite> {
  const behind = await paint(width, height, seed)
  const random = seededRandom(seed * 7)
  const share = 0.5 + random() * 0.38
  const { data, info } = await sharp(subject.bytes)
    .resize(Math.round(width * share), Math.round(height * share), { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const left = Math.round((width - info.width) * (0.3 + random() * 0.4))
  const top =
    seed % 4 === 0 ? height - Math.round(info.height * 0.85) : Math.round((height - info.height) * (0.3 + random() * 0.4))
  if (WITH_SHADOW.has(backdrop)) await castShadow(behind, data, info, left, top, width, height)
  const alpha = Buffer.alloc(width * height)
  for (let y = Math.max(0, top); y < Math.min(height, top + info.height); y++) {
    for (let x = left; x < left + info.width; x++) {
      const from = ((y - top) * info.width + x - left) * 4
      const to = y * width + x
      const opacity = data[from + 3] ?? 0
      alpha[to] = opacity
      for (let c = 0; c < 3; c++)
        behind[to * 3 + c] = Math.round(((data[from + c] ?? 0) * opacity + (behind[to * 3 + c] ?? 0) * (255 - opacity)) / 255)
    }
  }
  addGrain(behind, seed, 2.5)
  const jpeg = await sharp(behind, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
  return { subject: subject.name, backdrop, studio, jpeg, alpha, width, height }
}
