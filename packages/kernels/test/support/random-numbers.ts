/** Numbers from 0 to 1, the same ones for the same seed: the generator of Park and Miller. */
export function randomNumbers(seed: number): () => number {
  let state = (seed * 7_919) % 2_147_483_647 || 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
