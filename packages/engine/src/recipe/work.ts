import type { Codec } from '@pixelmill/codecs/codec'
import type { Canvas } from './picture.ts'
import type { NamedStep, Output } from './recipe.ts'
import type { StepRow } from './step.ts'
import { steps } from './steps/index.ts'

/** What steps cost, as planned. */
export interface Work {
  /** Of a core, for the steps alone. */
  readonly seconds: number
  /** Names of further files, each as often as a step decodes it. */
  readonly reads: readonly string[]
}

/** Of a step that follows another, for each megapixel that is kept in memory between the two. */
const KEEPING = 0.01

/**
 * The work of one step.
 * @param before megapixels over all frames, and `after`
 */
export function workOf({ name, params }: NamedStep, before: number, after: number, isFirst: boolean): Work {
  const row: StepRow = steps[name]
  return {
    seconds: (row.seconds?.(before, after, params) ?? 0) + (isFirst ? 0 : KEEPING * before),
    reads: Object.values(row.files?.(params) ?? {}),
  }
}

/** Pixels over all frames that are kept in memory for several outputs; a larger picture is decoded for each of them. */
const SHARED_PIXELS = 25_000_000

/**
 * How often the picture is decoded, and the shared steps are done. Each output does it where some keep the source's colours and others
 * do not. A file that its decoder can reduce is decoded for each output that begins by reducing it: the decoder gives smaller pictures
 * for less than reducing a larger one takes (docs/design/recipes.md).
 */
export type Decoding = 'once' | 'each' | 'each, if its decoder reduces it'

export function decodingOf(
  { width, height }: Canvas,
  frames: number,
  { reducesWhileDecoding }: Pick<Codec, 'reducesWhileDecoding'>,
  sharedSteps: readonly NamedStep[],
  outputs: readonly { readonly asked: Pick<Output, 'icc'>; readonly steps: readonly NamedStep[] }[],
): Decoding {
  if (outputs.length === 1) return 'once'
  if (width * height * frames > SHARED_PIXELS) return 'each'
  if (new Set(outputs.map(({ asked }) => asked.icc)).size > 1) return 'each'
  const reduces = sharedSteps.length === 0 && outputs.every(({ steps: [step] }) => step?.name === 'resize')
  return reduces && reducesWhileDecoding ? 'each, if its decoder reduces it' : 'once'
}
