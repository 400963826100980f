import { type Issue, invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { Size } from '@pixelmill/codecs/pixels/size'
import type { SentStep } from '@pixelmill/engine/recipe/recipe'
import type { StepRow } from '@pixelmill/engine/recipe/step'
import { steps as rows, type StepName } from '@pixelmill/engine/recipe/steps/index'
import type { z } from 'zod'
import { isRefusal } from '../../contract/api-error.ts'

/** A step with the parameters that a recipe would have. */
export type StepInput = { readonly [Name in StepName]?: z.input<(typeof rows)[Name]['params']> }

/** Steps for a picture of known size, and its size after each: those of the engine plan it, so that nothing else computes it. */
export class Sketch {
  readonly #steps: SentStep[] = []
  #canvas: Size & { readonly alpha: boolean; readonly grey: boolean }

  /** @param size as displayed */
  constructor({ width, height }: Size) {
    this.#canvas = { width, height, alpha: false, grey: false }
  }

  get size(): Size {
    return { width: this.#canvas.width, height: this.#canvas.height }
  }

  get steps(): readonly SentStep[] {
    return this.#steps
  }

  /**
   * @param parameter of the URL, which an error names
   * @throws ApiError invalid_params for what the step refuses
   */
  add(parameter: string, step: StepInput): void {
    if (this.#steps.length === limits.recipe.steps)
      throw invalidParam(parameter, 'custom', `Needs more than the ${limits.recipe.steps} steps that a picture may have.`)
    for (const [name, params] of Object.entries(step)) {
      const row: StepRow = rows[name as StepName]
      const read = row.params.safeParse(params)
      if (!read.success) throw invalidParam(parameter, 'custom', read.error.issues.map(({ message }) => message).join(' '))
      this.#canvas = canvasAfter(parameter, () => row.plan(this.#canvas, read.data))
      this.#steps.push({ [name]: read.data } as SentStep)
    }
  }
}

function canvasAfter<Value>(parameter: string, plan: () => Value): Value {
  try {
    return plan()
  } catch (error) {
    if (!(isRefusal(error) && error.issues)) throw error
    throw invalidParam(parameter, 'custom', error.issues.map(({ message }: Issue) => message).join(' '))
  }
}
