import { writtenFormats } from '@pixelmill/codecs/image-formats'
import { solidColour } from '../../dialects/colours.ts'
import { nameOfFormat } from '../../dialects/formats.ts'
import type { ParameterTable } from '../../dialects/parameter.ts'
import { notSupported, numberOf, valueFault } from '../../dialects/values.ts'
import type { Component } from '../options.ts'

/** Qualities by name, on our scale. */
const qualities: Readonly<Record<string, number | 'auto'>> = {
  auto: 'auto',
  'auto:good': 'auto',
  'auto:best': 85,
  'auto:eco': 65,
  'auto:low': 50,
}

function qualityOf(name: string, value: string): number | 'auto' {
  const namedQuality = qualities[value]
  if (namedQuality !== undefined) return namedQuality
  const [number = '', chroma = '420'] = value.split(':')
  if (chroma !== '420' && chroma !== '444') throw notSupported(name, value)
  if (!/^\d+$/.test(number)) throw notSupported(name, value)
  return numberOf(name, number, 1, 100)
}

/** Flags that ask for what is done anyway, or for how a file is coded. */
const withoutEffect = ['progressive', 'lossy', 'force_strip', 'strip_profile', 'immutable_cache', 'any_format', 'awebp', 'apng']
const flags = [
  ...withoutEffect,
  'preserve_transparency',
  'keep_iptc',
  'keep_attribution',
  'attachment',
  'layer_apply',
  'relative',
]

/** How the picture is written, and what else URLs say. */
export const outputParameters: ParameterTable<Component> = {
  q: {
    takes: '1–100 ([on one scale](quality.md)), `auto`, `auto:best`, `auto:good`, `auto:eco`, `auto:low`',
    read: (value, name) => ({ quality: qualityOf(name, value) }),
  },
  f: {
    takes: `\`auto\`, ${writtenFormats.map((format) => `\`${format}\``).join(', ')}`,
    read(value, name) {
      const format = value === 'auto' || value === 'auto:image' ? 'auto' : nameOfFormat(value)
      if (format === undefined) throw valueFault(name, value, `is not supported; auto, ${writtenFormats.join(', ')} are.`)
      return { format }
    },
  },
  b: {
    takes: 'a name of CSS, `rgb:` and hexadecimal digits, `transparent`',
    read(value, name) {
      const background = solidColour(name, value.replace(/^rgb:/, ''), 'last')
      return background === undefined ? {} : { background }
    },
  },
  fl: {
    takes: flags.map((flag) => `\`${flag}\``).join(', '),
    read(value, name) {
      for (const flag of value.split('.'))
        if (!flags.includes(flag.replace(/^(progressive|attachment):.*/, '$1'))) throw notSupported(name, flag)
      const words = value.split('.')
      const [, fileName] = /(?:^|\.)attachment(?::([^.]*))?/.exec(value) ?? []
      return {
        ...(words.includes('keep_attribution') && { metadata: 'copyright' }),
        ...(words.includes('keep_iptc') && { metadata: 'all' }),
        ...(words.includes('layer_apply') && { isLayerEnd: true }),
        ...(words.includes('relative') && { isRelative: true }),
        ...(words.some((word) => word.startsWith('attachment')) && { fileName: fileName ?? '' }),
      }
    },
  },
  t: { takes: 'a [preset](recipes.md#presets) of the source’s account', read: (value) => ({ preset: value }) },
  cs: {
    takes: '`srgb`, `tinysrgb`, `no_cmyk`',
    read(value, name) {
      if (!['srgb', 'tinysrgb', 'no_cmyk', 'srgb:truecolor'].includes(value)) throw notSupported(name, value)
      return {}
    },
  },
  d: { takes: 'no effect: what is missing is 404', read: () => ({}) },
  pg: {
    takes: '`1`',
    read(value, name) {
      if (value !== '1') throw notSupported(name, value)
      return {}
    },
  },
}
