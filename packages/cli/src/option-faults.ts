import { InvalidArgumentError } from 'commander'
import type { z } from 'zod'

/** The options by the fields that they set. */
export type OptionNames = Readonly<Record<string, string>>

/**
 * What a schema has to say about options, with the option's name in place of the field's.
 * @param others the options to name where the fault is of no single field
 */
export function optionFault({ issues }: z.ZodError, names: OptionNames, others: string): InvalidArgumentError {
  const fieldOf = ({ path }: (typeof issues)[number]) =>
    path.findLast((part): part is string => typeof part === 'string' && Object.hasOwn(names, part))
  const issue = issues.find((each) => fieldOf(each) !== undefined) ?? issues[0]
  const field = issue && fieldOf(issue)
  return new InvalidArgumentError(`${field === undefined ? others : names[field]}: ${issue?.message}`)
}
