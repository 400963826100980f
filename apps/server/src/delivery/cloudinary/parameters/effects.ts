import type { ParameterTable } from '../../dialects/parameter.ts'
import type { StepInput } from '../../dialects/sketch.ts'
import { factorOf, notSupported, numberOf, sigmaOf } from '../../dialects/values.ts'
import type { Component } from '../options.ts'

/** An effect: what stands after its colon, and the step that it is; undefined where nothing changes. */
interface EffectRow {
  readonly takes: string
  step(value: string, name: string): StepInput | undefined
}

/** A strength, with the default of the service. */
const strength = (name: string, value: string, otherwise: number, min: number, max: number): number =>
  value === '' ? otherwise : numberOf(name, value, min, max)

const BLUR_PER_SIGMA = 40

const effects: Readonly<Record<string, EffectRow>> = {
  blur: {
    takes: '1–2000; 40 is a sigma of 1',
    step(value, name) {
      const sigma = sigmaOf(strength(name, value, 100, 0, 2000), BLUR_PER_SIGMA)
      return sigma === undefined ? undefined : { blur: { sigma } }
    },
  },
  sharpen: {
    takes: '1–2000',
    step: (value, name) => ({ sharpen: { sigma: 1, amount: Math.min(10, strength(name, value, 100, 1, 2000) / 100) } }),
  },
  unsharp_mask: {
    takes: '1–2000',
    step: (value, name) => ({ sharpen: { sigma: 1.5, amount: Math.min(10, strength(name, value, 100, 1, 2000) / 100) } }),
  },
  grayscale: { takes: '', step: () => ({ grayscale: {} }) },
  saturation: {
    takes: '−100 to 100',
    step: (value, name) => ({ modulate: { saturation: factorOf(strength(name, value, 80, -100, 100)) } }),
  },
  brightness: {
    takes: '−99 to 100',
    step: (value, name) => ({ modulate: { lightness: strength(name, value, 80, -99, 100) / 2 } }),
  },
  hue: { takes: '−100 to 100', step: (value, name) => ({ modulate: { hue: strength(name, value, 80, -100, 100) * 1.8 } }) },
  contrast: { takes: '−100 to 100', step: (value, name) => ({ contrast: { amount: strength(name, value, 0, -100, 100) } }) },
  vibrance: { takes: '−100 to 100', step: (value, name) => ({ vibrance: { amount: strength(name, value, 20, -100, 100) } }) },
  sepia: { takes: '1–100', step: (value, name) => ({ sepia: { amount: strength(name, value, 80, 1, 100) } }) },
  negate: { takes: '', step: () => ({ negate: {} }) },
  pixelate: { takes: 'pixels', step: (value, name) => ({ pixelate: { size: numberOf(name, value, 1, 1_000) } }) },
  background_removal: { takes: 'by the built-in remover', step: () => ({ removeBackground: {} }) },
}

/** Its strength is a share of the levels. */
const trimOf = (name: string, value: string): number => strength(name, value, 10, 0, 100) * 2.55

/** What the picture looks like. */
export const effectParameters: ParameterTable<Component> = {
  e: {
    takes: Object.entries(effects)
      .map(([name, { takes }]) => `\`${name}\`${takes === '' ? '' : ` (${takes})`}`)
      .concat('`trim` (0–100; in the first component, alone)')
      .join(', '),
    read(value, parameter) {
      const [name = '', ...rest] = value.split(':')
      if (name === 'trim') return { trim: trimOf('e_trim', rest.join(':')) }
      const row = Object.hasOwn(effects, name) ? effects[name] : undefined
      if (!row) throw notSupported(parameter, value)
      const step = row.step(rest.join(':'), `${parameter}_${name}`)
      return step === undefined ? {} : { steps: [{ parameter: `${parameter}_${name}`, step }] }
    },
  },
}
