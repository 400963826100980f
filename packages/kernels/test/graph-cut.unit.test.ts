import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PixelGraph } from '../src/graph-cut.ts'
import { openWorkspace } from '../src/memory.ts'
import type { Component, Mixture } from '../src/mixture.ts'
import { randomNumbers } from './support/random-numbers.ts'

const DIRECTIONS = 8

/** A graph of pixels with a margin of one node around them, as the kernel has it. */
interface Graph {
  readonly width: number
  readonly height: number
  readonly offsets: readonly number[]
  readonly capacity: Float32Array
  readonly terminal: Float32Array
}

const nodeOf = ({ width }: Pick<Graph, 'width'>, pixel: number): number =>
  (Math.floor(pixel / width) + 1) * (width + 2) + (pixel % width) + 1

/** Random arcs between neighbours, a third of which are missing. */
function randomGraph(width: number, height: number, below: (limit: number) => number): Graph {
  const stride = width + 2
  const offsets = [1, -1, stride, -stride, stride + 1, -stride - 1, stride - 1, 1 - stride]
  const count = stride * (height + 2)
  const capacity = new Float32Array(count * DIRECTIONS)
  const terminal = new Float32Array(count)
  const nodes = new Set(Array.from({ length: width * height }, (_, pixel) => nodeOf({ width }, pixel)))
  for (const node of nodes) {
    terminal[node] = below(21) - 10
    for (const [direction, offset] of offsets.entries())
      if (nodes.has(node + offset) && below(3)) capacity[node * DIRECTIONS + direction] = below(8)
  }
  return { width, height, offsets, capacity, terminal }
}

/** What it costs to have just these pixels (bits of a number) with the source. */
function costOf(graph: Graph, cut: number): number {
  const inside = new Map(
    Array.from({ length: graph.width * graph.height }, (_, pixel) => [nodeOf(graph, pixel), (cut >> pixel) & 1]),
  )
  let cost = 0
  for (const [node, isSource] of inside) {
    const flow = graph.terminal[node] as number
    if (flow > 0 !== Boolean(isSource)) cost += Math.abs(flow)
    if (!isSource) continue
    for (const [direction, offset] of graph.offsets.entries())
      if (!inside.get(node + offset)) cost += graph.capacity[node * DIRECTIONS + direction] as number
  }
  return cost
}

function cutOf({ width, height, capacity, terminal }: Graph): { cut(): number; pull(pulls: Float32Array): void } & Disposable {
  const workspace = openWorkspace()
  const { kernels } = workspace
  const pixels = Int32Array.from({ length: width * height }, (_, pixel) => pixel)
  const graph = workspace.allocate(kernels.graphBytes(terminal.length))
  const places = workspace.place(pixels)
  const mask = workspace.allocate(pixels.length)
  const pulls = workspace.allocate(pixels.length * 4)
  const before = workspace.allocate(pixels.length * 4)
  kernels.useGraph(graph, terminal.length, width + 2)
  workspace.floats(kernels.capacities(), capacity.length).set(capacity)
  workspace.floats(kernels.terminals(), terminal.length).set(terminal)
  return {
    cut() {
      kernels.minimumCut(1e6)
      kernels.readCut(places, pixels.length, width, mask)
      return workspace.bytes(mask, pixels.length).reduce((bits, source, pixel) => bits | (source << pixel), 0)
    },
    pull(values) {
      workspace.floats(pulls, pixels.length).set(values)
      kernels.pullPixels(places, pulls, before, pixels.length, width)
    },
    [Symbol.dispose]: () => workspace[Symbol.dispose](),
  }
}

const numbers = (seed: number) => {
  const next = randomNumbers(seed)
  return (limit: number) => Math.floor(next() * limit)
}

function assertMinimal(graph: Graph, cut: number, what: string): void {
  const all = Array.from({ length: 1 << (graph.width * graph.height) }, (_, other) => costOf(graph, other))
  assert.equal(costOf(graph, cut), Math.min(...all), what)
}

test('the cut is minimal: compared with all other cuts', () => {
  const below = numbers(17)
  for (let round = 0; round < 60; round++) {
    const graph = randomGraph(1 + below(4), 1 + below(3), below)
    using kernel = cutOf(graph)
    assertMinimal(graph, kernel.cut(), `round ${round}`)
  }
})

test('a cut that follows another is minimal for the pulls that have changed', () => {
  const below = numbers(5)
  for (let round = 0; round < 40; round++) {
    const graph = randomGraph(1 + below(4), 1 + below(3), below)
    using kernel = cutOf(graph)
    kernel.cut()
    for (let change = 0; change < 3; change++) {
      const pulls = Float32Array.from({ length: graph.width * graph.height }, () => below(25) - 12)
      kernel.pull(pulls)
      const terminal = graph.terminal.slice()
      for (const [pixel, pull] of pulls.entries()) {
        const node = nodeOf(graph, pixel)
        terminal[node] = (terminal[node] as number) + pull
      }
      assertMinimal({ ...graph, terminal }, kernel.cut(), `round ${round}, change ${change}`)
    }
  }
})

const around = (level: number): Mixture => [
  { mean: [level, 0, 0], precision: [0.01, 0, 0, 0.1, 0, 0.1], logHeight: 0 } satisfies Component,
]

test('open pixels take the side of their colours, and single ones that of their neighbours', () => {
  const width = 12
  const height = 9
  // The right half is bright, with a dark pixel in it; the mask says that only the last column is subject.
  const light = Float32Array.from({ length: width * height }, (_, pixel) =>
    pixel % width < 6 ? 10 : pixel === 3 * width + 8 ? 45 : 90,
  )
  const flat = new Float32Array(width * height)
  const mask = Uint8Array.from(light, (_, pixel) => (pixel % width === 11 ? 1 : 0))
  const open = Uint8Array.from(light, (_, pixel) => (pixel % width > 1 && pixel % width < 11 ? 1 : 0))
  using workspace = openWorkspace()
  const graph = new PixelGraph(
    workspace,
    { width, height, planes: [light, flat, flat], mask, open },
    { smoothness: 50, steepness: 1e-3 },
  )
  const cut = graph.cut(around(90), around(10))
  assert.deepEqual(
    cut,
    mask.map((_, pixel) => (pixel % width > 5 ? 1 : 0)),
  )
  // Everything may belong to the background, but for what the mask holds.
  assert.deepEqual(graph.cut(around(300), around(50)), mask)
})
