import type { Sharp } from 'sharp'
import type { Attempt, Codec, EncodeSettings, Graded, Levels, OptimizeSettings, Written } from '../codec.ts'
import { limits } from '../contract/limits.ts'
import { imageFormats } from '../image-formats.ts'
import { jxlContainer } from '../metadata/containers/jxl.ts'
import { isManifestInJxl } from '../metadata/manifests.ts'
import { type Curve, type EffortTable, effortFor, onScale, type QualityScale } from '../scales.ts'
import { completedJxl, isJxl, jxlExcess, stripJxl } from './boxes.ts'
import { inEngine, withImages } from './engine.ts'
import { jxlReader } from './reader.ts'
import { jxlTransfer } from './transfer.ts'

/**
 * Effort 3 takes 0.05 s a megapixel; 5 and 7 take 4 to 7 times as long for 6 to 8 % fewer bytes (docs/design/decoders.md), but at equal
 * SSIMULACRA2 for 1 to 3 %; and 1 takes 7 to 12 % more in the same time.
 */
const EFFORT = 3
const optimizeEfforts: EffortTable = [
  [2, 7],
  [8, 5],
  [Infinity, EFFORT],
]

/** Decoding and comparing takes 0.1 s a megapixel. */
const tries: EffortTable = [
  [2, 4],
  [8, 2],
  [Infinity, 1],
]

type Settings = Omit<EncodeSettings, 'quality'>
type Options = { readonly Q: number; readonly effort: number } | { readonly lossless: true; readonly effort: number }

/** Encodes the pixels of a pipeline; with 16 bits a channel if the settings say so. */
async function writeJxl(pixels: Sharp, { animation, deep, icc }: Settings, options: Options): Promise<Written> {
  const raw = pixels.clone().raw({ depth: deep ? 'ushort' : 'uchar' })
  const { data, info } = await raw.toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  const frames = animation ? (animation.delay?.length ?? 1) : 1
  const bytes = await inEngine((engine) =>
    withImages((own) => {
      const format = deep ? engine.BandFormat.ushort : engine.BandFormat.uchar
      const whole = own(engine.Image.newFromMemory(samples, width, height, channels, format))
      const image = own(whole.copy({ interpretation: interpretationOf(channels, deep) }))
      if (animation) {
        image.setInt('page-height', height / frames)
        image.setArrayInt('delay', animation.delay ?? [0])
        image.setInt('loop', animation.loop ?? 0)
      }
      if (icc) image.setBlob('icc-profile-data', icc)
      // libvips would add EXIF of its own.
      return Buffer.from(image.jxlsaveBuffer({ ...options, keep: engine.ForeignKeep.icc }))
    }),
  )
  return { bytes, width, height: height / frames }
}

const interpretationOf = (channels: number, deep = false) => (channels < 3 ? (deep ? 'grey16' : 'b-w') : deep ? 'rgb16' : 'srgb')

/** libvips' Q beside JPEG at 512 px, on six photographs. */
const jxlScale: QualityScale = [
  [1, 1],
  [25, 21],
  [50, 51],
  [60, 58],
  [75, 74],
  [85, 83],
  [89, 86],
  [90, 91],
  [95, 95],
  [100, 99],
]

/** Median SSIMULACRA2 by level of the same photographs: where a search begins. */
const scores: Curve = [
  [1, 28],
  [10, 43],
  [20, 48],
  [30, 60],
  [40, 63],
  [50, 68],
  [60, 72],
  [70, 76],
  [80, 80],
  [90, 88],
  [95, 92],
  [99, 96],
]

const levels: Levels = {
  min: 1,
  max: 99,
  scores,
  tilesBelow: 1,
  of: (quality, { megapixels }) => onScale(jxlScale, quality, megapixels),
  write: (pixels, settings, level) => writeJxl(pixels, settings, { Q: level, effort: EFFORT }),
}

const encodeExactly = (pixels: Sharp, settings: Settings): Promise<Written> =>
  writeJxl(pixels, settings, { lossless: true, effort: EFFORT })

function candidates(pixels: Sharp, settings: OptimizeSettings): readonly Attempt[] {
  const { quality, megapixels } = settings
  const effort = effortFor(optimizeEfforts, megapixels)
  const lossless = () => writeJxl(pixels, settings, { lossless: true, effort })
  if (quality === 100) return [lossless]
  const guess = onScale(jxlScale, quality, megapixels)
  const byLevel: Graded = {
    levels: { min: Math.max(1, guess - 30), guess, max: Math.min(99, guess + 15), step: 4 },
    tries: effortFor(tries, megapixels),
    write: (level) => writeJxl(pixels, settings, { Q: level, effort }),
  }
  return [byLevel]
}

export const jxl: Codec = {
  ...imageFormats.jxl,
  name: 'jxl',
  alpha: true,
  animated: true,
  deep: true,
  maxSide: 65_535,
  // More does not fit the 2 GB of WebAssembly: 30 megapixels were read and written, 34.8 were not.
  maxPixels: 30_000_000,
  matches: isJxl,
  excess: jxlExcess,
  completed: completedJxl,
  reader: jxlReader,
  transferOf: jxlTransfer,
  encode: (pixels, settings) => levels.write(pixels, settings, levels.of(settings.quality ?? limits.quality.default, settings)),
  levels,
  encodeExactly,
  // Whether a file is lossless is deep inside its header; most are not.
  lossy: () => true,
  photographIn: () => true,
  candidates,
  strip: stripJxl,
  cost: { decoding: 0.06, encoding: 0.07, optimizing: 1.5 },
  container: jxlContainer,
  isManifestIn: isManifestInJxl,
  packing: { source: 'jpeg', codec: () => jxlPacked },
}

/** JPEG XL by cjxl, which packs a JPEG without loss. The renderer sends the JPEG. */
export const jxlPacked: Codec = {
  ...jxl,
  finish: 'cjxl',
  async encode() {
    throw new Error('cjxl packs files, not pixels')
  },
}
