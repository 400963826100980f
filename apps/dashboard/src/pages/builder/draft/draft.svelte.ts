import type { Size } from '../../playground/geometry.ts'
import type { Mark } from '../../playground/operation-form.svelte.ts'
import {
  copyOfOutput,
  copyOfStep,
  type DraftOutput,
  type DraftRecipe,
  type DraftStep,
  draftOf,
  emptyRecipe,
  newStep,
  type Params,
  type StepName,
  sentRecipe,
} from './draft-recipe.ts'
import { firstParams } from './first-params.ts'
import { History } from './history.svelte.ts'
import { uniqueName } from './output-templates.ts'

/** The steps that all outputs share, or those of one output, by its id. */
export type ListId = number | 'shared'

/** Where a step is. */
export interface StepPlace {
  readonly list: ListId
  readonly index: number
  readonly step: DraftStep
}

/** A recipe that is being edited: its history, what is selected, and the files that its steps name. */
export class Draft {
  /** The preset that it was opened from, or saved as. */
  presetName = $state<string>()
  /** The recipe of that preset as it is kept, as JSON. */
  savedText = $state<string>()
  readonly #history = new History<DraftRecipe>(emptyRecipe())
  selectedStepId = $state<number>()
  /** The output that is shown; its settings are open. */
  #outputId = $state<number>()
  isOutputOpen = $state(false)
  /** Watermarks by the names that steps give them. */
  marks = $state.raw<Readonly<Record<string, Mark>>>({})
  /** The ratio that a crop keeps, as its control has it. */
  cropRatio = $state('')

