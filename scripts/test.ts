import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/** What `npm test` runs: types, style, then every test, on the Node that npm ci brought. */

const root = join(import.meta.dirname, '..')
const guard = join(root, 'test/support/loopback-only.ts')
const tests = globSync('test/**/*.test.ts', { cwd: root })

const steps: readonly (readonly [command: string, ...args: string[]])[] = [
  ['node_modules/.bin/tsc', '--noEmit'],
  ['node_modules/.bin/biome', 'check', '--error-on-warnings'],
  ['npm', 'run', '--silent', 'check', '-w', 'dashboard'],
  // Once, and not by the first three servers at the same time.
  [process.execPath, 'dashboard/build.ts'],
  // Three files at once on the two cores that CI has: much of a test is waiting for a server to start or a limit to pass.
  // The longest look at four states of a page in three widths and two themes: 100 s on a machine that does other things too.
  [
    process.execPath,
    `--import=${guard}`,
    '--test',
    '--test-concurrency=3',
    '--test-timeout=240000',
    '--test-reporter=spec',
    ...tests,
  ],
]

/** What is no part of an installation: its folder, a package that shows that it is there, and whose tests need it. */
const optional = [
  ['onnx', 'onnxruntime-node', 'models'],
  ['otel', '@opentelemetry/sdk-trace', 'traces'],
] as const

/** Where it cannot be had, the tests that need it are skipped by name. */
function installOptional([folder, name, whose]: (typeof optional)[number]): void {
  if (existsSync(join(root, folder, 'node_modules', name, 'package.json'))) return
  console.log(`The tests of ${whose} need more packages: npm ci --prefix ${folder}`)
  const { status } = spawnSync('npm', ['ci', '--prefix', folder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) console.log(`They could not be installed: the tests of ${whose} are skipped.`)
}

optional.forEach(installOptional)
for (const [command, ...args] of steps) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
