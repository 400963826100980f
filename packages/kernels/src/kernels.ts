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
