import { type Measure, type Taken, without } from './confinement.ts'

/** Whether a program starts with these measures. */
export type Starts = (taken: Taken) => Promise<boolean>

/**
 * Finds the measures that work here: all at the first attempt; otherwise all but one and those that depend on it, such as user
 * namespaces, which containers seldom allow; otherwise starts with none. The missing ones are then added one by one, innermost
 * first, as long as the program still starts. Undefined for a program that does not start at all.
 */
export async function workingMeasures(applicable: readonly Measure[], starts: Starts): Promise<Taken | undefined> {
  const supported = applicable.filter(({ supported = true }) => supported)
  const all: Taken = new Set(supported.map(({ name }) => name))
  const commands = supported.filter(({ command }) => command)
  if (process.platform === 'linux' && (await starts(all))) return all
  const bare: Taken = new Set(supported.filter(({ command }) => !command).map(({ name }) => name))
  if (!(await starts(bare))) return undefined
  if (process.platform !== 'linux') return bare
  for (const { name } of commands) {
    const most = without(all, [name])
    if (await starts(most)) return await addTo(most, commands, starts)
  }
  return await addTo(bare, commands, starts)
}

/** Each is tried once, as soon as those that it depends on are in effect. */
async function addTo(begun: Taken, commands: readonly Measure[], starts: Starts): Promise<Taken> {
  const untried = new Set(commands.filter(({ name }) => !begun.has(name)).toReversed())
  let taken = begun
  for (;;) {
    const next = untried.values().find(({ needs = [] }) => needs.every((needed) => taken.has(needed)))
    if (!next) return taken
    untried.delete(next)
    const more = new Set([...taken, next.name])
    if (await starts(more)) taken = more
  }
}
