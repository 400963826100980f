import { codecs } from '@pixelmill/codecs'
import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type WrittenFormat, writtenFormats } from '@pixelmill/codecs/image-formats'
import { z } from 'zod'
import {
  bestIssue,
  carriedFields,
  effortField,
  format,
  number,
  quality,
  type Target,
  target,
  targetIssue,
  togetherIssue,
} from './fields.ts'
import type { StepRow } from './step.ts'
import { type StepName, type StepParams, steps } from './steps/index.ts'

/** Formats that depend on the picture, and on what the caller accepts. */
export const chosenFormats = ['same', 'auto', 'best'] as const

export type OutputFormat = WrittenFormat | (typeof chosenFormats)[number]

/** A step with its name. */
export type NamedStep = { readonly [Name in StepName]: { readonly name: Name; readonly params: StepParams<Name> } }[StepName]

/** A step as it is sent: an object with one key. */
export type SentStep = { readonly [Name in StepName]?: StepParams<Name> | undefined }

/** The name of its parameters as a type of generated clients. */
const typeName = (name: string, params: z.ZodType): string =>
  params instanceof z.ZodObject && Object.keys(params.shape).length === 0
    ? 'NoParameters'
    : `${name.charAt(0).toUpperCase()}${name.slice(1)}Step`

const shape = Object.entries(steps).map(([name, { params, summary }]) => [
  name,
  params.meta({ description: summary, ...component(typeName(name, params)) }).optional(),
])

const step: z.ZodType<SentStep> = z
  .strictObject(Object.fromEntries(shape))
  .refine((value) => Object.values(value).filter((params) => params !== undefined).length === 1, {
    error: `Must have one key, the name of the step: ${Object.keys(steps).join(', ')}.`,
  })
  .meta({
    description: 'An object with one key, the name of the step.',
    minProperties: 1,
    maxProperties: 1,
    ...component('Step'),
  })

export const outputFormat = format(
  [...chosenFormats, ...writtenFormats],
  'same keeps the format of the source. auto chooses by the header Accept, AVIF before JPEG XL before WebP, and else is the same as same. best has the fewest bytes at the same score among AVIF, WebP, JPEG and PNG, as far as Accept allows them.',
)

const stepList = z.array(step).max(limits.recipe.steps)

const output = z
  .strictObject({
    name: z
      .string()
      .regex(new RegExp(`^[A-Za-z0-9_-]{1,${limits.recipe.nameLength}}$`), {
        error: `Must have 1 to ${limits.recipe.nameLength} letters, digits, "-" and "_".`,
      })
      .default('image')
      .describe('Name of the file; unique in the recipe.'),
    steps: stepList.default([]).describe('Further steps, after those that all outputs share.'),
    format: outputFormat.default('same'),
    quality: quality('The same number looks alike in every format.').optional(),
    ...target,
    ...effortField,
    ...carriedFields,
    dpr: number(limits.recipe.dpr, 'Multiplies the sizes of the resizes among the further steps.').default(
      limits.recipe.dpr.default,
    ),
  })
  .superRefine(checkOutput)
  .meta(component('Output'))

interface AskedOutput extends Target {
  readonly format: OutputFormat
}

/** A refinement: whether the format can reach what is asked for. */
export function checkOutput(output: AskedOutput, context: z.core.$RefinementCtx): void {
  const writtenFormat = writtenFormats.find((name) => name === output.format)
  const issueOfFormat = writtenFormat ? targetIssue(output, codecs[writtenFormat]) : togetherIssue(output)
  const issue = output.format === 'best' ? bestIssue(output) : issueOfFormat
  if (issue) context.addIssue({ code: 'custom', path: [...issue.path], message: issue.message })
}

/** The value that all doors share: what is done to a picture, and which files are made of it. */
export const recipeSchema = z
  .strictObject({
    steps: stepList.default([]).describe('Done in this order, once, for all outputs.'),
    outputs: z
      .array(output)
      .min(1)
      .max(limits.recipe.outputs)
      .default(() => [output.parse({})]),
  })
  .superRefine(({ steps: sharedSteps, outputs }, context) => {
    for (const [index, { name, steps: own, dpr }] of outputs.entries()) {
      const at = (path: readonly (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path: ['outputs', index, ...path], message })
      if (outputs.findIndex((other) => other.name === name) !== index) at(['name'], 'Must be unique in the recipe.')
      if (sharedSteps.length + own.length > limits.recipe.steps)
        at(['steps'], `With the shared ones, an output may have at most ${limits.recipe.steps} steps.`)
      for (const [place, { resize }] of own.entries())
        for (const side of ['width', 'height'] as const)
          if (Math.round((resize?.[side] ?? 0) * dpr) > limits.side.max)
            at(['steps', place, 'resize', side], `Must be at most ${limits.side.max}, multiplied by dpr.`)
    }
  })
  .meta(component('Recipe'))

export type Recipe = Readonly<z.output<typeof recipeSchema>>
export type Output = Readonly<Recipe['outputs'][number]>

export interface FileReference {
  readonly name: string
  /** The parameter that has it. */
  readonly path: readonly (string | number)[]
}

/** The further files that steps read, in order. */
export function fileReferences({
  steps: sharedSteps,
  outputs,
}: Pick<Recipe, 'steps'> & { readonly outputs: readonly Pick<Output, 'steps'>[] }): readonly FileReference[] {
  const lists = [
    { list: sharedSteps, place: ['steps'] },
    ...outputs.map(({ steps: list }, index) => ({ list, place: ['outputs', index, 'steps'] })),
  ]
  return lists.flatMap(({ list, place }) =>
    namedSteps(list).flatMap(({ name, params }, index) =>
      Object.entries((steps[name] as StepRow).files?.(params) ?? {}).map(([parameter, file]) => ({
        name: file,
        path: [...place, index, name, parameter],
      })),
    ),
  )
}

/** The steps by name, with the sizes of resizes multiplied by `dpr`. */
export function namedSteps(list: Recipe['steps'], dpr = 1): readonly NamedStep[] {
  return list.flatMap((each) =>
    Object.entries(each)
      .filter(([, params]) => params !== undefined)
      .map(([name, params]) => timesDpr({ name, params } as NamedStep, dpr)),
  )
}

function timesDpr(step: NamedStep, dpr: number): NamedStep {
  if (step.name !== 'resize' || dpr === 1) return step
  const { width, height, ...rest } = step.params
  const times = (side: number | undefined) => side && Math.max(1, Math.round(side * dpr))
  // Nothing else depends on what the sizes were before.
  const isBounded = rest.fit === 'cover' && !rest.enlarge
  return { name: 'resize', params: { ...rest, width: times(width), height: times(height), ...(isBounded && { dpr }) } }
}