  readonly recipe = $derived(this.#history.value)
  readonly canUndo = $derived(this.#history.canUndo)
  readonly canRedo = $derived(this.#history.canRedo)
  /** The recipe as it is sent. */
  readonly text = $derived(JSON.stringify(sentRecipe(this.recipe)))
  readonly isEmpty = $derived(this.recipe.steps.length === 0 && this.recipe.outputs.every(({ steps }) => steps.length === 0))
  /** Nothing was changed since it began. */
  readonly isUntouched = $derived(this.presetName === undefined && !this.canUndo && !this.canRedo)
  readonly isUnsaved = $derived(this.savedText !== undefined && this.savedText !== this.text)
  readonly output = $derived(
    this.recipe.outputs.find(({ id }) => id === this.#outputId) ?? (this.recipe.outputs[0] as DraftOutput),
  )
  readonly selection = $derived(this.selectedStepId === undefined ? undefined : this.place(this.selectedStepId))
  readonly offCount = $derived(this.#lists().reduce((sum, [, steps]) => sum + steps.filter(({ isOff }) => isOff).length, 0))

  readonly undo = (): void => this.#history.undo()
  readonly redo = (): void => this.#history.redo()

  #lists(): readonly (readonly [ListId, readonly DraftStep[]])[] {
    const { steps, outputs } = this.recipe
    return [['shared', steps] as const, ...outputs.map((output) => [output.id, output.steps] as const)]
  }

  /** The steps of a list. */
  steps(list: ListId): readonly DraftStep[] {
    return this.#lists().find(([id]) => id === list)?.[1] ?? []
  }

  place(id: number): StepPlace | undefined {
    for (const [list, steps] of this.#lists()) {
      const index = steps.findIndex((step) => step.id === id)
      const step = steps[index]
      if (step) return { list, index, step }
    }
    return undefined
  }

  /** What is done to the picture before a step, on the way to the output that is shown. */
  before({ list, index }: StepPlace): readonly DraftStep[] {
    const own = this.steps(list).slice(0, index)
    return list === 'shared' ? own : [...this.recipe.steps, ...own]
  }

  /** Begins with a recipe, as a preset has it. */
  begin(recipe: DraftRecipe, presetName: string | undefined): void {
    this.#history.begin(recipe)
    this.presetName = presetName
    this.savedText = presetName === undefined ? undefined : this.text
    this.selectedStepId = undefined
    this.#outputId = undefined
    this.isOutputOpen = false
  }

  /** Begins with one step. @param picture its size, if one is open */
  beginWith(name: StepName, picture?: Size): void {
    const step = newStep(name, firstParams(name, picture))
    this.begin({ ...emptyRecipe(), steps: [step] }, undefined)
    this.selectedStepId = step.id
  }

  /** Another recipe in the place of this one: one step back leads to this one. */
  replace(recipe: DraftRecipe, what?: string): void {
    this.#history.change(recipe, what)
  }

  /** Takes JSON as it is typed. @returns whether it has the shape of a recipe */
  takeJson(json: unknown): boolean {
    const recipe = draftOf(json, this.recipe)
    if (!recipe) return false
    if (JSON.stringify(sentRecipe(recipe)) !== this.text) this.replace(recipe, 'json')
    return true
  }

  #setSteps(list: ListId, steps: readonly DraftStep[], what?: string): void {
    const { recipe } = this
    const outputs = recipe.outputs.map((output) => (output.id === list ? { ...output, steps } : output))
    this.#history.change(list === 'shared' ? { ...recipe, steps } : { ...recipe, outputs }, what)
  }

  /** Selects a step, and shows the output that it belongs to; the same step again is closed. */
  select(id: number | undefined): void {
    this.selectedStepId = id
    const list = id === undefined ? undefined : this.place(id)?.list
    if (typeof list === 'number') this.#outputId = list
  }

  showOutput(id: number, isOpen: boolean): void {
    this.#outputId = id
    this.isOutputOpen = isOpen
    this.selectedStepId = undefined
  }

  /** Adds a step after the selected one, if that is in the same list, and selects it. @param picture its size, if one is open */
  add(list: ListId, name: StepName, picture?: Size): void {
    const step = newStep(name, firstParams(name, picture))
    const steps = this.steps(list)
    const { selection } = this
    const at = selection?.list === list ? selection.index + 1 : steps.length
    this.#setSteps(list, steps.toSpliced(at, 0, step))
    this.select(step.id)
  }

  /** @param params in place of those that it has; undefined ones are left out */
  setParams(id: number, params: Params): void {
    const place = this.place(id)
    if (!place) return
    const saidParams = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''))
    const next = { ...place.step, params: saidParams }
    this.#setSteps(place.list, this.steps(place.list).with(place.index, next), `step ${id}`)
  }

  toggle(id: number): void {
    const place = this.place(id)
    if (place) this.#setSteps(place.list, this.steps(place.list).with(place.index, { ...place.step, isOff: !place.step.isOff }))
  }

  duplicate(id: number): void {
    const place = this.place(id)
    if (!place) return
    const copy = copyOfStep(place.step)
    this.#setSteps(place.list, this.steps(place.list).toSpliced(place.index + 1, 0, copy))
    this.select(copy.id)
  }

  remove(id: number): void {
    const place = this.place(id)
    if (!place) return
    const rest = this.steps(place.list).filter((step) => step.id !== id)
    this.#setSteps(place.list, rest)
    if (this.selectedStepId === id) this.selectedStepId = rest[Math.min(place.index, rest.length - 1)]?.id
  }

  /** Moves a step within its list; beyond an end nothing changes. */
  move(id: number, to: number): void {
    const place = this.place(id)
    const steps = place && this.steps(place.list)
    if (!place || !steps || to < 0 || to >= steps.length || to === place.index) return
    this.#setSteps(place.list, steps.toSpliced(place.index, 1).toSpliced(to, 0, place.step))
  }

  setOutput(id: number, settings: Params): void {
    const saidSettings = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''))
    const outputs = this.recipe.outputs.map((output) => (output.id === id ? { ...output, settings: saidSettings } : output))
    this.#history.change({ ...this.recipe, outputs }, `output ${id}`)
  }

  get outputNames(): readonly string[] {
    return this.recipe.outputs.map(({ settings }) => String(settings.name ?? 'image'))
  }

  /** Adds an output, and shows it. The only output of a recipe that says nothing of its own is replaced. */
  addOutput(output: DraftOutput): void {
    const [first, ...others] = this.recipe.outputs
    const isUnused =
      first && others.length === 0 && first.steps.length === 0 && JSON.stringify(first.settings) === '{"format":"same"}'
    // The size that the page began with is in place of that of the outputs: before it, each would be made of fewer pixels.
    const isSized = this.isUntouched && output.steps.some(({ name }) => name === 'resize')
    const steps = isSized ? this.recipe.steps.filter(({ name }) => name !== 'resize') : this.recipe.steps
    this.#history.change({ ...this.recipe, steps, outputs: isUnused ? [output] : [...this.recipe.outputs, output] })
    this.showOutput(output.id, true)
  }

  duplicateOutput(id: number): void {
    const output = this.recipe.outputs.find((each) => each.id === id)
    if (!output) return
    const copy = copyOfOutput(output)
    const name = uniqueName(String(output.settings.name ?? 'image'), this.outputNames)
    this.addOutput({ ...copy, settings: { ...copy.settings, name } })
  }

  /** The last one stays. */
  removeOutput(id: number): void {
    const outputs = this.recipe.outputs.filter((output) => output.id !== id)
    if (outputs.length === 0) return
    this.#history.change({ ...this.recipe, outputs })
    this.showOutput((outputs[0] as DraftOutput).id, false)
  }

  setMark(name: string, mark: Mark): void {
    this.marks = { ...this.marks, [name]: mark }
  }
}
