import { limits } from '@pixelmill/codecs/contract/limits'
import { colourOf } from '../../dialects/colours.ts'
import type { ParameterTable } from '../../dialects/parameter.ts'
import { notSupported, numberOf, valueFault } from '../../dialects/values.ts'
import type { Component } from '../options.ts'

/** Layers that are no picture of the source. */
const otherLayers = ['text', 'subtitles', 'video', 'audio', 'fetch', 'lut', 'authenticated', 'private']

/** What is laid over the picture or around it. */
export const overlayParameters: ParameterTable<Component> = {
  l: {
    takes: 'a path of the source with `:` for `/`; its extension may be left out',
    read(value, name) {
      const [first = ''] = value.split(':')
      if (otherLayers.includes(first)) throw notSupported(name, value)
      return { layer: value.replaceAll(':', '/') }
    },
  },
  o: { takes: '0–100', read: (value, name) => ({ opacity: numberOf(name, value, 0, 100) }) },
  r: {
    takes: 'pixels, or four that are equal; `max`, of a square',
    read(value, name) {
      if (value === 'max') return { radius: 'max' }
      const [first = '', ...others] = value.split(':')
      if (others.some((other) => other !== first)) throw notSupported(name, value)
      return { radius: numberOf(name, first, 0, limits.side.max) }
    },
  },
  bo: {
    takes: '`5px_solid_red`, around the picture',
    read(value, name) {
      const [, width = '', colour = ''] = /^(\d+)px_solid_(.+)$/.exec(value) ?? []
      if (width === '') throw valueFault(name, value, 'must be like 5px_solid_black or 5px_solid_rgb:ff0000.')
      const border = numberOf(name, width, 0, limits.side.max)
      return { border, borderColour: colourOf(name, colour.replace(/^rgb:/, ''), 'last') }
    },
  },
}
