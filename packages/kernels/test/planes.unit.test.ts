import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorkspace } from '../src/memory.ts'
import { type PlaneName, planeRows, writePlanes } from '../src/planes.ts'
import type { Pixels } from '../src/resample.ts'
import { collectRows } from '../src/rows.ts'
import { randomNumbers } from './support/random-numbers.ts'

const next = randomNumbers(4)

function noise(width: number, height: number, channels: number, depth: 8 | 16): Pixels {
  const length = width * height * channels
  const most = 2 ** depth - 1
  const data = depth === 16 ? new Uint16Array(length) : new Uint8Array(length)
  for (let at = 0; at < length; at++) data[at] = next() < 0.3 ? (next() < 0.5 ? 0 : most) : Math.floor(next() * (most + 1))
  return { width, height, channels, data }
}

const kinds = [
  [3, 8],
  [4, 8],
  [3, 16],
  [4, 16],
] as const
const wholeOf = ({ width, height }: Pixels) => ({ left: 0, top: 0, width, height })

test('planes are brightness, two colours and opacity of an area, on a scale of 0–255', () => {
  const sums: Readonly<Record<Exclude<PlaneName, 'opacity'>, (r: number, g: number, b: number) => number>> = {
    light: (r, g, b) => (r + g + b) / Math.sqrt(3),
    redBlue: (r, _g, b) => (r - b) / Math.SQRT2,
    green: (r, g, b) => (r - 2 * g + b) / Math.sqrt(6),
    grey: (r) => r,
  }
  for (let width = 1; width <= 40; width++) {
    for (const [channels, depth] of kinds) {
      const picture = noise(width + 3, 4, channels, depth)
      const area = { left: 2, top: 1, width, height: 2 }
      using workspace = openWorkspace()
      const names = [...(Object.keys(sums) as (keyof typeof sums)[]), ...(channels === 4 ? (['opacity'] as const) : [])]
      for (const name of names) {
        const plane = collectRows(workspace, planeRows(workspace, picture, area, name))
        for (const [at, value] of plane.entries()) {
          const pixel = ((1 + Math.floor(at / width)) * picture.width + 2 + (at % width)) * channels
          const [r, g, b, a] = [0, 1, 2, 3].map((channel) => (picture.data[pixel + channel] ?? 0) / (depth === 16 ? 257 : 1))
          const expected = name === 'opacity' ? a : sums[name](r as number, g as number, b as number)
          assert.ok(Math.abs(value - (expected as number)) < 1e-3, `${name} of ${width}, ${channels} channels, ${depth} bits`)
        }
      }
    }
  }
})

test('planes become the same pixels again, and what is fully transparent black', () => {
  for (let width = 1; width <= 40; width++) {
    for (const [channels, depth] of kinds) {
      const picture = noise(width, 3, channels, depth)
      const copy = { ...picture, data: picture.data.slice().fill(77) }
      using workspace = openWorkspace()
      const rows = (name: PlaneName) => planeRows(workspace, picture, wholeOf(picture), name)
      const opacity = channels === 4 ? rows('opacity') : undefined
      writePlanes(workspace, { colours: [rows('light'), rows('redBlue'), rows('green')], opacity }, copy)
      const expected = picture.data.slice()
      if (channels === 4) for (let at = 0; at < expected.length; at += 4) if (expected[at + 3] === 0) expected.fill(0, at, at + 3)
      assert.deepEqual(copy.data, expected)
    }
  }
})

test('values beyond black and white are clamped, and grey stays grey', () => {
  const levels = [-400, -0.6, -0.4, 0, 0.4, 0.6, 127.4, 254.6, 255.4, 900]
  for (const [channels, depth] of kinds) {
    const width = levels.length
    const data = depth === 16 ? new Uint16Array(width * channels) : new Uint8Array(width * channels)
    using workspace = openWorkspace()
    const light = { width, height: 1, writeNext: (to: number) => workspace.floats(to, width).set(levels) }
    writePlanes(workspace, { colours: [light], opacity: undefined }, { width, height: 1, channels, data })
    const scale = depth === 16 ? 257 : 1
    for (const [x, level] of levels.entries()) {
      const grey = Math.floor(Math.max(0, Math.min(255 * scale, level * scale)) + 0.5)
      const pixel = [...data.subarray(x * channels, (x + 1) * channels)]
      assert.deepEqual(pixel, [grey, grey, grey, ...(channels === 4 ? [255 * scale] : [])], `${level} in ${depth} bits`)
    }
  }
})
