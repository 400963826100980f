import type { Measure, Taken } from './confinement.ts'

/** Whether a program starts while these measures are taken. */
export type Starts = (taken: Taken) => Promise<boolean>

/**
 * What of the confinement works here: all of it at the first try, or what a program starts with when one measure after the
 * other is added, the innermost first; containers, for example, often allow no user namespaces. Undefined for a program
 * that does not start at all.
 */
export async function workingMeasures(measures: readonly Measure[], starts: Starts): Promise<Taken | undefined> {
  const all = new Set(measures.map(({ name }) => name))
  const commands = process.platform === 'linux' ? measures.filter(({ words }) => words).toReversed() : []
  if (commands.length > 0 && (await starts(all))) return all
  let taken: Taken = new Set(measures.filter(({ words }) => !words).map(({ name }) => name))
  if (!(await starts(taken))) return undefined
  for (let before = -1; before < taken.size; ) {
    before = taken.size
    for (const { name, needs = [] } of commands) {
      const more = new Set([...taken, name])
      const met = needs.every((needed) => taken.has(needed))
      if (met && !taken.has(name) && (await starts(more))) taken = more
    }
  }
  return taken
}
