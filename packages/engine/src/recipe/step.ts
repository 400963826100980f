import type { Placement } from '@pixelmill/codecs/hdr/placement'
import type { Sharp } from 'sharp'
import type { z } from 'zod'
import type { Canvas, Picture, Stage } from './picture.ts'

/** What a step knows besides its picture. */
export interface Context {
  /** The picture after the step, as planned. */
  readonly after: Canvas
  /** Whether an output can hold transparency: else a background is white. */
  readonly transparent: boolean
  /** Whether an output keeps 16 bits a channel. */
  readonly deep: boolean
  /** The bytes of a further file of the request. */
  file(name: string): Buffer
}

/** What was done to a picture, as a manifest says it (C2PA 2.2, 18.15). */
export interface Action {
  readonly action: string
  readonly description?: string
  readonly digitalSourceType?: string
}

/** A row of the table: one kind of step of a recipe. */
export interface StepRow<Params extends z.ZodType = z.ZodType> {
  /** Its name in a form, in one to three words. */
  readonly label: string
  readonly summary: string
  readonly params: Params
  /** Parameters with which it changes a photograph of 120 × 80 pixels: for tests, and as the first values of a form that needs some. */
  readonly example: z.input<Params>
  /** What a C2PA manifest says of it. */
  readonly action: Action
  /** The names of the request's files that the step reads, by the parameter that has each. */
  files?(params: z.output<Params>): Readonly<Record<string, string>>
  /**
   * The picture after the step, as far as it is known before decoding.
   * @throws ImageError invalid_params, with paths inside `params`
   */
  plan(before: Canvas, params: z.output<Params>): Canvas
  /**
   * The parameters that are lengths in pixels, whole or with fractions: a preview of a smaller copy multiplies them. A step without
   * this has no preview.
   */
  readonly lengths?: Readonly<Record<string, 'whole' | 'any'>>
  /** Whether it leaves every pixel of this picture as it is, as a resize to its own size does; by default it does not. */
  isNeutral?(before: Canvas, params: z.output<Params>): boolean
  /** Estimated seconds of a core, besides those of decoding and encoding; `before` and `after` are megapixels over all frames. */
  seconds?(before: number, after: number, params: z.output<Params>): number
  /** The last stage of a pipeline that the step can be added to, and the one it leaves. */
  readonly from: Stage
  to(params: z.output<Params>): Stage
  /** Adds the step to the picture's pipeline. */
  apply(picture: Picture, params: z.output<Params>, context: Context): Promise<Sharp | Applied> | Sharp
}

export interface Applied {
  readonly pixels: Sharp
  /** Only if it could not be planned. */
  readonly width?: number
  readonly height?: number
  /** Where the pixels came from, if the step has moved or covered them: a gain map follows. */
  readonly placement?: Placement
}

/** Returns its argument, so that TypeScript infers the types inside. */
export const defineStep = <Params extends z.ZodType>(row: StepRow<Params>): StepRow<Params> => row
