import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DASHBOARD } from '../../dashboard/source-hash.ts'

const text = (path: string): string => readFileSync(path, 'utf8')

const COMMENT = /\/\*[^*]*\*\/\s*/g

/** The dashboard's own first; of the rest, the later may change what an earlier says. */
const SHEETS = [
  ...['tokens', 'base'].map((name) => join(DASHBOARD, 'src/styles', `${name}.css`)),
  ...['frame', 'navigation', 'text', 'code', 'widths'].map((name) => join(import.meta.dirname, 'styles', `${name}.css`)),
]

/** The look of the documentation: that of the dashboard, and what it has alone. */
export const style = SHEETS.map((path) => text(path).replace(COMMENT, '')).join('\n')

/** By which the policy of the pages lets it in. */
export const STYLE_HASH = createHash('sha256').update(style).digest('base64')

/** The drawing beside the name. */
export const MARK = text(join(DASHBOARD, 'src/styles/icon.svg')).trim()
