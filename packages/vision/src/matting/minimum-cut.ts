import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Mask } from './regions.ts'

/** Number of neighbours of a pixel. Opposite directions differ in the last bit of their number. */
export const DIRECTIONS = 8
export const opposite = (direction: number): number => direction ^ 1

/**
 * A picture as a flow network: pixels are connected to their eight neighbours, and to the source (subject) or the sink
 * (background). A margin of one unconnected pixel makes checks at the edges unnecessary.
 */
export interface PixelGraph extends Size {
  /** Columns with both margins. */
  readonly stride: number
  /** Offset from a node to its neighbour in each direction. */
  readonly offsets: Int32Array
  /** Residual capacity from a node in each direction: at node · 8 + direction. */
  readonly capacity: Float64Array
  /** Residual capacity from the source to a node, or if negative, from the node to the sink. */
  readonly terminal: Float64Array
}

export function emptyGraph({ width, height }: Size): PixelGraph {
  const stride = width + 2
  const nodes = stride * (height + 2)
  const offsets = Int32Array.of(1, -1, stride, -stride, stride + 1, -stride - 1, stride - 1, 1 - stride)
  const capacity = new Float64Array(nodes * DIRECTIONS)
  const terminal = new Float64Array(nodes)
  return { width, height, stride, offsets, capacity, terminal }
}

export const nodeOf = ({ width, stride }: PixelGraph, pixel: number): number => {
  const column = pixel % width
  return ((pixel - column) / width + 1) * stride + column + 1
}

/** Values of `parent` beyond the eight directions. */
const ROOT = DIRECTIONS
const ORPHAN = DIRECTIONS + 1
const NONE = DIRECTIONS + 2
const FREE = 0
const SOURCE = 1
const SINK = 2

/** Two search trees of unsaturated arcs, from the source and to the sink, which grow until they touch. */
interface Trees {
  readonly graph: PixelGraph
  /** Which tree a node is in. */
  readonly side: Uint8Array
  /** Direction of a node's parent, or ROOT, ORPHAN or NONE. */
  readonly parent: Uint8Array
  /** Arcs from a node to its root at the time in `seen`: short paths are preferred. */
  readonly depth: Int32Array
  readonly seen: Int32Array
  /** Queue of nodes that may still grow, and which nodes are in it. */
  readonly active: number[]
  readonly waiting: Uint8Array
  readonly orphans: number[]
  time: number
  /** Arcs followed so far. */
  steps: number
}

/**
 * One or two seconds, more than photographs take. On fine regular patterns the search would take half a minute without a
 * better result, so it stops with the cut found so far.
 */
const MOST_STEPS = 40_000_000

/**
 * The minimum cut between source and sink: 1 for pixels on the source's side. Modifies the graph.
 * Boykov, Kolmogorov: An Experimental Comparison of Min-Cut/Max-Flow Algorithms for Energy Minimization in Vision, PAMI 2004.
 */
export function minimumCut(graph: PixelGraph): Mask {
  const trees = plant(graph)
  for (let next = 0; next < trees.active.length && trees.steps < MOST_STEPS; ) {
    const node = trees.active[next] as number
    const direction = trees.parent[node] === NONE ? NONE : grow(trees, node)
    if (direction === NONE) {
      trees.waiting[node] = 0
      next++
      // Drops processed entries now and then, as the queue grows with every augmentation.
      if (next > 65_536) next -= trees.active.splice(0, next).length
      continue
    }
    trees.time++
    if (trees.side[node] === SOURCE) augment(trees, node, direction)
    else augment(trees, node + (graph.offsets[direction] as number), opposite(direction))
    for (let orphan = trees.orphans.pop(); orphan !== undefined; orphan = trees.orphans.pop()) adopt(trees, orphan)
  }
  const { width, height } = graph
  return Uint8Array.from({ length: width * height }, (_, pixel) => (trees.side[nodeOf(graph, pixel)] === SOURCE ? 1 : 0))
}

function plant(graph: PixelGraph): Trees {
  const { terminal } = graph
  const nodes = terminal.length
  const side = Uint8Array.from(terminal, (flow) => (flow > 0 ? SOURCE : flow < 0 ? SINK : FREE))
  const parent = Uint8Array.from(terminal, (flow) => (flow === 0 ? NONE : ROOT))
  const trees = { graph, side, parent, depth: new Int32Array(nodes).fill(1), seen: new Int32Array(nodes), time: 0, steps: 0 }
  const all: Trees = { ...trees, active: [], waiting: new Uint8Array(nodes), orphans: [] }
  for (let node = 0; node < nodes; node++) if (terminal[node] !== 0) activate(all, node)
  return all
}

function activate({ active, waiting }: Trees, node: number): void {
  if (waiting[node]) return
  waiting[node] = 1
  active.push(node)
}

/** Residual capacity along the tree between a node and its neighbour: away from the root if `outwards`, else towards it. */
function residual({ side, graph: { capacity, offsets } }: Trees, node: number, direction: number, outwards: boolean): number {
  if ((side[node] === SOURCE) === outwards) return capacity[node * DIRECTIONS + direction] as number
  return capacity[(node + (offsets[direction] as number)) * DIRECTIONS + opposite(direction)] as number
}

