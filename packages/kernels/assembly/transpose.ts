/** Stores four vectors of four floats as their columns, the first one at `to`. @param step bytes from column to column */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function storeTransposed(a: v128, b: v128, c: v128, d: v128, to: usize, step: usize): void {
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5)
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5)
  const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7)
  const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7)
  v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5))
  v128.store(to + step, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7))
  v128.store(to + 2 * step, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5))
  v128.store(to + 3 * step, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7))
}
