import { openWorkspace, type Workspace, wholeVectors } from './memory.ts'

/** Colours as three planes of numbers. */
export type Colours = readonly [Float32Array, Float32Array, Float32Array]

/** A Gaussian of a mixture. */
export interface Component {
  readonly mean: readonly [number, number, number]
  /** Inverse of the covariance, its upper triangle in rows. */
  readonly precision: readonly [number, number, number, number, number, number]
  /** Its log weight and log normalisation. */
  readonly logHeight: number
}

export type Mixture = readonly Component[]

/** Log-likelihood of each colour, up to a constant, approximated by that of the likeliest Gaussian. */
export function logLikelihoods(mixture: Mixture, colours: Colours): Float32Array<ArrayBuffer> {
  using workspace = openWorkspace()
  const planes = placeColours(workspace, colours)
  const components = placeMixture(workspace, mixture)
  const to = workspace.allocate(planes.stride)
  workspace.kernels.likelihoods(planes.address, planes.stride, components, mixture.length, to)
  return workspace.floats(to, colours[0].length).slice()
}

export interface PlacedColours {
  readonly address: number
  /** Bytes from one plane to the next. */
  readonly stride: number
}

export function placeColours(workspace: Workspace, colours: Colours): PlacedColours {
  const length = colours[0].length
  const stride = wholeVectors(length * 4)
  const address = workspace.allocate(3 * stride)
  for (const [plane, values] of colours.entries()) workspace.floats(address + plane * stride, length).set(values)
  return { address, stride }
}

export const placeMixture = (workspace: Workspace, mixture: Mixture): number => workspace.place(floatsOf(mixture))

export const floatsOf = (mixture: Mixture): Float32Array =>
  Float32Array.from(
    mixture.flatMap(({ mean, precision: [ll, la, lb, aa, ab, bb], logHeight }) => [
      ...mean,
      ll,
      2 * la,
      2 * lb,
      aa,
      2 * ab,
      bb,
      logHeight,
    ]),
  )
