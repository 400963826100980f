/** A parameter of a dialect: what it takes, in the words of the documentation, and what its value says. */
export interface Parameter<Options> {
  /** Other names that the service gives it. */
  readonly aliases?: readonly string[]
  /** For the table of the guide. */
  readonly takes: string
  /** @throws ApiError invalid_params, with the name under which it was sent */
  read(value: string, name: string): Partial<Options>
}

export type ParameterTable<Options> = Readonly<Record<string, Parameter<Options>>>

/** The rows by all their names. */
export const byName = <Options>(table: ParameterTable<Options>): ReadonlyMap<string, Parameter<Options>> =>
  new Map(Object.entries(table).flatMap(([name, row]) => [name, ...(row.aliases ?? [])].map((each) => [each, row] as const)))

/** The table of a guide, as Markdown. */
export const parameterRows = <Options>(table: ParameterTable<Options>): string =>
  Object.entries(table)
    .map(([name, { aliases = [], takes }]) => `| ${[name, ...aliases].map((each) => `\`${each}\``).join(', ')} | ${takes} |`)
    .join('\n')
