// How likely colours are under mixtures of Gaussians.

/** Of a component: the mean of three numbers, the upper triangle of the precision in rows, its other half added, and the log height. */
const COMPONENT: usize = 10 * 4

/**
 * The log-likelihood of each colour, up to a constant: that of the likeliest component.
 * @param colours three planes of `stride` bytes, in whole vectors
 */
export function likelihoods(colours: usize, stride: usize, components: usize, count: i32, to: usize): void {
  for (let at: usize = 0; at < stride; at += 16) v128.store(to + at, likeliest(colours + at, stride, components, count))
}

/** By how much a colour is likelier under one mixture than under another. */
export function likelihoodRatios(
  colours: usize, stride: usize, components: usize, count: i32, others: usize, otherCount: i32, to: usize,
): void {
  for (let at: usize = 0; at < stride; at += 16) {
    const one = likeliest(colours + at, stride, components, count)
    v128.store(to + at, f32x4.sub(one, likeliest(colours + at, stride, others, otherCount)))
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function likeliest(at: usize, stride: usize, components: usize, count: i32): v128 {
  const l = v128.load(at)
  const a = v128.load(at + stride)
  const b = v128.load(at + 2 * stride)
  let best = f32x4.splat(-f32.MAX_VALUE)
  for (let from = components, end = components + <usize>count * COMPONENT; from < end; from += COMPONENT) {
    const x = f32x4.sub(l, v128.load32_splat(from))
    const y = f32x4.sub(a, v128.load32_splat(from, 4))
    const z = f32x4.sub(b, v128.load32_splat(from, 8))
    const byX = f32x4.add(f32x4.add(f32x4.mul(x, v128.load32_splat(from, 12)), f32x4.mul(y, v128.load32_splat(from, 16))), f32x4.mul(z, v128.load32_splat(from, 20)))
    const byY = f32x4.add(f32x4.mul(y, v128.load32_splat(from, 24)), f32x4.mul(z, v128.load32_splat(from, 28)))
    const byZ = f32x4.mul(z, v128.load32_splat(from, 32))
    const distance = f32x4.add(f32x4.add(f32x4.mul(x, byX), f32x4.mul(y, byY)), f32x4.mul(z, byZ))
    const likelihood = f32x4.sub(v128.load32_splat(from, 36), f32x4.mul(f32x4.max(distance, f32x4.splat(0)), f32x4.splat(0.5)))
    best = f32x4.max(best, likelihood)
  }
  return best
}
