import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { type Judge, judgeOf } from '@pixelmill/vision/likeness/ssimulacra2/ssimulacra2'
import sharp, { type Sharp } from 'sharp'
import { exactResize, type Rgb } from '../../resizing/exact-resize.ts'

/** A picture, and the answers of all servers for it. */
export interface ScoreJob {
  readonly file: string
  readonly answers: readonly Uint8Array[]
}

/** SSIMULACRA2 against Lanczos-3 of the whole picture, computed on its stored samples or on light. */
export interface Score {
  readonly samples: number
  readonly light: number
}

async function rasterOf(pixels: Sharp): Promise<Raster> {
  const { data, info } = await pixels.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

const roundedOf = ({ data, width, height }: Rgb): Raster => ({
  width,
  height,
  channels: 3,
  data: new Uint8Array(Uint8ClampedArray.from(data).buffer),
})

/** One judge for all. Where a server rounds the height differently, the reference has that height. */
export async function scoresOf({ file, answers }: ScoreJob): Promise<readonly Score[]> {
  const source = await rasterOf(sharp(file).autoOrient())
  const judges = new Map<string, Judge>()
  const judgeFor = (width: number, height: number, of: 'samples' | 'light') => {
    const isWhole = width === source.width && height === source.height
    const key = `${width} × ${height} ${isWhole ? '' : of}`
    const judge = judges.get(key) ?? judgeOf([isWhole ? source : roundedOf(exactResize(source, { width, height }, of))])
    judges.set(key, judge)
    return judge
  }
  const scores: Score[] = []
  for (const bytes of answers) {
    const answer = await rasterOf(sharp(bytes))
    const by = (of: 'samples' | 'light') => judgeFor(answer.width, answer.height, of).score([answer])
    const samples = by('samples')
    scores.push({ samples, light: answer.width === source.width ? samples : by('light') })
  }
  return scores
}
