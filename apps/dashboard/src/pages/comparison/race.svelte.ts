import { type ApiFailure, asFailure } from '../../api/api-failure.ts'
import { type CompressSettings, fingerprintOf as keyOf } from '../compress/settings.ts'
import type { Encode, Encodes } from './encodes.svelte.ts'

/** The formats of a race, in the order in which they start. PNG has no score to reach: it is lossless. */
export const raceFormats = [
  { format: 'avif', name: 'AVIF' },
  { format: 'webp', name: 'WebP' },
  { format: 'jxl', name: 'JPEG XL' },
  { format: 'jpeg', name: 'JPEG' },
  { format: 'png', name: 'PNG' },
] as const

/** SSIMULACRA2 scores to race at. */
export const raceScores = ['60', '75', '90'] as const
export type RaceScore = (typeof raceScores)[number]

/** A score this far below the one that was asked for is not said to miss it. */
const TOLERANCE = 2

/** A format in the race. */
export interface Runner {
  readonly format: (typeof raceFormats)[number]['format']
  readonly name: string
  readonly settings: CompressSettings
  readonly encode: Encode | undefined
  readonly failure: ApiFailure | undefined
  readonly isRunning: boolean
  /** What is to be known before it is taken: "lossless", "larger than the original". */
  readonly remarks: readonly string[]
}

/** The same picture in every format at an equal score, one after the other, so that their times can be compared. */
export class Race {
  score = $state<RaceScore>('75')
  #runningKey = $state<string>()
  #failures = $state.raw<Readonly<Record<string, ApiFailure>>>({})
  readonly #encodes: Encodes
  readonly #ending = new AbortController()

  /** The smallest first; then those that have no result yet. */
  readonly runners: readonly Runner[] = $derived.by(() =>
    raceFormats.map((row) => this.#runner(row)).sort((one, other) => bytesOf(one) - bytesOf(other)),
  )
  /** The smallest of those that reach the score and save bytes. */
  readonly winner = $derived(
    this.runners.find(({ encode }) => encode && encode.blob.size < this.#encodes.original.size && this.#reaches(encode)),
  )
  readonly isRunning = $derived(this.#runningKey !== undefined)
  /** How many calls it takes: what was encoded before is not encoded again. */
  readonly calls = $derived(this.runners.filter(({ encode }) => !encode).length)

  /** It shares the life of the component that creates it. */
  constructor(encodes: Encodes) {
    this.#encodes = encodes
    $effect(() => () => this.#ending.abort())
  }

  readonly run = async (): Promise<void> => {
    if (this.isRunning) return
    this.#failures = {}
    for (const { settings } of raceFormats.map((row) => this.#runner(row))) {
      if (this.#ending.signal.aborted) break
      const key = keyOf(settings)
      this.#runningKey = key
      try {
        await this.#encodes.make(settings, this.#ending.signal)
      } catch (error) {
        if (!this.#ending.signal.aborted) this.#failures = { ...this.#failures, [key]: asFailure(error) }
      }
    }
    this.#runningKey = undefined
  }

  #runner({ format, name }: (typeof raceFormats)[number]): Runner {
    const settings: CompressSettings = { ...this.#encodes.settings, format, target: 'look', score: Number(this.score) }
    const key = keyOf(settings)
    const encode = this.#encodes.encodeOf(settings)
    return {
      format,
      name,
      settings,
      encode,
      failure: this.#failures[key],
      isRunning: this.#runningKey === key,
      remarks: encode ? this.#remarks(format, encode) : [],
    }
  }

  #reaches({ score }: Encode): boolean {
    return score === undefined || score >= Number(this.score) - TOLERANCE
  }

  #remarks(format: Runner['format'], encode: Encode): readonly string[] {
    return [
      ...(format === 'png' ? ['lossless'] : []),
      ...(this.#reaches(encode) ? [] : [`reaches only ${Math.round(encode.score ?? 0)}`]),
      ...(encode.blob.size >= this.#encodes.original.size ? ['not smaller than the original'] : []),
      ...(encode.picture ? [] : ['not shown by this browser']),
    ]
  }
}

const bytesOf = ({ encode, failure }: Runner): number =>
  encode?.blob.size ?? (failure ? Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER - 1)
