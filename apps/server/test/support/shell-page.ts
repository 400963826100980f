import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../../../..')
const MARK = '=== block'

/** `--json` was added in curl 7.82. */
const curl = /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '')
const tooOld = !curl || Number(curl[1]) * 1_000 + Number(curl[2]) < 7_082
export const skipWithoutCurl: false | string = tooOld && 'curl 7.82 or newer is not installed'

/** The code blocks of a page in one language, in order. */
export async function blocksOf(page: string, language: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)
}

/**
 * Runs the `sh` blocks of a page as if pasted one after the other into one shell; the first command that fails ends it.
 * Returns the output of the block that contains these words.
 */
export async function runPage(
  page: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<(command: string) => string> {
  const blocks = await blocksOf(page, 'sh')
  const script = ['set -euo pipefail', ...blocks.map((commands) => `echo '${MARK}'\n${commands}`)].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { PATH: process.env.PATH, ...env }, cwd })
  const printedTexts = stdout.split(`${MARK}\n`).slice(1)
  return (command) => {
    const output = printedTexts[blocks.findIndex((commands) => commands.includes(command))]
    if (output === undefined) throw new Error(`no block has ${command}`)
    return output
  }
}
