// The minimum cut of a picture's graph: Boykov, Kolmogorov, "An Experimental Comparison of Min-Cut/Max-Flow Algorithms for Energy
// Minimization in Vision", PAMI 2004. No SIMD: the search follows single arcs.

import {
  arc, capacity, depth, DIRECTIONS, neighbourOf, nodes, offsets, orphans, parent, queue, seenTimes, side, sideOf, SOURCE, terminal, waiting,
} from './pixel-graph'

let first: u32 = 0
let queueLength: u32 = 0
let orphanCount: u32 = 0
let time: u32 = 0
let steps: u32 = 0

/** Values of `parent` beyond the eight directions. */
const ROOT: u32 = 8
const ORPHAN: u32 = 9
const NONE: u32 = 10
const FREE: u32 = 0
const SINK: u32 = 2

/** Sends all that can flow from the source to the sink, and leaves what capacity remains: another cut may follow more pulls. */
export function minimumCut(mostSteps: u32): void {
  plant()
  while (queueLength > 0 && steps < mostSteps) {
    const node = load<u32>(queue + (<usize>first << 2))
    const direction = parentOf(node) == NONE ? NONE : grow(node)
    if (direction == NONE) {
      store<u8>(waiting + node, 0)
      first = first + 1 == nodes ? 0 : first + 1
      queueLength--
      continue
    }
    time++
    if (sideOf(node) == SOURCE) augment(node, direction)
    else augment(neighbourOf(node, direction), direction ^ 1)
    while (orphanCount > 0) {
      orphanCount--
      adopt(load<u32>(orphans + (<usize>orphanCount << 2)))
    }
  }
}

/** Two search trees of unsaturated arcs, from the source and to the sink, which grow until they touch. */
function plant(): void {
  first = queueLength = orphanCount = time = steps = 0
  memory.fill(seenTimes, 0, <usize>nodes << 2)
  memory.fill(waiting, 0, nodes)
  for (let node: u32 = 0; node < nodes; node++) {
    const flow = load<f32>(terminal + (<usize>node << 2))
    store<u8>(side + node, flow > 0 ? SOURCE : flow < 0 ? SINK : FREE)
    store<u8>(parent + node, flow == 0 ? NONE : ROOT)
    store<u32>(depth + (<usize>node << 2), 1)
    if (flow != 0) activate(node)
  }
}

// @ts-ignore
@inline
function parentOf(node: u32): u32 {
  return load<u8>(parent + node)
}

function activate(node: u32): void {
  if (load<u8>(waiting + node)) return
  store<u8>(waiting + node, 1)
  const last = first + queueLength
  store<u32>(queue + (<usize>(last >= nodes ? last - nodes : last) << 2), node)
  queueLength++
}

// @ts-ignore
@inline
function orphan(node: u32): void {
  store<u8>(parent + node, ORPHAN)
  store<u32>(orphans + (<usize>orphanCount << 2), node)
  orphanCount++
}

/** Where the residual capacity along the tree lies between a node and its neighbour: away from the root if `outwards`, else towards it. */
// @ts-ignore
@inline
function residual(node: u32, direction: u32, outwards: bool): f32 {
  if ((sideOf(node) == SOURCE) == outwards) return load<f32>(arc(node, direction))
  return load<f32>(arc(neighbourOf(node, direction), direction ^ 1))
}

/** Adds free neighbours to the node's tree; returns the direction in which it touches the other tree, or NONE. */
function grow(node: u32): u32 {
  const own = sideOf(node)
  for (let direction: u32 = 0; direction < ROOT; direction++) {
    if (residual(node, direction, true) <= 0) continue
    const neighbour = neighbourOf(node, direction)
    const other = sideOf(neighbour)
    if (other == FREE) store<u8>(side + neighbour, own)
    else if (other != own) return direction
    else if (
      load<u32>(seenTimes + (<usize>neighbour << 2)) > load<u32>(seenTimes + (<usize>node << 2)) ||
      load<u32>(depth + (<usize>neighbour << 2)) <= load<u32>(depth + (<usize>node << 2))
    ) continue
    const isNew = parentOf(neighbour) == NONE
    store<u8>(parent + neighbour, direction ^ 1)
    store<u32>(seenTimes + (<usize>neighbour << 2), load<u32>(seenTimes + (<usize>node << 2)))
    store<u32>(depth + (<usize>neighbour << 2), load<u32>(depth + (<usize>node << 2)) + 1)
    if (isNew) activate(neighbour)
  }
  return NONE
}

