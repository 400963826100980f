import type { Engine } from '../engine/engine.ts'
import type { ReportedError } from '../failure.ts'
import type { ResultName } from '../files/result-name.ts'
import type { Sources } from '../files/source.ts'
import type { Target } from '../files/target.ts'
import type { Work } from '../work.ts'
import type { Journal } from './journal.ts'

/** A result that exists. */
export interface ResultFacts {
  /** Its path below the target, divided by `/`. */
  readonly path: string
  readonly width: number
  readonly height: number
}

/** What became of one image. */
export interface Outcome {
  readonly source: string
  readonly status: 'done' | 'unchanged' | 'failed'
  /** The place of its results, as users know it. */
  readonly targets: readonly string[]
  /** The results, if it is not failed. */
  readonly results: readonly ResultFacts[]
  readonly inputBytes: number
  readonly outputBytes: number
  readonly ms: number
  /** A result is the file as it came. */
  readonly keptSource?: true
  readonly error?: ReportedError
}

export interface Conversion {
  readonly sources: Sources
  readonly target: Target
  readonly journal: Journal
  readonly engine: Engine
  readonly work: Work
  readonly name: ResultName
  /** Whether files that Pixelmill has not written are replaced. */
  readonly overwrite: boolean
  /** Whether results replace their sources, which are in the target's folder. */
  readonly inPlace: boolean
  /** Whether results get the time of the last change of their sources. */
  readonly keepsTimes?: boolean
  /** Whether the sizes of results have to be known, of unchanged ones too. */
  readonly needsSizes?: boolean
}
