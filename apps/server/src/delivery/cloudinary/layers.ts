import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { Original } from '../dialects/original.ts'
import { Sketch } from '../dialects/sketch.ts'
import { cornerOf, frame } from './frame.ts'
import type { Component } from './options.ts'

/** A picture that is laid over the one before, and what is done to it first. */
export interface Layer {
  readonly path: string
  readonly components: readonly Component[]
  readonly placing: Component
}

/** What is done one after another: a component, or a layer with all of its own. */
export type Part = Component | { readonly layer: Layer }

/**
 * Gathers the components of layers: those up to fl_layer_apply, or the one that has the layer.
 * @throws ApiError invalid_params for fl_layer_apply without a layer
 */
export function partsOf(components: readonly Component[]): readonly Part[] {
  const parts: Part[] = []
  for (let at = 0; at < components.length; at++) {
    const component = components[at] as Component
    if (component.layer === undefined) {
      if (component.isLayerEnd) throw invalidParam('fl', 'custom', '"layer_apply" must follow a layer.')
      parts.push(component)
      continue
    }
    const end = endOf(components, at)
    const own = components.slice(at, end)
    const last = components[end] ?? component
    parts.push({
      layer: { path: component.layer, components: own, placing: end === at + 1 && !last.isLayerEnd ? component : last },
    })
    at = last.isLayerEnd ? end : at
  }
  return parts
}

/** Where a layer is placed: at the next fl_layer_apply before another layer, else in its own component. */
function endOf(components: readonly Component[], at: number): number {
  const after = components.slice(at + 1)
  const end = after.findIndex(({ isLayerEnd, layer }) => isLayerEnd || layer !== undefined)
  return end >= 0 && after[end]?.isLayerEnd ? at + 1 + end : at + 1
}

/** Scales a layer as its components say, and lays it where the last one says. */
export function layLayer(sketch: Sketch, { path, components, placing }: Layer, { markSizes }: Original, dpr: number): void {
  const own = markSizes?.get(path) ?? { width: 1, height: 1 }
  const base = sketch.size
  const mark = new Sketch(own)
  for (const component of components) {
    // Sizes of a relative layer are shares of the picture below it.
    frame(mark, component, component.isRelative ? base : own, dpr, component.isRelative ? base : undefined)
    requireScaledOnly(component)
  }
  if (mark.steps.some((step) => step.resize === undefined || step.resize.fit !== 'fill'))
    throw invalidParam('l', 'custom', 'Of what changes the size of a layer, c_scale, c_fit and c_limit are supported.')
  const opacity = components.reduce((product, component) => (product * (component.opacity ?? 100)) / 100, 100)
  const corner = cornerOf(base, mark.size, { ...placing, gravity: placing.gravity ?? 'center' })
  sketch.lay('l', { path, ...mark.size, ...corner, opacity })
}

function requireScaledOnly({ steps = [], angle, flip, flop, background, border, radius }: Component): void {
  if (radius !== undefined) throw invalidParam('r', 'custom', 'Is not supported of layers.')
  const [step] = steps
  if (step) throw invalidParam(step.parameter, 'custom', 'Is not supported of layers.')
  if (angle || flip || flop) throw invalidParam('a', 'custom', 'Is not supported of layers.')
  if (background !== undefined) throw invalidParam('b', 'custom', 'Is not supported of layers.')
  if (border !== undefined) throw invalidParam('bo', 'custom', 'Is not supported of layers.')
}
