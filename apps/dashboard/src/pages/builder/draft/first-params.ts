import type { Size } from '../../playground/geometry.ts'
import { type Params, type StepName, stepForm } from './draft-recipe.ts'

/** What a step that has not seen a picture yet starts from. */
const UNKNOWN: Size = { width: 1600, height: 1067 }

const half = (side: number): number => Math.max(1, Math.round(side / 2))

/** Where the example of the table is for a picture of 80 × 60 pixels, or says too little. */
const first: { readonly [Name in StepName]?: (picture: Size) => Params } = {
  crop({ width, height }) {
    const size = { width: Math.max(1, Math.round(width * 0.8)), height: Math.max(1, Math.round(height * 0.8)) }
    return { x: (width - size.width) >> 1, y: (height - size.height) >> 1, ...size }
  },
  resize: ({ width }) => ({ width: half(width) }),
  rotate: () => ({ angle: 90 }),
  extend({ width, height }) {
    const side = Math.max(1, Math.round(Math.min(width, height) * 0.04))
    return { top: side, right: side, bottom: side, left: side, background: '#ffffff' }
  },
  border: ({ width, height }) => ({ width: Math.max(1, Math.round(Math.min(width, height) * 0.02)) }),
  watermark: () => ({ text: '© Your name', margin: 0.03, opacity: 80 }),
  roundCorners: () => ({ radius: '8%' }),
  blur: ({ width }) => ({ sigma: Math.max(2, Math.round(width / 200)) }),
  pixelate: ({ width }) => ({ size: Math.max(2, Math.round(width / 60)) }),
}

/** The parameters of a new step. @param picture the size of the picture that it is done to */
export const firstParams = (name: StepName, picture: Size = UNKNOWN): Params =>
  first[name]?.(picture) ?? stepForm(name).first ?? {}
