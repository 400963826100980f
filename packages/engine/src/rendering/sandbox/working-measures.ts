import { type Measure, type Taken, without } from './confinement.ts'

/** Whether a program starts with these measures. */
export type Starts = (taken: Taken) => Promise<boolean>

/**
 * Finds the measures that work here: all at the first attempt; otherwise all but one and those that depend on it, such as user
 * namespaces, which containers seldom allow; otherwise starts with none. The missing ones are then added one by one, innermost
 * first, as long as the program still starts. Undefined for a program that does not start at all.
 */
export async function workingMeasures(applicable: readonly Measure[], starts: Starts): Promise<Taken | undefined> {
  const most = mostMeasures(applicable)
  const commands = applicable.filter(({ name, command }) => command && most.has(name))
  if (await starts(most)) return most
  if (process.platform !== 'linux') return undefined
  const bare = without(
    most,
    commands.map(({ name }) => name),
  )
  if (!(await starts(bare))) return undefined
  for (const { name } of commands) {
    const others = without(most, [name])
    if (await starts(others)) return await addTo(others, commands, starts)
  }
  return await addTo(bare, commands, starts)
}

/** All measures that this system has: the commands are Linux's. */
export function mostMeasures(applicable: readonly Measure[]): Taken {
  const isOfSystem = ({ supported = true, command }: Measure) => supported && (process.platform === 'linux' || !command)
  return new Set(applicable.filter(isOfSystem).map(({ name }) => name))
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
