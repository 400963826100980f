import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { namedSteps, type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { cutRegion, requireSquare } from '../dialects/frames.ts'
import type { Original } from '../dialects/original.ts'
import type { PlannedRecipe } from '../dialects/prepare.ts'
import { Sketch, type StepInput, type Trim } from '../dialects/sketch.ts'
import { frame } from './frame.ts'
import { type Layer, layLayer, type Part, partsOf } from './layers.ts'
import type { Component } from './options.ts'

/**
 * What Cloudinary would make of an original: one component after another, each on what the one before has made.
 * @param presets of one output, by the names of t_
 * @throws ApiError invalid_params for what is not supported of this picture
 */
export function cloudinaryRecipe(
  components: readonly Component[],
  original: Original,
  presets: ReadonlyMap<string, Recipe> = new Map(),
): PlannedRecipe {
  const sketch = new Sketch(original)
  const dpr = dprOf(components)
  const trim = trimOf(components)
  if (trim) cutRegion(sketch, regionOf(original), { parameter: 'e_trim' })
  for (const part of partsOf(components)) {
    if (isLayer(part)) {
      layLayer(sketch, part.layer, original, dpr)
      continue
    }
    const component = part
    const preset = component.preset === undefined ? undefined : presets.get(component.preset)
    if (preset) carryOutPreset(sketch, preset)
    carryOut(sketch, component, original, dpr)
  }
  const recipe = parseJson(recipeSchema, { outputs: [{ steps: sketch.steps, ...writingOf(components, presets) }] })
  return { recipe, drawings: sketch.drawings }
}

const isLayer = (part: Part): part is { readonly layer: Layer } => typeof part.layer === 'object'

/** Paths of the source that are laid over the picture. */
export const layersOf = (components: readonly Component[]): readonly string[] => components.flatMap(({ layer }) => layer ?? [])

/** How much is trimmed first: of a later picture it is not known what its border is. @throws ApiError invalid_params */
export function trimOf(components: readonly Component[]): Trim | undefined {
  const [first, ...others] = components
  const isAlone = first && first.width === undefined && first.height === undefined && first.ratio === undefined
  if (others.some(({ trim }) => trim !== undefined) || (first?.trim !== undefined && !isAlone))
    throw invalidParam('e_trim', 'custom', 'Is supported in the first component, without w, h and ar.')
  return first?.trim === undefined ? undefined : { parameter: 'e_trim', threshold: first.trim }
}

function regionOf({ width, height, trimmedBox }: Original) {
  const { left: x, top: y, ...size } = trimmedBox ?? { left: 0, top: 0, width, height }
  return { x, y, width: size.width, height: size.height }
}

/** The recipe without steps. */
export const recipeOfFormat = (components: readonly Component[], presets: ReadonlyMap<string, Recipe> = new Map()): Recipe =>
  parseJson(recipeSchema, { outputs: [writingOf(components, presets)] })

const ofFormat: ReadonlySet<string> = new Set(['format', 'quality', 'metadata', 'dpr', 'gravity', 'isFace', 'fileName'])

/** Whether nothing is asked that depends on the picture. */
export const isOfFormatOnly = (components: readonly Component[]): boolean =>
  components.every((component) => Object.keys(component).every((name) => ofFormat.has(name)))

/** In the order that Cloudinary has within a component. */
function carryOut(sketch: Sketch, component: Component, original: Original, dpr: number): void {
  const { background, angle = 0, flip, flop, steps = [], border = 0, borderColour, opacity = 100, radius } = component
  frame(sketch, component, original, dpr)
  if (flop) sketch.add('a', { flop: {} })
  if (flip) sketch.add('a', { flip: {} })
  if (angle !== 0) sketch.add('a', { rotate: { angle, ...(background !== undefined && { background }) } })
  for (const { parameter, step } of steps) sketch.add(parameter, step)
  if (radius !== undefined) roundCorners(sketch, radius, dpr)
  if (border > 0 && borderColour !== undefined) {
    const side = Math.round(border * dpr)
    sketch.add('bo', { extend: { left: side, right: side, top: side, bottom: side, background: borderColour } })
  }
  if (opacity < 100) sketch.add('o', { opacity: { percent: opacity } })
  if (background !== undefined) sketch.add('b', { background: { color: background } })
}

function roundCorners(sketch: Sketch, radius: number | 'max', dpr: number): void {
  if (radius === 'max') requireSquare(sketch, 'r')
  if (radius !== 0) sketch.add('r', { roundCorners: { radius: radius === 'max' ? radius : radius * dpr } })
}

function carryOutPreset(sketch: Sketch, preset: Recipe): void {
  const [output] = preset.outputs
  for (const { name, params } of [...namedSteps(preset.steps), ...namedSteps(output?.steps ?? [], output?.dpr)]) {
    // dpr is only of steps that were multiplied already.
    const { dpr: _, ...sent } = params as Readonly<Record<string, unknown>>
    sketch.add('t', { [name]: sent } as StepInput)
  }
}

/** It multiplies the sizes of all components, wherever it stands. */
function dprOf(components: readonly Component[]): number {
  const [first = 1, ...others] = new Set(components.flatMap(({ dpr }) => (dpr === undefined ? [] : [dpr])))
  if (others.length > 0) throw invalidParam('dpr', 'custom', 'Must be the same in all components.')
  return first
}

/** The last component that says something of the file is heeded, then a preset. */
function writingOf(components: readonly Component[], presets: ReadonlyMap<string, Recipe>) {
  const last = <Name extends keyof Component>(name: Name) =>
    components.findLast((component) => component[name] !== undefined)?.[name]
  const outputs = components.flatMap(({ preset }) => (preset === undefined ? [] : (presets.get(preset)?.outputs ?? [])))
  const output = outputs.at(-1)
  const quality = last('quality') ?? output?.quality
  const metadata = last('metadata') ?? output?.metadata
  return {
    format: last('format') ?? output?.format ?? 'same',
    ...(typeof quality === 'number' && { quality }),
    ...(metadata !== undefined && { metadata }),
  }
}
