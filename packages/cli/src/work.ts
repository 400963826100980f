import { createHash } from 'node:crypto'
import { ENGINE } from '@pixelmill/codecs/contract/limits'
import type { BackgroundModel } from '@pixelmill/engine/library/options'
import type { OptimizeOptions } from '@pixelmill/engine/library/types'
import { recipeId } from '@pixelmill/engine/recipe/canonical'
import type { WorkRecipe } from '@pixelmill/engine/recipe/plan'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'

/** What is done to every image of a run. */
export type Work = LoadedRecipe | Optimization | CutOutWork

interface Versioned {
  /** SHA-256 of each further file, in hexadecimal digits. */
  readonly hashes: readonly string[]
  /** Changes when the results would: with the recipe, a further file, or the encoders of a release. */
  readonly version: string
}

/** A recipe with the further files that its steps name. */
export interface LoadedRecipe extends Versioned {
  readonly recipe: Recipe
  /** The files by the names that the steps have, in the order of the steps. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly optimize?: never
  readonly cutOut?: never
}

/** What POST /api/v1/optimize does. */
export interface Optimization extends Versioned {
  /** The recipe that the options mean, from which results get their names and identities. */
  readonly recipe: WorkRecipe
  readonly optimize: OptimizeOptions
  readonly cutOut?: never
}

/** What POST /api/background-remove does. */
export interface CutOutWork extends Versioned {
  /** One output of the format: results get their names from it. */
  readonly recipe: WorkRecipe
  readonly optimize?: never
  readonly cutOut: {
    readonly format: 'png' | 'webp'
    readonly minConfidence: number
    /** Undefined without one, and where a server does the work. */
    readonly model: BackgroundModel | undefined
  }
}

/** @param hashes SHA-256 of each further file */
export const versionOf = (recipe: WorkRecipe, hashes: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([recipeId(recipe), hashes, ENGINE]))
    .digest('hex')
