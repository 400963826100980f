import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DIRECTIONS, emptyGraph, minimumCut, nodeOf, opposite, type PixelGraph } from '../../src/matting/minimum-cut.ts'

/** Numbers from a fixed seed (Park–Miller). */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** A graph of that size with random arcs between neighbours, a third of which are missing. */
function randomGraph(width: number, height: number, below: (limit: number) => number): PixelGraph {
  const graph = emptyGraph({ width, height })
  const nodes = new Set(Array.from({ length: width * height }, (_, pixel) => nodeOf(graph, pixel)))
  for (const node of nodes) {
    graph.terminal[node] = below(21) - 10
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      if (nodes.has(node + (graph.offsets[direction] ?? 0)) && below(3)) graph.capacity[node * DIRECTIONS + direction] = below(8)
    }
  }
  return graph
}

/** What it costs to have just these pixels (bits of a number) with the source. */
function costOf({ terminal, capacity, offsets, ...graph }: PixelGraph, cut: number): number {
  const pixels = graph.width * graph.height
  const inside = new Map(
    Array.from({ length: pixels }, (_, pixel) => [nodeOf({ ...graph, terminal, capacity, offsets }, pixel), (cut >> pixel) & 1]),
  )
  let cost = 0
  for (const [node, source] of inside) {
    const flow = terminal[node] ?? 0
    if (flow > 0 !== Boolean(source)) cost += Math.abs(flow)
    if (!source) continue
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      if (!inside.get(node + (offsets[direction] ?? 0))) cost += capacity[node * DIRECTIONS + direction] ?? 0
    }
  }
  return cost
}

test('the cut is minimal: compared with all other cuts', () => {
  const below = numbers(17)
  for (let round = 0; round < 60; round++) {
    const graph = randomGraph(1 + below(4), 1 + below(3), below)
    const before = { ...graph, terminal: graph.terminal.slice(), capacity: graph.capacity.slice() }
    const cut = minimumCut(graph).reduce((bits, source, pixel) => bits | (source << pixel), 0)
    const all = Array.from({ length: 1 << (graph.width * graph.height) }, (_, other) => costOf(before, other))
    assert.equal(costOf(before, cut), Math.min(...all), `round ${round}`)
  }
})

test('opposite directions have neighbouring numbers', () => {
  const { offsets } = emptyGraph({ width: 5, height: 3 })
  for (const [direction, offset] of offsets.entries()) assert.equal(offsets[opposite(direction)], -offset)
})
