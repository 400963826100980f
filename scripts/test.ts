import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'

/** What `npm test` runs. All of it runs even after a failure, so that one look shows everything that is wrong. */

const ROOT = join(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules/.bin')
const GUARD = join(ROOT, 'test/support/loopback-only.ts')

/** Each test file brings a server with renderers of its own: more of them at once than cores would only wait for each other. */
const concurrency = Math.max(2, Math.min(4, availableParallelism()))
/** No test takes a fifth of this: one that hangs is ended, and named. */
const TEST_TIMEOUT_MS = 120_000

const only = process.argv.slice(2)
const files = only.length > 0 ? only : ['test/**/*.test.ts']
const tests = [
  `--import=${GUARD}`,
  '--test',
  `--test-concurrency=${concurrency}`,
  `--test-timeout=${TEST_TIMEOUT_MS}`,
  '--test-reporter=dot',
  ...files,
]

const steps = [
  ['types', join(BIN, 'tsc'), ['--noEmit']],
  ['style', join(BIN, 'biome'), ['check', '--error-on-warnings']],
  ['tests', process.execPath, tests],
] as const

function run(command: string, args: readonly string[]): Promise<boolean> {
  // npm puts .bin on the PATH; whoever runs this file by hand gets the same programs.
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` }
  const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}

const failed: string[] = []
for (const [name, command, args] of steps) {
  const began = performance.now()
  const passed = await run(command, args)
  console.log(`${passed ? 'passed' : 'FAILED'}: ${name}, ${((performance.now() - began) / 1000).toFixed(1)} s`)
  if (!passed) failed.push(name)
}
if (failed.length > 0) process.exitCode = 1
