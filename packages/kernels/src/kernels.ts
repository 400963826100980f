/**
 * What assembly/ exports. Every parameter is an address or a number of pixels, samples or bytes; the sources say which.
 */
export interface Kernels extends PlaneKernels, FilterKernels, BlockKernels, CutKernels, MatteKernels, SimilarityKernels {
  firstAddress(): number
  filterRow(row: number, above: number, length: number, pixel: number, to: number): void
  permute(from: number, length: number, places: number, step: number, toStep: number, to: number): void
  unfilter(from: number, rows: number, length: number, pixel: number, to: number, stride: number): number
  spread8(from: number, width: number, channels: number, light: number, planes: number, stride: number): void
  across16: Across
  down16: Down
  gather8(planes: number, stride: number, width: number, channels: number, samples: number, to: number): void
  spread16(from: number, width: number, channels: number, light: number, planes: number, stride: number): void
  acrossFloat: Across
  downFloat: Down
  gather16(planes: number, stride: number, width: number, channels: number, samples: number, slope: number, to: number): void
  lightRow: LightRow
  halveRow(upper: number, lower: number, width: number, to: number): void
  opsinRow(red: number, green: number, blue: number, width: number, x: number, y: number, b: number): void
  squareRow(from: number, width: number, to: number): void
  squaredDifferences(one: number, other: number, width: number, to: number): void
  blurRow(from: number, width: number, to: number): void
  blurColumns(ring: number, stride: number, newest: number, gains: number, gain: number, width: number, to: number): void
  addErrors(original: number, stride: number, encodedPlane: number, blurs: number, width: number, sums: number): void
}

/** Rows of floats: see assembly/planes.ts. */
export interface PlaneKernels {
  plane8: Plane
  plane16: Plane
  opacity8(from: number, width: number, to: number): void
  opacity16(from: number, width: number, to: number): void
  pixels8(light: number, redBlue: number, green: number, alpha: number, width: number, channels: number, to: number): void
  greys8(light: number, alpha: number, width: number, channels: number, to: number): void
  pixels16(light: number, redBlue: number, green: number, alpha: number, width: number, channels: number, to: number): void
}

type Plane = (from: number, width: number, channels: number, red: number, green: number, blue: number, to: number) => void

/** See assembly/filters.ts. */
export interface FilterKernels {
  repeatEnds(row: number, width: number, reach: number): void
  blurAcross(row: number, weights: number, reach: number, width: number, to: number): void
  mixRows(rows: number, weights: number, count: number, width: number, to: number): void
  doubleAcross(row: number, weights: number, taps: number, width: number, to: number): void
  halveAcross(row: number, weights: number, taps: number, halfWidth: number, to: number): void
  multiplyRows(one: number, other: number, width: number, to: number): void
  fillHidden(row: number, opacity: number, sums: number, weights: number, width: number, to: number): void
  clear(at: number, bytes: number): void
  copy(from: number, bytes: number, to: number): void
}

/** See assembly/dct.ts. */
export interface BlockKernels {
  spreadPhases(row: number, width: number, distance: number, to: number, phaseBytes: number): void
  transformColumns(rows: number, bytes: number, to: number): void
  shrinkBlocks(
    columns: number,
    rowBytes: number,
    phaseBytes: number,
    distance: number,
    count: number,
    least: number,
    scratch: number,
    sums: number,
    arrayBytes: number,
    weights: number,
  ): void
  addColumns(sums: number, arrays: number, arrayBytes: number, bytes: number, scratch: number, rows: number): void
  addWeights(blocks: number, covering: number, places: number, to: number): void
  takeMeans(sums: number, weights: number, width: number, distance: number, phaseBytes: number, to: number): void
  takeEnd(
    sums: number,
    weights: number,
    width: number,
    distance: number,
    phaseBytes: number,
    end: number,
    endWeight: number,
    to: number,
  ): void
}

/** See assembly/ssim.ts. */
export interface SimilarityKernels {
  channel8(from: number, width: number, channels: number, to: number): void
  compareBlocks(one: number, other: number, stride: number, width: number, rows: number, centre: number): number
}

/** See assembly/boxes.ts and matte.ts. */
export interface MatteKernels {
  boxMean(plane: number, width: number, height: number, radius: number, scratch: number, to: number): void
  linearModel(means: number, stride: number, epsilon: number, to: number): void
  addBoxes(row: number, columns: number, count: number, sums: number): void
  countBelow(row: number, width: number, alpha: number): number
  mixNumbers(upper: number, lower: number, share: number, length: number, to: number): void
  matteRuns(pixels: number, runs: number, count: number, shares: number, row: number, stride: number): void
}

/** See assembly/pixel-graph.ts, minimum-cut.ts, mixture.ts and barrier.ts. */
export interface CutKernels {
  graphBytes(nodeCount: number): number
  useGraph(at: number, nodeCount: number, stride: number): void
  terminals(): number
  capacities(): number
  joinNeighbours(
    planes: number,
    mask: number,
    open: number,
    width: number,
    height: number,
    smoothness: number,
    steepness: number,
  ): void
  pullPixels(pixels: number, pulls: number, before: number, count: number, width: number): void
  readCut(pixels: number, count: number, width: number, mask: number): void
  minimumCut(mostSteps: number): void
  barrierDistances(pixels: number, width: number, height: number, passes: number, paths: number, to: number): void
  likelihoods(colours: number, stride: number, components: number, count: number, to: number): void
  likelihoodRatios(
    colours: number,
    stride: number,
    components: number,
    count: number,
    others: number,
    otherCount: number,
    to: number,
  ): void
}

export type Across = (
  planes: number,
  stride: number,
  channels: number,
  starts: number,
  weights: number,
  taps: number,
  width: number,
  to: number,
  toStride: number,
) => void

type Down = (rows: number, weights: number, count: number, length: number, to: number) => void

type LightRow = (
  from: number,
  width: number,
  channels: number,
  light: number,
  background: number,
  red: number,
  green: number,
  blue: number,
) => void
