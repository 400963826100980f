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

/** A border of one colour that is to be cut off. */
export interface Trim {
  readonly parameter: string
  /** How much a channel may differ, in levels of 255. */
  readonly threshold: number
}

/** A picture for a step, which is drawn of a file of the source. */
export interface Drawing {
  /** By which the step names it. */
  readonly name: string
  readonly path: string
  readonly steps: readonly SentStep[]
}

/** A picture that is laid over another one, in its pixels. */
export interface Mark extends Size {
  readonly path: string
  readonly x: number
  readonly y: number
  /** Percent. */
  readonly opacity: number
}

/** Steps for a picture of known size, and its size after each: those of the engine plan it, so that nothing else computes it. */
export class Sketch {
  readonly #steps: SentStep[] = []
  readonly #drawings: Drawing[] = []
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

  get drawings(): readonly Drawing[] {
    return this.#drawings
  }

  /**
   * Lays a picture at a place. Steps place marks by shares of the picture, these services by pixels: so it is drawn with what separates it
   * from the nearest corner, and no pixel is scaled again.
   */
  lay(parameter: string, mark: Mark): void {
    const canvas = this.size
    const left = Math.max(0, mark.x)
    const top = Math.max(0, mark.y)
    const width = Math.min(mark.x + mark.width, canvas.width) - left
    const height = Math.min(mark.y + mark.height, canvas.height) - top
    if (width < 1 || height < 1) return
    const drawing = new Sketch(mark)
    drawing.add(parameter, { resize: { width: mark.width, height: mark.height, fit: 'fill' } })
    if (width < mark.width || height < mark.height)
      drawing.add(parameter, { crop: { x: left - mark.x, y: top - mark.y, width, height } })
    const across = toEdge(left, width, canvas.width)
    const down = toEdge(top, height, canvas.height)
    drawing.add(parameter, { extend: { left: across.before, right: across.after, top: down.before, bottom: down.after } })
    const name = `mark-${this.#drawings.length}`
    this.#drawings.push({ name, path: mark.path, steps: drawing.steps })
    const position = `${down.isFirst ? 'top' : 'bottom'}-${across.isFirst ? 'left' : 'right'}` as const
    const scale = drawing.size.width / canvas.width
    this.add(parameter, { watermark: { image: name, scale, position, opacity: mark.opacity } })
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

/** What is added to a mark so that it reaches the nearer edge of the canvas, and is wide enough for the step that lays it. */
function toEdge(start: number, length: number, whole: number) {
  const end = whole - start - length
  const isFirst = start <= end
  const toNearer = Math.min(start, end)
  const lacking = Math.max(0, Math.ceil(whole * limits.scale.min) - length - toNearer)
  return { isFirst, before: isFirst ? toNearer : lacking, after: isFirst ? lacking : toNearer }
}

function canvasAfter<Value>(parameter: string, plan: () => Value): Value {
  try {
    return plan()
  } catch (error) {
    if (!(isRefusal(error) && error.issues)) throw error
    throw invalidParam(parameter, 'custom', error.issues.map(({ message }: Issue) => message).join(' '))
  }
}
