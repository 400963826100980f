import type { Workspace } from '@pixelmill/kernels/memory'
import type { PlaneRows } from '@pixelmill/kernels/rows'
import { deblurredRows, type Sharpening } from './deblur.ts'
import { denoisedRows } from './denoise.ts'
import { enlargedRows, upscaledRows } from './upscale.ts'

/** A filter of a picture, plane by plane. */
export interface Step {
  /** The result's width and height as a multiple of the picture's. */
  readonly scale: 1 | 2
  /** @param plane 0 is brightness, the others are colours */
  ofColour(workspace: Workspace, rows: PlaneRows, plane: number): PlaneRows
  ofOpacity(workspace: Workspace, rows: PlaneRows): PlaneRows
}

/** A filter with its parameters. Noise is the standard deviation of each plane, 0–255. */
export type Operation =
  | { readonly name: 'denoise'; readonly params: { readonly noise: readonly number[]; readonly stride: 2 | 4 } }
  | { readonly name: 'deblur'; readonly params: Sharpening }
  | { readonly name: 'upscale'; readonly params: { readonly factor: 2; readonly backProjection: boolean } }

export const stepOf = ({ name, params }: Operation): Step => (steps[name] as (params: Operation['params']) => Step)(params)

/** Only brightness is sharpened and back-projected: eyes see little detail in colour, and cameras record half of it. */
const steps: { readonly [Name in Operation['name']]: (params: Extract<Operation, { name: Name }>['params']) => Step } = {
  denoise: ({ noise, stride }) => ({
    scale: 1,
    ofColour: (workspace, rows, plane) => denoisedRows(workspace, rows, { sigma: noise[plane] ?? 0, stride }),
    ofOpacity: (_workspace, rows) => rows,
  }),
  deblur: (sharpening) => ({
    scale: 1,
    ofColour: (workspace, rows, plane) => (plane === 0 ? deblurredRows(workspace, rows, sharpening) : rows),
    ofOpacity: (_workspace, rows) => rows,
  }),
  upscale: ({ backProjection }) => ({
    scale: 2,
    ofColour: (workspace, rows, plane) => (backProjection && plane === 0 ? upscaledRows : enlargedRows)(workspace, rows),
    ofOpacity: enlargedRows,
  }),
}