/** Pushes the maximum flow along the path from the source to `node`, on in that direction, and to the sink. */
function augment(node: u32, direction: u32): void {
  const beyond = neighbourOf(node, direction)
  const middle = arc(node, direction)
  const flow = min<f32>(load<f32>(middle), min<f32>(narrowest(node), narrowest(beyond)))
  store<f32>(middle, load<f32>(middle) - flow)
  const back = arc(beyond, direction ^ 1)
  store<f32>(back, load<f32>(back) + flow)
  send(node, flow)
  send(beyond, flow)
}

/** The smallest residual capacity between a node and its root. */
function narrowest(node: u32): f32 {
  let least: f32 = f32.MAX_VALUE
  for (let direction = parentOf(node); direction != ROOT; direction = parentOf(node)) {
    least = min<f32>(least, residual(node, direction, false))
    steps++
    node = neighbourOf(node, direction)
  }
  return min<f32>(least, abs<f32>(load<f32>(terminal + (<usize>node << 2))))
}

/** Subtracts the flow from the path to the root; a node whose arc becomes saturated is an orphan. */
function send(node: u32, flow: f32): void {
  const isSource = sideOf(node) == SOURCE
  for (let direction = parentOf(node); direction != ROOT; direction = parentOf(node)) {
    const above = neighbourOf(node, direction)
    const there = arc(node, direction)
    const back = arc(above, direction ^ 1)
    const full = isSource ? back : there
    const freedArc = isSource ? there : back
    const left = load<f32>(full) - flow
    store<f32>(full, left)
    store<f32>(freedArc, load<f32>(freedArc) + flow)
    if (left <= 0) orphan(node)
    node = above
  }
  const at = terminal + (<usize>node << 2)
  const left = load<f32>(at) - (isSource ? flow : -flow)
  store<f32>(at, left)
  if (left == 0) orphan(node)
}

/** Attaches an orphan to the neighbour nearest to the root; if there is none, it becomes free and its children orphans. */
function adopt(node: u32): void {
  const own = sideOf(node)
  let best = NONE
  let least: u32 = u32.MAX_VALUE
  for (let direction: u32 = 0; direction < ROOT; direction++) {
    const neighbour = neighbourOf(node, direction)
    if (sideOf(neighbour) != own || residual(node, direction, false) <= 0) continue
    const distance = depthOf(neighbour)
    if (distance < least) {
      best = direction
      least = distance
    }
  }
  if (best != NONE) {
    store<u8>(parent + node, best)
    store<u32>(depth + (<usize>node << 2), least + 1)
    store<u32>(seenTimes + (<usize>node << 2), time)
    return
  }
  for (let direction: u32 = 0; direction < ROOT; direction++) {
    const neighbour = neighbourOf(node, direction)
    if (sideOf(neighbour) != own) continue
    if (residual(node, direction, false) > 0) activate(neighbour)
    if (parentOf(neighbour) == (direction ^ 1)) orphan(neighbour)
  }
  store<u8>(side + node, FREE)
  store<u8>(parent + node, NONE)
}

/** Arcs to the root, counting that from the root itself; the greatest number if the path ends at an orphan. Cached along the path. */
function depthOf(from: u32): u32 {
  let node = from
  let arcs: u32 = 0
  for (; load<u32>(seenTimes + (<usize>node << 2)) != time; arcs++) {
    const direction = parentOf(node)
    steps++
    if (direction == ORPHAN || direction == NONE) return u32.MAX_VALUE
    if (direction == ROOT) {
      store<u32>(seenTimes + (<usize>node << 2), time)
      store<u32>(depth + (<usize>node << 2), 1)
      break
    }
    node = neighbourOf(node, direction)
  }
  const whole = arcs + load<u32>(depth + (<usize>node << 2))
  let left = whole
  for (let at = from; load<u32>(seenTimes + (<usize>at << 2)) != time; at = neighbourOf(at, parentOf(at))) {
    store<u32>(seenTimes + (<usize>at << 2), time)
    store<u32>(depth + (<usize>at << 2), left--)
  }
  return whole
}
