export interface Table {
  readonly title: string
  /** The page to write it into, such as docs/performance.md; by default that of its measurement. */
  readonly page?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Sentences below the table: how it was measured, and how to read it. */
  readonly notes?: readonly string[]
  /** A drawing of it, as an SVG that is written into docs/images/. */
  readonly chart?: { readonly name: string; readonly alt: string; readonly svg: string }
}

const widthsOf = ({ columns, rows }: Table) =>
  columns.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))

/** The first column contains names, the others numbers, except in a table of facts. */
const alignRow = (row: readonly string[], widths: readonly number[]) =>
  widths.map((width, at) => (at > 0 && widths.length > 2 ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width)))

export function plainText(table: Table): string {
  const widths = widthsOf(table)
  const lines = [table.columns, widths.map((width) => '-'.repeat(width)), ...table.rows].map((row) =>
    alignRow(row, widths).join('  ').trimEnd(),
  )
  return [`\n${table.title}`, ...lines, ...(table.notes ?? []).map((note) => `  ${note}`)].join('\n')
}

/** @param images the folder of charts, as a link from the page leads to it */
export function markdown(table: Table, images: string): string {
  const widths = widthsOf(table)
  const line = (row: readonly string[]) => `| ${alignRow(row, widths).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const notes = (table.notes ?? []).map((note) => `- ${note}`)
  return [
    `### ${table.title}`,
    '',
    ...(table.chart ? [`![${table.chart.alt}](${images}/${table.chart.name})`, ''] : []),
    line(table.columns),
    rule,
    ...table.rows.map(line),
    ...(notes.length ? ['', ...notes] : []),
  ].join('\n')
}
