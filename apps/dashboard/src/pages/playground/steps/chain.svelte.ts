import type { OperationField, StepForm } from '../../../api/image-operation.ts'
import { imageOperations } from '../../../api/image-operations.ts'
import { stepForms } from '../../../api/step-forms.ts'
import { toolForms } from '../../../api/tool-forms.ts'
import { FieldForm, type Value } from '../field-form.svelte.ts'
import { fieldLooks } from '../field-looks.ts'
import type { Size } from '../geometry.ts'
import { type MadePicture, makePicture, releasePicture } from '../made-picture.ts'
import { ToolRun } from '../tool-run.svelte.ts'

export type StepName = keyof typeof stepForms

/** Values of a new step that are other ones than those of its row. */
const first: { readonly [Name in StepName]?: (picture: Size) => Readonly<Record<string, Value>> } = {
  crop: ({ width, height }) => ({ width: half(width), height: half(height), gravity: 'center' }),
  resize: ({ width }) => ({ width: half(width) }),
  watermark: () => ({ text: '© Your name', opacity: 80 }),
}

const half = (side: number): number => Math.max(1, Math.round(side / 2))

const forms: Readonly<Record<StepName, StepForm>> = stepForms

/** Labels of steps, in the order in which they are offered: the most frequent one is the first. */
export const stepLabels = Object.fromEntries(
  [...new Set<StepName>(['resize', ...(Object.keys(forms) as StepName[])])].map((name) => [name, forms[name].label]),
) as Readonly<Record<StepName, string>>

/** A step of the chain, with the form of its parameters. */
export class ChainStep {
  readonly id: number
  readonly name: StepName
  readonly form: FieldForm

  constructor(id: number, name: StepName, picture: Size) {
    this.id = id
    this.name = name
    this.form = new FieldForm(stepForms[name].fields)
    Object.assign(this.form.values, first[name]?.(picture) ?? forms[name].first)
  }
}

const outputFields: Readonly<Record<string, OperationField>> = {
  format: {
    kind: 'choice',
    choices: ['same', 'webp', 'avif', 'jpeg', 'png', 'best'],
    default: 'same',
    description: 'Format of the result.',
  },
  quality: { kind: 'integer', min: 1, max: 100, description: 'Quality of the result.' },
  visualQuality: imageOperations.convert.fields.visualQuality,
  maxBytes: imageOperations.convert.fields.maxBytes,
  effort: imageOperations.convert.fields.effort,
}

/** The steps that are done to the picture, in their order, and the format of the result: a recipe of one output. */
export class Chain {
  steps = $state.raw<readonly ChainStep[]>([])
  selectedId = $state<number>()
  readonly output = new FieldForm(outputFields, {
    ...fieldLooks,
    format: { label: 'Format' },
    quality: { label: 'Quality', slider: true, empty: 'usual' },
  })
  readonly run = new ToolRun<MadePicture>(releasePicture)
  #last = 0

  readonly current = $derived(this.steps.find(({ id }) => id === this.selectedId))

  add(name: StepName, picture: Size): void {
    const step = new ChainStep(++this.#last, name, picture)
    this.steps = [...this.steps, step]
    this.selectedId = step.id
  }

  /** A new chain. Values that a step does not have are left out. */
  begin(steps: readonly (readonly [StepName, Readonly<Record<string, Value>>])[], picture: Size): void {
    this.steps = steps.map(([name, values]) => {
      const step = new ChainStep(++this.#last, name, picture)
      for (const [field, { default: usual }] of step.form.fields) step.form.values[field] = values[field] ?? usual
      return step
    })
    this.selectedId = this.steps.at(-1)?.id
  }

  remove(id: number): void {
    const at = this.steps.findIndex((step) => step.id === id)
    this.steps = this.steps.filter((step) => step.id !== id)
    if (this.selectedId === id) this.selectedId = this.steps[Math.min(at, this.steps.length - 1)]?.id
  }

  /** Moves a step by one place; at the end of the chain nothing changes. */
  move(id: number, by: 1 | -1): void {
    const from = this.steps.findIndex((step) => step.id === id)
    const to = from + by
    const step = this.steps[from]
    if (!step || to < 0 || to >= this.steps.length) return
    this.steps = this.steps.toSpliced(from, 1).toSpliced(to, 0, step)
  }

  recipe() {
    const { format = 'same', ...output } = this.output.params()
    return {
      steps: this.steps.map(({ name, form }) => ({ [name]: form.params() })),
      outputs: [{ format, ...output }],
    }
  }

  /** Whether each step has a preview. */
  hasPreview(): boolean {
    return this.steps.length > 0 && this.steps.every(({ name }) => stepForms[name].hasPreview)
  }

  isComplete(): boolean {
    return this.steps.every(({ form }) => form.isComplete())
  }

  start(image: File): void {
    const recipe = JSON.stringify(this.recipe())
    void this.run.start(image, recipe, (signal) => makePicture(recipePath, { image }, { recipe }, signal))
  }
}

export const recipePath = toolForms.steps.path

/** Kept while the user visits another tool, or another page. */
export const chain = new Chain()
