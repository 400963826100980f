import type { Measure, Taken } from './confinement.ts'

/** Whether a program starts while these measures are taken. */
export type Starts = (taken: Taken) => Promise<boolean>

/**
 * What of the confinement works here: all of it at the first try, or what a program starts with when one measure after the
 * other is added, the innermost first. Containers, for example, often allow no user namespaces.
 */
export async function workingMeasures(measures: readonly Measure[], starts: Starts): Promise<Taken> {
  const all = new Set(measures.map(({ name }) => name))
  if (process.platform === 'linux' && (await starts(all))) return all
  const commands = measures.filter(({ words }) => words).toReversed()
  let taken: Taken = all.difference(new Set(commands.map(({ name }) => name)))
  if (process.platform !== 'linux') return taken
  // A program that starts with nothing taken from it either is not there.
  if (!(await starts(taken))) return new Set()
  for (let added = true; added; ) {
    added = false
    for (const { name, needs = [] } of commands) {
      if (taken.has(name) || !needs.every((needed) => taken.has(needed))) continue
      const more = new Set([...taken, name])
      if (!(await starts(more))) continue
      taken = more
      added = true
    }
  }
  return taken
}
