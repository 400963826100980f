import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const page = readFileSync(join(import.meta.dirname, '../../../../../docs/backup.md'), 'utf8')

/** The lines for a shell in docs/backup.md that have this text. */
export function linesWith(text: string): string {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines)
  return blocks.find((block) => block.includes(text)) ?? assert.fail(`no lines of the page have ${text}`)
}

/** PostgreSQL's own programs: on the PATH, or where Debian keeps those beside a server. */
const tools = [...(process.env.PATH ?? '').split(':'), ...globSync('/usr/lib/postgresql/*/bin')].find((folder) =>
  ['pg_dump', 'pg_restore', 'psql'].every((name) => existsSync(join(folder, name))),
)

export const noTools = tools === undefined && 'pg_dump is not installed'

/** Runs lines of the page as they stand, where the variables in them are these. */
export async function runLines(lines: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const PATH = [tools, dirname(process.execPath), process.env.PATH].join(':')
  const { stdout } = await promisify(execFile)('bash', ['-ec', lines], { env: { PATH, ...variables } })
  return stdout
}
