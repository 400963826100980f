import { parseArgs } from 'node:util'

export interface Arguments {
  /** Selected cells; all if none was named. */
  readonly cells: readonly string[]
  /** Few repetitions: for development, not for published numbers. */
  readonly quick: boolean
  /** The tables are written into lab/results/ too. */
  readonly write: boolean
}

/** @throws Error that lists the cells, for an unknown name */
export function readArguments(cellNames: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  })
  const unknownNames = positionals.filter((name) => !cellNames.includes(name))
  if (unknownNames.length) throw new Error(`No such cell: ${unknownNames.join(', ')}. There are: ${cellNames.join(', ')}.`)
  return { cells: positionals.length ? positionals : cellNames, ...values }
}
