import { StartError } from '@pixelmill/codecs/contract/start-error'
import type { z } from 'zod'
import type { Setting } from './setting.ts'

export type Values<Rows extends Readonly<Record<string, Setting>>> = {
  readonly [Name in keyof Rows]: z.output<Rows[Name]['schema']>
}

/**
 * Reads these settings from the environment; a blank one counts as not set.
 * @throws StartError naming the first invalid one; its value is not repeated, since it may be a secret
 */
export function readSettings<Rows extends Readonly<Record<string, Setting>>>(
  rows: Rows,
  environment: NodeJS.ProcessEnv,
): Values<Rows> {
  const read = Object.entries(rows).map(([name, { schema }]) => {
    const text = environment[name]?.trim()
    const result = schema.safeParse(text === '' ? undefined : text)
    if (!result.success)
      throw new StartError(`${name} ${result.error.issues[0]?.message ?? 'is wrong'}. See docs/configuration.md.`)
    return [name, result.data] as const
  })
  // Each value was parsed by the schema of its own row, from which the type is made.
  return Object.fromEntries(read) as unknown as Values<Rows>
}
