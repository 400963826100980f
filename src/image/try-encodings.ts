import type { Codec } from '../codecs/codec.ts'
import { type EffortTable, effortFor } from '../codecs/effort.ts'
import { codecs } from '../codecs/index.ts'
import { encode, prepare, settingsFor } from './encode.ts'
import { megapixels } from './header.ts'
import type { Likeness } from './likeness.ts'
import type { Image } from './open.ts'
import type { Size } from './size.ts'
import type { Held } from './strip.ts'

type Format = Codec['name']

/** A picture at the size at which it is to be written, and what was found out about it. */
interface Sitter {
  readonly image: Image
  readonly size: Size
  readonly held: Held
  readonly likeness: Likeness
  readonly transparent: boolean
  readonly drawn: boolean
  readonly lossy: boolean
  readonly hasMore: boolean
}

interface Wishes {
  readonly quality: number
  readonly lossy: readonly Format[]
  readonly exact: readonly Format[]
  readonly exactOf: 'all' | 'drawn'
  readonly seconds: number
}

/** A format at a quality, or without loss. */
interface Encoding {
  readonly codec: Codec
  readonly exact: boolean
}

export interface Tried {
  readonly format: Format
  readonly quality: number | null
  readonly exact: boolean
  readonly bytes: number
  readonly ssim: number
}

/** Milliseconds of CPU that a megapixel takes at most, by megapixels, as `encode` chooses its effort. */
const costs: { readonly [Name in Format]?: EffortTable } = {
  jpeg: [[Infinity, 25]],
  webp: [[Infinity, 80]],
  avif: [
    [1, 800],
    [16, 420],
    [Infinity, 140],
  ],
  gif: [[Infinity, 600]],
}
/** Without loss what is drawn takes half of this, or less. */
const exactCosts: { readonly [Name in Format]?: EffortTable } = {
  png: [[Infinity, 60]],
  webp: [[Infinity, 900]],
}
const DRAWN_SHARE = 0.5
/** Of decoding and comparing, which is done of so many megapixels at most. */
const COMPARING_MS = 100
const COMPARED_MEGAPIXELS = 8

const DEAR: EffortTable = [[Infinity, 1_000]]

function secondsFor({ codec, exact }: Encoding, size: number, drawn: boolean): number {
  const perMegapixel = effortFor((exact ? exactCosts : costs)[codec.name] ?? DEAR, size) * (exact && drawn ? DRAWN_SHARE : 1)
  return (perMegapixel * size + COMPARING_MS * Math.min(size, COMPARED_MEGAPIXELS)) / 1_000
}

/** Writes the picture in the formats that can hold it, as far as there is time. @param began from process.cpuUsage() */
export async function tryEncodings(sitter: Sitter, wishes: Wishes, began: NodeJS.CpuUsage) {
  const { size, image } = sitter
  const heft = megapixels(size.width, size.height, image.frames)
  const encodings = suitable(sitter, wishes)
  const pieces = encodings.map((encoding) => ({
    seconds: secondsFor(encoding, heft, sitter.drawn),
    work: () => tryOne(sitter, encoding, wishes.quality),
  }))
  const results = await withinTime(pieces, wishes.seconds, () => cpuSeconds(began))
  return {
    tried: results.filter((result) => result !== undefined),
    leftOut: encodings.filter((_, index) => results[index] === undefined).map(({ codec }) => codec.name),
  }
}

function cpuSeconds(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1e6
}

/** Nothing that would lose transparency, movement or the pages behind the first; and what was lossy once is not kept without loss. */
function suitable(sitter: Sitter, { lossy, exact, exactOf }: Wishes): readonly Encoding[] {
  const { size, image, transparent, drawn, hasMore } = sitter
  if (hasMore) return []
  const moves = image.frames > 1
  const holds = (codec: Codec) =>
    (codec.alpha || !transparent) &&
    (moves ? codec.animated : codec !== codecs.gif) &&
    Math.max(size.width, size.height) <= codec.maxSide
  const encodings = (names: readonly Format[], exact: boolean): readonly Encoding[] =>
    names.map((name) => ({ codec: codecs[name], exact })).filter(({ codec }) => holds(codec))
  const withLoss = encodings(lossy, false)
  const without = encodings(exact, true).filter(({ codec }) => codec.encodeExactly)
  // One is enough to show what it would cost.
  if (sitter.lossy) return withLoss.length > 0 ? withLoss : without.slice(0, 1)
  // What is likely to be chosen comes first, should there be no time for all.
  return exactOf === 'all' || drawn || withLoss.length === 0 ? [...without, ...withLoss] : withLoss
}

async function tryOne({ image, size, held, likeness }: Sitter, { codec, exact }: Encoding, quality: number): Promise<Tried> {
  const { header, frames } = image
  const asked = exact ? undefined : quality
  const edited = { pixels: held.pixels(), codec, quality: asked, ...size, frames, header, grey: header.grey, keepDepth: false }
  const { bytes } =
    exact && codec.encodeExactly ? await codec.encodeExactly(prepare(edited), settingsFor(edited)) : await encode(edited)
  const hasQuality = !exact && codec !== codecs.gif
  return {
    format: codec.name,
    quality: hasQuality ? quality : null,
    exact,
    bytes: bytes.length,
    ssim: await likeness.of(bytes, codec),
  }
}

/** Something that can be left out, and what it is expected to take. */
export interface Piece<Result> {
  readonly seconds: number
  work(): Promise<Result>
}

/**
 * Does one after the other what there is time for: the first in any case, then what is expected to end in time, on a machine
 * as fast or slow as the pieces before have shown. What was left out is undefined.
 * @param clock seconds that have passed, on the clock by which `most` is meant
 */
export async function withinTime<Result>(
  pieces: readonly Piece<Result>[],
  most: number,
  clock: () => number,
): Promise<readonly (Result | undefined)[]> {
  const results: (Result | undefined)[] = []
  let [expected, taken] = [0, 0]
  for (const { seconds, work } of pieces) {
    const began = clock()
    const pace = expected > 0 ? taken / expected : 1
    if (results.length > 0 && began + seconds * pace > most) {
      results.push(undefined)
      continue
    }
    results.push(await work())
    expected += seconds
    taken += clock() - began
  }
  return results
}
