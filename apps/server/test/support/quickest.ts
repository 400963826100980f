/**
 * The shortest of three runs of `work`, in milliseconds: other load on the machine delays one of them, while work that is slow by
 * itself is slow in all three.
 */
export async function quickest(work: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let nth = 0; nth < 3; nth++) {
    const began = performance.now()
    await work()
    best = Math.min(best, performance.now() - began)
  }
  return best
}
