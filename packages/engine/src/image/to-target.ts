import type { Codec, Levels, Mode, Written } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import type { Encoded, EncodeJob } from './encode.ts'
import { fallsShort, LevelSearch, type Prediction, type ScoredFile } from './level-search.ts'
import { TriedPicture } from './tried-picture.ts'
import { type SizedLevels, withinBytes } from './within-bytes.ts'

/** What the answer has to reach, instead of an encoder's setting. At least one of the first two is present. */
export interface Target {
  /** SSIMULACRA2. */
  readonly visualQuality?: number | undefined
  readonly maxBytes?: number | undefined
  /** With `maxBytes`: the highest quality to send. */
  readonly quality?: number | undefined
  /** Bytes of metadata that are added to the file afterwards, and count too. */
  readonly beside?: number
}

/** Tiles on which levels are tried before the first file is written: more would cost more than the files that they save. */
const SAMPLE_TILES = 16

/**
 * Encodes with the settings of `encode`, at the level that reaches the target. The score is that of the file.
 * @throws ImageError cannot_fit
 */
export async function encodeToTarget(job: EncodeJob, target: Target): Promise<Encoded> {
  using encoder = await openTargetEncoder(job, SAMPLE_TILES)
  const { visualQuality } = target
  return await encoder.encode(target, visualQuality === undefined ? undefined : await encoder.predict(visualQuality))
}

/** Decodes the picture into memory, and samples it. */
export async function openTargetEncoder(job: EncodeJob, sampleTiles: number): Promise<TargetEncoder> {
  const { levels } = job.codec
  if (!levels) throw new Error(`${job.codec.name} has no levels to search`)
  return new TargetEncoder(await TriedPicture.open(job, sampleTiles), levels)
}

/** Writes a picture to a target. */
export class TargetEncoder implements Disposable {
  readonly #picture: TriedPicture
  readonly #levels: Levels
  readonly #search: LevelSearch

  constructor(picture: TriedPicture, levels: Levels) {
    this.#picture = picture
    this.#levels = levels
    this.#search = new LevelSearch(picture, levels)
  }

  [Symbol.dispose](): void {
    this.#picture[Symbol.dispose]()
  }

  get codec(): Codec {
    return this.#picture.codec
  }

  /** Whether a score can be asked for; other formats are lossless at their highest level. */
  get hasScores(): boolean {
    return this.#levels.scores !== undefined
  }

  /** Where the sample reaches a score. */
  predict(visualQuality: number): Promise<Prediction> {
    return this.#search.predict(visualQuality)
  }

  /** The estimated size of the whole file without loss. */
  async estimateExactBytes(): Promise<number> {
    return (await this.#picture.writeSample(this.#levels, this.#levels.max)).bytes.length / this.#picture.share
  }

  /** The whole picture without loss, where the highest level is lossless. */
  async encodeExactly(): Promise<Encoded> {
    const { codec, settings } = this.#picture
    return { ...(await codec.encode(this.#picture.pixels(), { ...settings, quality: undefined })), codec, score: 100 }
  }

  /**
   * The file that reaches a target.
   * @param prediction of `visualQuality`
   * @throws ImageError cannot_fit
   */
  async encode(target: Target, prediction: Prediction | undefined): Promise<Encoded> {
    const { visualQuality, maxBytes = Number.POSITIVE_INFINITY, quality, beside = 0 } = target
    const { codec, settings } = this.#picture
    const reachedFile =
      prediction && visualQuality !== undefined ? await this.#search.reach(visualQuality, prediction) : undefined
    const isShort = reachedFile !== undefined && fallsShort(reachedFile.score, visualQuality ?? 0)
    // A picture of few colours is often smaller without loss; and the highest level of WebP does not reach every score.
    const mayBeExact = codec.encodeExactly && quality === undefined && (settings.fewColours || isShort)
    const exact = mayBeExact ? await codec.encodeExactly?.(this.#picture.pixels(), settings) : undefined
    const fits = ({ bytes }: Written) => bytes.length + beside <= maxBytes
    if (exact && fits(exact)) {
      const isPreferred = isShort || !reachedFile || exact.bytes.length <= reachedFile.file.bytes.length
      if (isPreferred) return { ...exact, codec, score: 100 }
    }
    if (reachedFile && fits(reachedFile.file)) return this.#encodedOf(reachedFile.file, reachedFile.score)
    const file = await this.#writeWithin(maxBytes, beside, quality, reachedFile)
    return this.#encodedOf(file, await this.#picture.score(file))
  }

  /** The best file that fits, below the level that reaches a score, or below the level of a quality. */
  async #writeWithin(
    maxBytes: number,
    beside: number,
    quality: number | undefined,
    reachedFile: ScoredFile | undefined,
  ): Promise<Written> {
    const highest = quality === undefined ? this.#levels.max : this.#levels.of(quality, this.#picture.settings)
    const { mode, level } = reachedFile ?? { mode: this.#levels, level: highest }
    const isFirstMode = mode.write === this.#levels.write
    return withinBytes(maxBytes, beside, this.#sizedLevels(mode, level)).catch((error: unknown) => {
      if (isFirstMode || !(error instanceof ImageError) || error.code !== 'cannot_fit') throw error
      return withinBytes(maxBytes, beside, this.#sizedLevels(this.#levels, level))
    })
  }

  #sizedLevels(mode: Pick<Mode, 'min' | 'write'>, max: number): SizedLevels {
    return {
      min: mode.min,
      max,
      share: this.#picture.share,
      bytesOfSample: async (level) => (await this.#picture.writeSample(mode, level)).bytes.length,
      write: (level) => mode.write(this.#picture.pixels(), this.#picture.settings, level),
    }
  }

  #encodedOf(file: Written, score: number | undefined): Encoded {
    return { ...file, codec: this.#picture.codec, ...(score !== undefined && { score }) }
  }
}
