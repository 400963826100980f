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

/** The table of a guide, as Markdown: neighbours that take the same have one line, and names without hyphens none. */
export function parameterRows<Options>(table: ParameterTable<Options>): string {
  const lines: { readonly names: string[]; readonly takes: string }[] = []
  for (const [name, { aliases = [], takes }] of Object.entries(table)) {
    const names = [name, ...aliases.filter((alias) => alias !== name.replaceAll('-', ''))]
    const last = lines.at(-1)
    if (last?.takes === takes) last.names.push(...names)
    else lines.push({ names, takes })
  }
  return lines.map(({ names, takes }) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${takes} |`).join('\n')
}
