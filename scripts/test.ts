import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { writeApiTypes } from './write-api-types.ts'

/**
 * Runs one tier of the tests, on the Node that npm ci brought: `node scripts/test.ts [unit | contract | slow | package FOLDER]`.
 * A file's name says its tier: *.unit.test.ts needs no server and no database, *.slow.test.ts takes long or needs programs that
 * few have, such as a browser, and what has neither name is the contract. `contract`, which is `npm test`, checks types and style and
 * runs the unit tests too; `slow` runs parts of the contract a second time, on an external database and bucket; `package` runs the
 * unit tests and the contract of one package.
 */

const root = join(import.meta.dirname, '..')
const guard = join(root, 'test/support/loopback-only.ts')
const serverPool = join(root, 'apps/server/test/support/server-pool.ts')

/** What was stripped of its types and compiled once is only read: 0.2 s of processor time less for each file. */
const codeCache = join(root, 'node_modules/.cache/pixelmill-tests-code')

const [tier = 'contract', folder = '.'] = process.argv.slice(2)

/** Where tests are: in each package, in each folder of the server, and those of the whole house. */
const FOLDERS = ['{packages,apps,clients}/*/test', 'apps/server/src/*/test', 'lab/test', 'test']
const all = globSync(
  FOLDERS.map((tests) => `${tests}/**/*.test.ts`),
  { cwd: root },
)
  .filter((file) => folder === '.' || file.startsWith(`${folder}/`))
  .sort()
/** The same variable tells `.ci/run`: then the slow tests try both kinds of databases and buckets, and all files are run. */
const isNight = process.env.SLOW_TESTS === '1'

/** Files that take about a minute each, for code that seldom changes. */
const NIGHTLY = ['rendering/fairness', 'bad-input', 'journal', 'dump', 'routes/large'].map((name) => `/${name}.slow.test.ts`)

const filesOf = (tier: string) => all.filter((file) => file.endsWith(`.${tier}.test.ts`))
const unit = filesOf('unit')
const slow = filesOf('slow')
const dailySlow = slow.filter((file) => isNight || !NIGHTLY.some((name) => file.endsWith(name)))
const contract = all.filter((file) => !unit.includes(file) && !slow.includes(file))
const says = (words: RegExp) => contract.filter((file) => words.test(readFileSync(join(root, file), 'utf8')))

