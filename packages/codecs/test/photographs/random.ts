/** A small seeded generator (mulberry32) of numbers in 0..1: the same pictures in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let hash = Math.imul(state ^ (state >>> 15), 1 | state)
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash
    return ((hash ^ (hash >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Sums of four uniform numbers, close to a normal distribution, as a table for fast lookup. */
function grainTable(seed: number, deviation: number): Float32Array {
  const random = seededRandom(seed)
  const normal = () => (random() + random() + random() + random() - 2) * Math.sqrt(3)
  return Float32Array.from({ length: 1 << 16 }, () => normal() * deviation)
}

/** Adds sensor-like grain to 8-bit samples in place. */
export function addGrain(samples: Uint8Array, seed: number, deviation: number): void {
  const grain = grainTable(seed, deviation)
  const random = seededRandom(seed + 1)
  let at = 0
  for (let i = 0; i < samples.length; i++) {
    // Jumps at every row's worth of samples, so that the table's period makes no pattern.
    if (i % 4096 === 0) at = Math.floor(random() * grain.length)
    const value = (samples[i] ?? 0) + (grain[at++ & 0xffff] ?? 0)
    samples[i] = Math.max(0, Math.min(255, value))
  }
}
