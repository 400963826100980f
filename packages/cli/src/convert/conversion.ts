import type { Engine } from '../engine/engine.ts'
import type { ReportedError } from '../failure.ts'
import type { ResultName } from '../files/result-name.ts'
import type { Sources } from '../files/source.ts'
import type { Target } from '../files/target.ts'
import type { LoadedRecipe } from '../recipe.ts'
import type { Journal } from './journal.ts'

/** What became of one image. */
export interface Outcome {
  readonly source: string
  readonly status: 'done' | 'unchanged' | 'failed'
  /** The place of its results, as users know it. */
  readonly targets: readonly string[]
  readonly inputBytes: number
  readonly outputBytes: number
  readonly ms: number
  readonly error?: ReportedError
}

export interface Conversion {
  readonly sources: Sources
  readonly target: Target
  readonly journal: Journal
  readonly engine: Engine
  readonly recipe: LoadedRecipe
  readonly name: ResultName
  /** Whether files that Pixelmill has not written are replaced. */
  readonly overwrite: boolean
  /** Whether results replace their sources, which are in the target's folder. */
  readonly inPlace: boolean
}
