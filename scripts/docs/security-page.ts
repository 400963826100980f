import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measures } from '@pixelmill/engine/rendering/sandbox/confinement'
import { withTable } from './generated-table.ts'

const PAGE = join(import.meta.dirname, '../../docs/security.md')

/** docs/security.md with its list of measures generated from the code; the rest is written by hand. */
export function securityPage(): string {
  const lines = measures.map(({ name, purpose, needs }) => {
    const requirement = needs ? `; needs ${needs.map((other) => `\`${other}\``).join(' and ')}` : ''
    return `- \`${name}\`: ${purpose}${requirement}`
  })
  return withTable(readFileSync(PAGE, 'utf8'), 'measures', lines.join('\n'))
}
