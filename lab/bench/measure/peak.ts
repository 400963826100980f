import { type PerRole, sumOf } from './tree-usage.ts'

export interface Watched<Result> {
  readonly result: Result
  /** The maximum sum observed. */
  readonly used: PerRole
}

/** Samples the memory while `work` runs, twice a second by default. */
export async function peakDuring<Result>(
  memory: () => PerRole,
  work: () => Promise<Result>,
  everyMs = 500,
): Promise<Watched<Result>> {
  const samples: PerRole[] = [memory()]
  const watch = setInterval(() => samples.push(memory()), everyMs)
  const result = await work().finally(() => clearInterval(watch))
  return { result, used: samples.reduce((most, one) => (sumOf(one) > sumOf(most) ? one : most)) }
}
