import { type Axis, axisOf, wholeWeights } from './axis.ts'
import type { Kernels } from './kernels.ts'
import { deepLevels, levels } from './levels.ts'
import { openWorkspace, type Workspace, wholeVectors } from './memory.ts'

/** Pixels in rows, their channels interleaved: grey or RGB, with or without alpha, of 8 or 16 bits. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array | Uint16Array
}

/** The part of the result to compute, in its pixels. */
export interface Window {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** What is averaged: the light of sRGB samples, or the samples themselves. */
export type Basis = 'light' | 'samples'

/**
 * Resamples a picture by centred Lanczos-3, colours multiplied by their alpha, and writes a window of the result.
 * @param to the size of the whole result; either side may be shorter or longer than the picture's
 * @param data for the window's pixels, in the picture's layout
 * @throws Error if the picture has fewer samples than its size says
 */
export function resample(
  picture: Pixels,
  to: Pick<Window, 'width' | 'height'>,
  window: Window,
  basis: Basis,
  data: Pixels['data'],
): void {
  const { width, height, channels } = picture
  if (picture.data.length < width * height * channels || data.length < window.width * window.height * channels)
    throw new Error('A raster has fewer samples than its size says.')
  if (window.width === 0 || window.height === 0) return
  using workspace = openWorkspace()
  const rows = picture.data.BYTES_PER_ELEMENT === 2 ? deepRows(workspace, basis) : shallowRows(workspace, basis)
  const across = axisOf({ from: width, to: to.width, start: window.left, count: window.width }, rows.tapsAcross)
  const down = axisOf({ from: height, to: to.height, start: window.top, count: window.height }, rows.tapsDown)
  resampleRows(workspace, rows, picture, { across, down }, data)
}

/** What differs between 8 and 16 bits a sample: the width of what is averaged, and its kernels. */
interface Rows {
  /** Of a sample in a plane. */
  readonly bytes: number
  /** Numbers of taps are multiples of these. */
  readonly tapsAcross: number
  readonly tapsDown: number
  weightsOf(axis: Axis): Int16Array | Float32Array
  spread(from: number, width: number, channels: number, planes: number, stride: number): void
  readonly across: Kernels['across16']
  readonly down: Kernels['down16']
  gather(planes: number, stride: number, width: number, channels: number, to: number): void
}

function shallowRows(workspace: Workspace, basis: Basis): Rows {
  const { kernels } = workspace
  const light = workspace.place(levels[basis].light)
  const samples = workspace.place(levels[basis].samples)
  return {
    bytes: 2,
    tapsAcross: 8,
    tapsDown: 2,
    weightsOf: wholeWeights,
    spread: (from, width, channels, planes, stride) => kernels.spread8(from, width, channels, light, planes, stride),
    across: kernels.across16,
    down: kernels.down16,
    gather: (planes, stride, width, channels, to) => kernels.gather8(planes, stride, width, channels, samples, to),
  }
}

function deepRows(workspace: Workspace, basis: Basis): Rows {
  const { kernels } = workspace
  const { slope, ...tables } = deepLevels(basis)
  const light = workspace.place(tables.light)
  const samples = workspace.place(tables.samples)
  return {
    bytes: 4,
    tapsAcross: 4,
    tapsDown: 1,
    weightsOf: ({ weights }) => Float32Array.from(weights),
    spread: (from, width, channels, planes, stride) => kernels.spread16(from, width, channels, light, planes, stride),
    across: kernels.acrossFloat,
    down: kernels.downFloat,
    gather: (planes, stride, width, channels, to) => kernels.gather16(planes, stride, width, channels, samples, slope, to),
  }
}

/** Each source row becomes a row of the result's width; a ring holds as many of them as a row of the result depends on. */
function resampleRows(
  workspace: Workspace,
  rows: Rows,
  picture: Pixels,
  { across, down }: { readonly across: Axis; readonly down: Axis },
  data: Pixels['data'],
): void {
  const { channels, width, height } = picture
  const resultWidth = across.starts.length
  const source = bytesOf(picture.data)
  const result = bytesOf(data)
  const rowBytes = width * channels * data.BYTES_PER_ELEMENT
  const resultBytes = resultWidth * channels * data.BYTES_PER_ELEMENT
  const starts = workspace.place(across.starts)
  const acrossWeights = workspace.place(rows.weightsOf(across))
  const downWeights = workspace.place(rows.weightsOf(down))
  const row = workspace.allocate(rowBytes)
  const stride = wholeVectors(Math.max(width, across.taps) * rows.bytes)
  const planes = workspace.allocate(stride * channels)
  const ringStride = wholeVectors(resultWidth * rows.bytes)
  const ring = workspace.allocate(down.taps * ringStride * channels)
  const ringRows = workspace.allocate(down.taps * 4)
  const sums = workspace.allocate(ringStride * channels)
  const resultRow = workspace.allocate(resultBytes)
  // Nothing is allocated from here on, so the views stay valid.
  const rowView = workspace.bytes(row, rowBytes)
  const ringView = workspace.addresses(ringRows, down.taps)
  const resultView = workspace.bytes(resultRow, resultBytes)
  const ringPlace = (y: number) => ring + (y % down.taps) * ringStride * channels
  let next = down.starts[0] as number
  for (const [y, first] of down.starts.entries()) {
    const end = Math.min(height, first + down.taps)
    for (; next < end; next++) {
      rowView.set(source.subarray(next * rowBytes, (next + 1) * rowBytes))
      rows.spread(row, width, channels, planes, stride)
      rows.across(planes, stride, channels, starts, acrossWeights, across.taps, resultWidth, ringPlace(next), ringStride)
    }
    // Beyond the last row, weights are 0.
    for (let tap = 0; tap < down.taps; tap++) ringView[tap] = ringPlace(Math.min(first + tap, height - 1))
    const weights = downWeights + y * down.taps * rows.bytes
    rows.down(ringRows, weights, down.taps, (ringStride / rows.bytes) * channels, sums)
    rows.gather(sums, ringStride, resultWidth, channels, resultRow)
    result.set(resultView, y * resultBytes)
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Pixels['data']): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)