/** Adds free neighbours to the node's tree; returns the direction in which it touches the other tree, or NONE. */
function grow(trees: Trees, node: number): number {
  const { side, parent, depth, seen, graph } = trees
  for (let direction = 0; direction < DIRECTIONS; direction++) {
    if (residual(trees, node, direction, true) <= 0) continue
    const neighbour = node + (graph.offsets[direction] as number)
    if (side[neighbour] === FREE) side[neighbour] = side[node] as number
    else if (side[neighbour] !== side[node]) return direction
    else if ((seen[neighbour] as number) > (seen[node] as number) || (depth[neighbour] as number) <= (depth[node] as number))
      continue
    const isNew = parent[neighbour] === NONE
    parent[neighbour] = opposite(direction)
    seen[neighbour] = seen[node] as number
    depth[neighbour] = (depth[node] as number) + 1
    if (isNew) activate(trees, neighbour)
  }
  return NONE
}

/** Pushes the maximum flow along the path from the source to `node`, on in that direction, and to the sink. */
function augment(trees: Trees, node: number, direction: number): void {
  const { capacity, offsets } = trees.graph
  const beyond = node + (offsets[direction] as number)
  const middle = node * DIRECTIONS + direction
  const flow = Math.min(capacity[middle] as number, narrowest(trees, node), narrowest(trees, beyond))
  capacity[middle] = (capacity[middle] as number) - flow
  const back = beyond * DIRECTIONS + opposite(direction)
  capacity[back] = (capacity[back] as number) + flow
  send(trees, node, flow)
  send(trees, beyond, flow)
}

/** The smallest residual capacity between a node and its root. */
function narrowest(trees: Trees, from: number): number {
  const { parent, graph } = trees
  let node = from
  let least = Number.POSITIVE_INFINITY
  for (let direction = parent[node] as number; direction !== ROOT; direction = parent[node] as number) {
    least = Math.min(least, residual(trees, node, direction, false))
    trees.steps++
    node += graph.offsets[direction] as number
  }
  return Math.min(least, Math.abs(graph.terminal[node] as number))
}

/** Subtracts the flow from the path to the root; a node whose arc becomes saturated is an orphan. */
function send({ side, parent, orphans, graph: { capacity, terminal, offsets } }: Trees, from: number, flow: number): void {
  let node = from
  for (let direction = parent[node] as number; direction !== ROOT; direction = parent[node] as number) {
    const above = node + (offsets[direction] as number)
    const there = node * DIRECTIONS + direction
    const back = above * DIRECTIONS + opposite(direction)
    const [full, freedArc] = side[node] === SOURCE ? [back, there] : [there, back]
    capacity[full] = (capacity[full] as number) - flow
    capacity[freedArc] = (capacity[freedArc] as number) + flow
    if ((capacity[full] as number) <= 0) {
      parent[node] = ORPHAN
      orphans.push(node)
    }
    node = above
  }
  terminal[node] = (terminal[node] as number) - (side[node] === SOURCE ? flow : -flow)
  if (terminal[node] !== 0) return
  parent[node] = ORPHAN
  orphans.push(node)
}

/** Attaches an orphan to the neighbour nearest to the root; if there is none, it becomes free and its children orphans. */
function adopt(trees: Trees, orphan: number): void {
  const { side, parent, depth, seen, orphans, graph } = trees
  let best = NONE
  let least = Number.POSITIVE_INFINITY
  for (let direction = 0; direction < DIRECTIONS; direction++) {
    const neighbour = orphan + (graph.offsets[direction] as number)
    if (side[neighbour] !== side[orphan] || residual(trees, orphan, direction, false) <= 0) continue
    const distance = depthOf(trees, neighbour)
    if (distance < least) {
      best = direction
      least = distance
    }
  }
  if (best !== NONE) {
    parent[orphan] = best
    depth[orphan] = least + 1
    seen[orphan] = trees.time
    return
  }
  for (let direction = 0; direction < DIRECTIONS; direction++) {
    const neighbour = orphan + (graph.offsets[direction] as number)
    if (side[neighbour] !== side[orphan]) continue
    if (residual(trees, orphan, direction, false) > 0) activate(trees, neighbour)
    if (parent[neighbour] !== opposite(direction)) continue
    parent[neighbour] = ORPHAN
    orphans.push(neighbour)
  }
  side[orphan] = FREE
  parent[orphan] = NONE
}

/** Arcs to the root, counting that from the root itself; Infinity if the path ends at an orphan. Cached along the path. */
function depthOf(trees: Trees, from: number): number {
  const { parent, depth, seen, time } = trees
  const { offsets } = trees.graph
  let node = from
  let arcs = 0
  for (; seen[node] !== time; arcs++) {
    const direction = parent[node] as number
    trees.steps++
    if (direction === ORPHAN || direction === NONE) return Number.POSITIVE_INFINITY
    if (direction === ROOT) {
      seen[node] = time
      depth[node] = 1
      break
    }
    node += offsets[direction] as number
  }
  const nextLabel = arcs + (depth[node] as number)
  let left = nextLabel
  for (let at = from; seen[at] !== time; at += offsets[parent[at] as number] as number) {
    seen[at] = time
    depth[at] = left--
  }
  return nextLabel
}
