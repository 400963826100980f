import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DASHBOARD } from '../../dashboard/source-hash.ts'

const text = (path: string): string => readFileSync(path, 'utf8')

const COMMENT = /\/\*[^*]*\*\/\s*/g

/** The look of the documentation: the colours and sizes of the dashboard, and a style sheet of its own. */
export const style = [join(DASHBOARD, 'src/styles/tokens.css'), join(import.meta.dirname, 'reference.css')]
  .map((path) => text(path).replace(COMMENT, ''))
  .join('\n')

/** By which the policy of the pages lets it in. */
export const STYLE_HASH = createHash('sha256').update(style).digest('base64')

/** The drawing beside the name. */
export const MARK = text(join(DASHBOARD, 'src/styles/icon.svg')).trim()
