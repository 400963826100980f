// Minimum barrier distances of three planes at once: a vector has the three numbers of a pixel.

/**
 * The least difference of highest and lowest value on paths to the edge, by raster scans in turn forwards and backwards.
 * @param pixels vectors @param paths room for three vectors a pixel @param to a float a pixel, the sum over the planes
 */
export function barrierDistances(pixels: usize, width: i32, height: i32, passes: i32, paths: usize, to: usize): void {
  const bytes = <usize>width * <usize>height << 4
  const highest = paths + bytes
  const lowest = highest + bytes
  memory.copy(highest, pixels, bytes)
  memory.copy(lowest, pixels, bytes)
  const far = f32x4.splat(f32.MAX_VALUE)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const isEdge = x == 0 || y == 0 || x == width - 1 || y == height - 1
    v128.store(paths + (<usize>(y * width + x) << 4), isEdge ? f32x4.splat(0) : far)
  }
  for (let pass = 0; pass < passes; pass++) {
    const step = pass % 2 == 0 ? 1 : -1
    for (let row = 1; row < height - 1; row++) {
      const y = step > 0 ? row : height - 1 - row
      for (let column = 1; column < width - 1; column++) {
        const at = <usize>(y * width + (step > 0 ? column : width - 1 - column)) << 4
        relax(pixels, paths, highest, lowest, at, at - (<isize>step << 4))
        relax(pixels, paths, highest, lowest, at, at - (<isize>step * width << 4))
      }
    }
  }
  for (let at: usize = 0; at < bytes; at += 16) {
    const barrier = v128.load(paths + at)
    store<f32>(to + (at >> 2), f32x4.extract_lane(barrier, 0) + f32x4.extract_lane(barrier, 1) + f32x4.extract_lane(barrier, 2))
  }
}

/** Extends the neighbour's path to this pixel if that has a lower barrier than the known one. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function relax(pixels: usize, paths: usize, highest: usize, lowest: usize, at: usize, neighbour: usize): void {
  const value = v128.load(pixels + at)
  const high = f32x4.max(v128.load(highest + neighbour), value)
  const low = f32x4.min(v128.load(lowest + neighbour), value)
  const knownBarrier = v128.load(paths + at)
  const barrier = f32x4.sub(high, low)
  const isLower = f32x4.lt(barrier, knownBarrier)
  v128.store(paths + at, v128.bitselect(barrier, knownBarrier, isLower))
  v128.store(highest + at, v128.bitselect(high, v128.load(highest + at), isLower))
  v128.store(lowest + at, v128.bitselect(low, v128.load(lowest + at), isLower))
}
