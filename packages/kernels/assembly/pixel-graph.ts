// A picture as a flow network. Pixels are connected to their eight neighbours, and to the source (subject) or the
// sink (background). A margin of one unconnected pixel makes checks at the edges unnecessary.

/** Opposite directions differ in the last bit of their number. */
export const DIRECTIONS: usize = 8

// Where the arrays of the graph lie: one entry for each node.
/** Residual capacity from a node in each direction: floats at node · 8 + direction. */
export let capacity: usize = 0
/** Residual capacity from the source to a node, or if negative, from the node to the sink: floats. */
export let terminal: usize = 0
/** Offsets in nodes to the neighbour in each direction, which the stride gives. */
export let offsets: usize = 0
/** Which tree a node is in, and the direction of its parent: bytes. */
export let side: usize = 0
export let parent: usize = 0
/** Arcs from a node to its root at the time in `seenTimes`: short paths are preferred. */
export let depth: usize = 0
export let seenTimes: usize = 0
/** A ring of nodes that may still grow, whether a node is in it, and a stack of orphans. */
export let queue: usize = 0
export let waiting: usize = 0
export let orphans: usize = 0

export let nodes: u32 = 0

export const SOURCE: u32 = 1

/** Bytes that a graph of so many nodes takes. */
export function graphBytes(nodeCount: i32): i32 {
  return 32 + nodeCount * (4 * 8 + 4 + 4 + 4 + 4 + 4 + 1 + 1 + 1) + 64
}

/** Says where the graph lies whose capacities are all 0 at first, or are those that were set before. */
export function useGraph(at: usize, nodeCount: i32, stride: i32): void {
  nodes = nodeCount
  const n = <usize>nodeCount
  offsets = at
  capacity = offsets + 32
  terminal = capacity + n * 4 * DIRECTIONS
  depth = terminal + n * 4
  seenTimes = depth + n * 4
  queue = seenTimes + n * 4
  orphans = queue + n * 4
  side = orphans + n * 4
  parent = side + n
  waiting = parent + n
  store<i32>(offsets, 1)
  store<i32>(offsets, -1, 4)
  store<i32>(offsets, stride, 8)
  store<i32>(offsets, -stride, 12)
  store<i32>(offsets, stride + 1, 16)
  store<i32>(offsets, -stride - 1, 20)
  store<i32>(offsets, stride - 1, 24)
  store<i32>(offsets, 1 - stride, 28)
}

export function terminals(): usize {
  return terminal
}

export function capacities(): usize {
  return capacity
}

/**
 * Joins open pixels to their neighbours, the more the more similar they are. Neighbours that are not open act as the source or the
 * sink, as they are in the mask.
 * @param planes three planes of colours, one after another @param mask @param open bytes, 1 for those that may change
 * @param smoothness of a cut between equal neighbours at distance 1 @param steepness of its fall by squared distance of colours
 */
export function joinNeighbours(planes: usize, mask: usize, open: usize, width: i32, height: i32, smoothness: f32, steepness: f32): void {
  for (let direction: usize = 0; direction < DIRECTIONS; direction += 2) {
    const right = direction == 2 ? 0 : direction == 6 ? -1 : 1
    const down = direction == 0 ? 0 : 1
    const most = direction < 4 ? smoothness : smoothness / sqrt<f32>(2)
    for (let y = 0; y < height - down; y++) {
      const from = right < 0 ? 1 : 0
      const to = right > 0 ? width - 1 : width
      for (let x = from; x < to; x++) {
        const pixel = y * width + x
        joinPair(planes, mask, open, pixel, pixel + down * width + right, (y + 1) * (width + 2) + x + 1, direction, most, steepness, width * height)
      }
    }
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function joinPair(
  planes: usize, mask: usize, open: usize, pixel: usize, other: usize, node: u32, direction: usize, most: f32, steepness: f32, plane: usize,
): void {
  const isOpen = load<u8>(open + pixel) != 0
  const isOtherOpen = load<u8>(open + other) != 0
  if (!isOpen && !isOtherOpen) return
  const l = load<f32>(planes + (pixel << 2)) - load<f32>(planes + (other << 2))
  const a = load<f32>(planes + ((pixel + plane) << 2)) - load<f32>(planes + ((other + plane) << 2))
  const b = load<f32>(planes + ((pixel + 2 * plane) << 2)) - load<f32>(planes + ((other + 2 * plane) << 2))
  const weight = most * Mathf.exp(-steepness * (l * l + a * a + b * b))
  const otherNode = node + load<i32>(offsets + (direction << 2))
  if (isOpen && isOtherOpen) {
    setCapacity(node, <u32>direction, weight)
    setCapacity(otherNode, <u32>direction ^ 1, weight)
  } else if (isOpen) pull(node, load<u8>(mask + other) ? weight : -weight)
  else pull(otherNode, load<u8>(mask + pixel) ? weight : -weight)
}

/** Makes the pull of the source on some pixels what `pulls` says. @param pixels their indices @param before what it was, and becomes */
export function pullPixels(pixels: usize, pulls: usize, before: usize, count: i32, width: i32): void {
  for (let at: usize = 0; at < <usize>count << 2; at += 4) {
    const flow = load<f32>(pulls + at)
    pull(nodeOf(load<u32>(pixels + at), width), flow - load<f32>(before + at))
    store<f32>(before + at, flow)
  }
}

/** Writes 1 for pixels on the source's side and 0 for others. */
export function readCut(pixels: usize, count: i32, width: i32, mask: usize): void {
  for (let at: usize = 0; at < <usize>count << 2; at += 4) {
    const pixel = load<u32>(pixels + at)
    store<u8>(mask + pixel, sideOf(nodeOf(pixel, width)) == SOURCE ? 1 : 0)
  }
}

// @ts-ignore
@inline
function nodeOf(pixel: u32, width: i32): u32 {
  return (pixel / width + 1) * (width + 2) + (pixel % width) + 1
}

// @ts-ignore
@inline
export function sideOf(node: u32): u32 {
  return load<u8>(side + node)
}

// @ts-ignore
@inline
export function neighbourOf(node: u32, direction: u32): u32 {
  return node + load<i32>(offsets + (<usize>direction << 2))
}

// @ts-ignore
@inline
export function arc(node: u32, direction: u32): usize {
  return capacity + ((<usize>node * DIRECTIONS + direction) << 2)
}

// @ts-ignore
@inline
function setCapacity(node: u32, direction: u32, value: f32): void {
  store<f32>(arc(node, direction), value)
}

// @ts-ignore
@inline
function pull(node: u32, flow: f32): void {
  const at = terminal + (<usize>node << 2)
  store<f32>(at, load<f32>(at) + flow)
}
