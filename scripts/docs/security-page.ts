import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measures } from '../../src/rendering/confinement.ts'

const PAGE = join(import.meta.dirname, '../../docs/security.md')
const SECTION = /(<!-- measures: .*-->\n)[\s\S]*(<!-- end of measures -->)/

/** docs/security.md with its table of measures as the code has them; the rest is written by hand. */
export function securityPage(): string {
  const rows = measures.map(({ name, purpose, means, needs }) => {
    const needed = needs ? `; needs ${needs.map((other) => `\`${other}\``).join(' and ')}` : ''
    return `| \`${name}\` | ${purpose} | ${means}${needed} |`
  })
  const table = ['| measure | so that | by |', '|---|---|---|', ...rows].join('\n')
  return readFileSync(PAGE, 'utf8').replace(SECTION, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`)
}
