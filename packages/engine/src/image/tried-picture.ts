import type { Codec, EncodeSettings, Mode, Written } from '@pixelmill/codecs/codec'
import { type DecodedImage, decodeToMemory, pipelineOfRaster } from '@pixelmill/codecs/pixels/decoded-image'
import { release } from '@pixelmill/codecs/pixels/release'
import { judgeOfPicture, type PictureJudge, type Sample, sampleOf } from '@pixelmill/vision/likeness/tiles'
import type { Sharp } from 'sharp'
import type { EncodeJob } from './encode.ts'
import type { ScoredLevel } from './next-level.ts'
import { writtenRaster } from './written-raster.ts'

/** A file at a level, and its score. */
export interface Trial extends ScoredLevel {
  readonly file: Written
}

/** A picture in memory, and its encodings, of which each is written and scored once. Its memory is given back at the end. */
export class TriedPicture implements Disposable {
  readonly settings: EncodeSettings
  readonly #job: EncodeJob
  readonly #decodedImage: DecodedImage
  readonly #sample: Sample
  #judge: PictureJudge | undefined
  /** Files and samples by level, for each mode. */
  readonly #files = new Map<Mode, Map<number, Promise<Trial>>>()
  readonly #samples = new Map<Mode, Map<number, Promise<Trial>>>()

  /** Decodes a picture into memory. */
  static async open(job: EncodeJob, sampleTiles: number): Promise<TriedPicture> {
    const { codec, frames, header, grey, alpha = header.alpha } = job
    const shownHeader = { ...header, grey, alpha: alpha && codec.alpha }
    return new TriedPicture(job, await decodeToMemory(job.pixels.clone(), { frames, header: shownHeader }), sampleTiles)
  }

  constructor(job: EncodeJob, decodedImage: DecodedImage, sampleTiles: number) {
    this.#job = job
    this.settings = job.settings
    this.#decodedImage = decodedImage
    this.#sample = sampleOf(decodedImage.raster, sampleTiles, job.frames)
  }

  get codec(): Codec {
    return this.#job.codec
  }

  /** Of the picture's pixels that the sample has; a small picture is its own sample. */
  get share(): number {
    return this.#sample.share
  }

  /** A new pipeline of the whole picture. 16 bits a channel are not in memory. */
  pixels(): Sharp {
    const { codec, pixels } = this.#job
    return codec.deep ? pixels.clone() : this.#decodedImage.pixels()
  }

  trySample(mode: Mode, level: number): Promise<Trial> {
    if (this.share === 1) return this.tryFile(mode, level)
    return once(this.#samples, mode, level, async () => {
      const file = await this.writeSample(mode, level)
      const { icc } = this.settings
      const raster = await writtenRaster(file.bytes, this.codec, { frames: 1, delays: [], keepsColours: icc !== undefined })
      if (!raster) throw new Error('a still without a frame')
      const score = Math.min(100, this.#sample.score(raster) + (this.codec.levels?.tilesBelow ?? 0))
      release(raster)
      return { level, file, score }
    })
  }

  /** The sample is a still, also of an animation. */
  writeSample({ write }: Pick<Mode, 'write'>, level: number): Promise<Written> {
    return write(pipelineOfRaster(this.#sample.stacked), { ...this.settings, animation: undefined }, level)
  }

  tryFile(mode: Mode, level: number): Promise<Trial> {
    return once(this.#files, mode, level, async () => {
      const file = await mode.write(this.pixels(), this.settings, level)
      return { level, file, score: (await this.score(file)) ?? (await this.trySample(mode, level)).score }
    })
  }

  /** SSIMULACRA2 of a file of the whole picture; undefined of an animation whose frames do not correspond. */
  async score({ bytes }: Written): Promise<number | undefined> {
    const { frames, header } = this.#job
    const delays = this.settings.animation?.delay ?? header.delay ?? []
    const raster = await writtenRaster(bytes, this.codec, { frames, delays, keepsColours: this.settings.icc !== undefined })
    if (!raster) return undefined
    const score = this.#judgeOnce().score(raster)
    release(raster)
    return score
  }

  [Symbol.dispose](): void {
    this.#sample[Symbol.dispose]()
    if (this.#judge !== this.#sample) this.#judge?.[Symbol.dispose]()
    release(this.#decodedImage.raster)
  }

  #judgeOnce(): PictureJudge {
    this.#judge ??= this.share === 1 ? this.#sample : judgeOfPicture(this.#decodedImage.raster, this.#job.frames)
    return this.#judge
  }
}

function once(
  trials: Map<Mode, Map<number, Promise<Trial>>>,
  mode: Mode,
  level: number,
  attempt: () => Promise<Trial>,
): Promise<Trial> {
  const ofMode = trials.get(mode) ?? new Map<number, Promise<Trial>>()
  trials.set(mode, ofMode)
  const trial = ofMode.get(level) ?? attempt()
  ofMode.set(level, trial)
  return trial
}
