/** A table in Markdown; its cells are Markdown too. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join(
    '\n',
  )

/** A hand-written page with a generated table between its comments `<!-- name: … -->` and `<!-- end of name -->`. */
export function withTable(page: string, name: string, table: string): string {
  const section = new RegExp(`(<!-- ${name}: .*-->\n)[\\s\\S]*(<!-- end of ${name} -->)`)
  if (!section.test(page)) throw new Error(`the page has no section for the table "${name}"`)
  return page.replace(section, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`)
}
