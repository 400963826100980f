import { type Confinement, type Measure, without } from './confinement.ts'

/** Whether a program starts with these measures. */
export type Starts = (confinement: Confinement) => Promise<boolean>

/**
 * Finds the measures that work here: all at the first attempt; otherwise all but one and those that depend on it, such as user
 * namespaces, which containers seldom allow; otherwise starts with none. The missing ones are then added one by one, innermost
 * first, as long as the program still starts. Undefined for a program that does not start at all.
 */
export async function workingMeasures(applicable: readonly Measure[], starts: Starts): Promise<Confinement | undefined> {
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
export function mostMeasures(applicable: readonly Measure[]): Confinement {
  const isOfSystem = ({ supported = true, command }: Measure) => supported && (process.platform === 'linux' || !command)
  return new Set(applicable.filter(isOfSystem).map(({ name }) => name))
}

/** Each is tried once, as soon as those that it depends on are in effect. */
async function addTo(base: Confinement, commands: readonly Measure[], starts: Starts): Promise<Confinement> {
  const candidates = new Set(commands.filter(({ name }) => !base.has(name)).toReversed())
  let confinement = base
  for (;;) {
    const next = candidates.values().find(({ needs = [] }) => needs.every((requirement) => confinement.has(requirement)))
    if (!next) return confinement
    candidates.delete(next)
    const more = new Set([...confinement, next.name])
    if (await starts(more)) confinement = more
  }
}
