import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs one tier of the tests, on the Node that npm ci brought: `node scripts/test.ts [unit | contract | slow]`.
 * A file's name says its tier: *.unit.test.ts needs no server and no database, *.slow.test.ts takes long or needs programs that
 * few have, and what has neither name is the contract. `contract` checks types and style and runs the unit tests too.
 */

const root = join(import.meta.dirname, '..')
const guard = join(root, 'test/support/loopback-only.ts')
const all = globSync('test/**/*.test.ts', { cwd: root }).sort()
const [unit, slow] = ['unit', 'slow'].map((tier) => all.filter((file) => file.endsWith(`.${tier}.test.ts`))) as [
  string[],
  string[],
]
const contract = all.filter((file) => !unit.includes(file) && !slow.includes(file))

type Command = readonly [command: string, ...args: string[]]

const tests = (files: readonly string[], ...options: string[]): Command => [
  process.execPath,
  `--import=${guard}`,
  '--test',
  '--test-timeout=240000',
  '--test-reporter=spec',
  ...options,
  ...files,
]

/** In two processes, since starting one for each file takes longer than most of the files. */
const unitTests = [0, 1].map((half) =>
  tests(
    unit.filter((_, index) => index % 2 === half),
    '--test-isolation=none',
  ),
)

/** Three at once on two cores: much of a test is waiting for a server to start or a limit to pass. */
const atOnce = '--test-concurrency=3'

/** Commands of one step run at the same time; a step begins when the one before has succeeded. */
const tiers: Readonly<Record<string, readonly (readonly Command[])[]>> = {
  unit: [unitTests],
  contract: [
    [
      ['node_modules/.bin/tsc', '--noEmit'],
      ['node_modules/.bin/biome', 'check', '--error-on-warnings'],
    ],
    // The build: once, and not by the first servers at the same time.
    [
      ['npm', 'run', '--silent', 'check', '-w', 'dashboard'],
      [process.execPath, 'dashboard/build.ts'],
    ],
    unitTests,
    [tests(contract, atOnce)],
  ],
  slow: [[[process.execPath, 'dashboard/build.ts']], [tests(slow, atOnce)]],
}

/** What is no part of an installation: its folder, a package that shows that it is there, and whose tests need it. */
const optional = [
  ['onnx', 'onnxruntime-node', 'models'],
  ['otel', '@opentelemetry/sdk-trace', 'traces'],
] as const

/** Where it cannot be had, the tests that need it are skipped by name. */
async function installOptional([folder, name, whose]: (typeof optional)[number]): Promise<void> {
  if (existsSync(join(root, folder, 'node_modules', name, 'package.json'))) return
  console.log(`The tests of ${whose} need more packages: npm ci --prefix ${folder}`)
  if (!(await succeeds(['npm', 'ci', '--prefix', folder])))
    console.log(`They could not be installed: the tests of ${whose} are skipped.`)
}

function succeeds([command, ...args]: Command): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}

const tier = process.argv[2] ?? 'contract'
const steps = tiers[tier]
if (!steps) throw new Error(`There is no tier ${tier}: it is one of ${Object.keys(tiers).join(', ')}.`)
if (tier !== 'unit') for (const each of optional) await installOptional(each)
for (const step of steps) {
  const succeeded = await Promise.all(step.map(succeeds))
  if (succeeded.includes(false)) process.exit(1)
}