interface Command {
  readonly words: readonly [command: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
  /** Where it writes which files of tests have failed; they are run once more, alone. */
  readonly failures?: string
}

const command = (...words: Command['words']): Command => ({ words })

const scratch = mkdtempSync(join(tmpdir(), 'pixelmill-tests-'))

const tests = (files: readonly string[], options: readonly string[], env = {}): Command => ({
  // The longest look at a page takes 100 s on a machine that does other things too.
  words: [
    process.execPath,
    `--import=${guard}`,
    '--test',
    '--test-timeout=240000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(root, 'scripts/report-tests.ts')}`,
    '--test-reporter-destination=stderr',
    ...options,
    ...files,
  ] as unknown as Command['words'],
  env: { NODE_COMPILE_CACHE: codeCache, ...env },
})

/** In so many processes, since starting one for each file takes longer than most of the files. */
const unitTests = (processes: number): readonly Command[] =>
  Array.from({ length: processes }, (_, nth) =>
    tests(
      unit.filter((_, index) => index % processes === nth),
      ['--test-isolation=none'],
    ),
  )

/** The database of TEST_DATABASE_URL and the bucket of TEST_S3_ENDPOINT in place of the embedded one and the folder. */
const othersAlone = { PIXELMILL_TEST_TARGETS: 'others' }

/** By day the contract is repeated only where blobs, SQL and money themselves are tested; at night wherever a test knows both kinds. */
const STORES = /^apps\/server\/src\/(blobs|database|metering)\//
const repeatedContract = says(/\bonEachDatabase\(|\bof TARGETS\b/).filter((file) => isNight || STORES.test(file))

/**
 * Four at once on two cores: much of a test is waiting for a server to start or a limit to pass. A test that fails may leave a server
 * of its own behind, which would keep its file from ending: a file ends with its last test.
 */
const withServers = (atOnce: number) => [`--test-concurrency=${atOnce}`, '--test-force-exit', `--test-global-setup=${serverPool}`]

/** Tests that start servers, whose failed files are run once more: beside three others a server may not get what a test allows it. */
function serverTests(files: readonly string[], env = {}): Command {
  const failures = join(scratch, 'failed-files')
  return { ...tests(files, withServers(4), { FAILED_FILES: failures, ...env }), failures }
}

/** Once, and not by the first servers at the same time. */
const build = command(process.execPath, 'apps/dashboard/build.ts')

/** Commands of one step run at the same time; a step begins when the one before has ended, so that a failure hides no other. */
const tiers: Readonly<Record<string, readonly (readonly Command[])[]>> = {
  unit: [unitTests(2)],
  contract: [
    [
      command('node_modules/.bin/tsc', '--noEmit'),
      command('node_modules/.bin/biome', 'check', '--error-on-warnings'),
      command('npm', 'run', '--silent', 'check', '-w', 'apps/dashboard'),
      build,
    ],
    // The contract waits often enough for the unit tests to run beside it.
    [...unitTests(1), serverTests(contract)],
  ],
  package: [[...(unit.length > 0 ? unitTests(1) : []), ...(contract.length > 0 ? [serverTests(contract)] : [])]],
  slow: [[build], [serverTests([...dailySlow, ...repeatedContract], isNight ? {} : othersAlone)]],
}

/** What is no part of an installation: its folder, a package that shows that it is there, and whose tests need it. */
const optional = [
  ['onnx', 'onnxruntime-node', 'models'],
  ['otel', '@opentelemetry/sdk-trace', 'traces'],
] as const

/** If it is not available, the tests that need it are skipped. */
async function installOptional([folder, name, whose]: (typeof optional)[number]): Promise<void> {
  if (existsSync(join(root, folder, 'node_modules', name, 'package.json'))) return
  console.log(`The tests of ${whose} need more packages: npm ci --prefix ${folder}`)
  if (!(await succeeds(command('npm', 'ci', '--prefix', folder))))
    console.log(`They could not be installed: the tests of ${whose} are skipped.`)
}

function succeeds({ words: [program, ...args], env }: Command): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** More files than these are no accident of a busy machine. */
const MOST_REPEATED = 5

/**
 * Runs the failed files of a command again, one after the other. A file that fails twice has failed, and so has a failure outside
 * these files, which a second run would not meet: in a module that several files share, or in the run itself.
 */
async function succeedsAlone({ words, failures, env = {} }: Command): Promise<boolean> {
  if (failures === undefined || !existsSync(failures)) return false
  const files = readFileSync(failures, 'utf8').trimEnd().split('\n')
  const paths = files.map((file) => relative(root, file))
  if (paths.length > MOST_REPEATED || !paths.every((path) => words.includes(path))) return false
  console.log(`Failed beside others, and tried alone:\n${paths.map((path) => `  ${path}`).join('\n')}`)
  rmSync(failures)
  return await succeeds(tests(paths, withServers(1), env))
}

/** A command's words without the list of files, which may be hundreds. */
function shorten({ words }: Command): string {
  const files = words.filter((word) => word.endsWith('.test.ts'))
  const others = words.filter((word) => !files.includes(word)).map((word) => word.replace(`${root}/`, ''))
  return [...others, ...(files.length > 0 ? [`and ${files.length} files`] : [])].join(' ')
}

const steps = tiers[tier]
if (!steps) throw new Error(`There is no tier ${tier}: it is one of ${Object.keys(tiers).join(', ')}.`)
if (tier === 'slow' && !isNight) {
  const skippedFiles = slow.filter((file) => !dailySlow.includes(file))
  console.log(`Skipped by day, as SLOW_TESTS=1 is not set:\n${skippedFiles.map((file) => `  ${file}`).join('\n')}`)
}
if (tier === 'contract' || tier === 'slow') for (const each of optional) await installOptional(each)
await writeApiTypes()
const failedCommands: string[] = []
for (const step of steps) {
  const results = await Promise.all(step.map(succeeds))
  for (const failure of step.filter((_, index) => !results[index]))
    if (!(await succeedsAlone(failure))) failedCommands.push(shorten(failure))
}
rmSync(scratch, { recursive: true })
if (failedCommands.length > 0) {
  console.error(`Failed:\n${failedCommands.map((words) => `  ${words}`).join('\n')}`)
  process.exitCode = 1
}
