/**
 * What assembly/ exports. Every parameter is an address or a number of pixels, samples or bytes; the sources say which.
 */
export interface Kernels {
  firstAddress(): number
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
  addErrors(original: number, stride: number, encoded: number, blurs: number, width: number, sums: number): void
}

type Across = (
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
