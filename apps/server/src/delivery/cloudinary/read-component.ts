import { byName } from '../dialects/parameter.ts'
import { notSupported } from '../dialects/values.ts'
import type { Component } from './options.ts'
import { effectParameters } from './parameters/effects.ts'
import { outputParameters } from './parameters/output.ts'
import { overlayParameters } from './parameters/overlays.ts'
import { sizeParameters } from './parameters/size.ts'

export const cloudinaryParameters = { ...sizeParameters, ...effectParameters, ...overlayParameters, ...outputParameters }

const rows = byName(cloudinaryParameters)

/**
 * One component of a transformation: `c_fill,w_300,h_200`.
 * @throws ApiError invalid_params with the name of a parameter that is faulty or not supported
 */
export function readComponent(text: string): Component {
  let component: Component = {}
  for (const part of text.split(',')) {
    const [, name = part, value = ''] = /^([a-z]+)_(.*)$/s.exec(part) ?? []
    const row = rows.get(name)
    if (!row) throw notSupported(name.startsWith('$') ? '$' : name, part)
    const { steps = [], ...read } = row.read(value, name)
    component = { ...component, ...read, ...(steps.length > 0 && { steps: [...(component.steps ?? []), ...steps] }) }
  }
  return component
}
