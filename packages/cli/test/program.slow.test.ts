import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { pixelmill as declared } from '../src/commands/index.ts'
import { pixelmill } from './pixelmill.ts'

const ROOT = join(import.meta.dirname, '../../..')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const commands = declared().commands.map((command) => command.name())

/** Settings with which nothing starts: what reads them does not end with 0 or 2. */
const broken = { PORT: 'none', DATABASE_URL: 'none', RENDERERS: 'none' }

const hasProgram = (name: string) => spawnSync(name, ['-c', 'exit 0']).status === 0

test('--help lists every command, and --version is the release of package.json, whatever the settings are', async () => {
  const { code, output, errors } = await pixelmill(['--help'], { env: broken })
  assert.deepEqual([code, errors], [0, ''])
  for (const name of ['serve', 'convert', 'info', 'shard', 'health', 'backup', 'move', 'reset-password', 'completions'])
    assert.match(output.toString(), new RegExp(`^  ${name} `, 'm'))
  const answer = await pixelmill(['--version'], { env: broken })
  assert.deepEqual([answer.code, answer.output.toString()], [0, `${version}\n`])
})

for (const name of commands.filter((each) => each !== 'complete'))
  test(`${name} --help says how it is used, whatever the settings are, and ${name} --x starts nothing`, async (t) => {
    const cwd = await tempFolder(t)
    const [help, wrong] = await Promise.all([
      pixelmill([name, '--help'], { env: broken, cwd }),
      pixelmill([name, '--x'], { env: broken, cwd }),
    ])
    assert.deepEqual([help.code, help.errors], [0, ''])
    assert.match(help.output.toString(), new RegExp(`^Usage: pixelmill ${name}\\b`))
    assert.deepEqual([wrong.code, wrong.output.toString()], [2, ''])
    assert.match(wrong.errors, /^Unknown option '--x'\.\n(\(Did you mean .*\?\)\n)?$/)
    assert.deepEqual(await readdir(cwd), [])
  })

const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['convrt'], /^Unknown command 'convrt'\.\n\(Did you mean convert\?\)\n$/],
  [['--hepl'], /^Unknown option '--hepl'\.\n\(Did you mean --help\?\)\n$/],
  [['serve', 'x'], /^Too many arguments for 'serve'/],
  [['move', 'x'], /^Too many arguments for 'move'/],
  [['backup'], /^Missing required argument 'folder'\.\n$/],
  [['backup', 'a', '--keep', '0'], /It must be a whole number from 1\.\n$/],
  [['reset-password'], /^Missing required argument 'email'\.\n$/],
  [['convert'], /^Missing required argument 'source'\.\n$/],
  [['convert', '.'], /^Say where results go: --out TARGET, or --in-place/],
  [['convert', '.', '--in-place', '--out', 'x'], /^Say where results go/],
  [['convert', 'none.jpg', '--out', 'x'], /^none\.jpg: there is no such file or folder\.\n$/],
  [['convert', '.', '--out', 'x', '--width', 'wide'], /^--width: /],
  [['convert', '.', '--out', 'x', '--fit', 'tight'], /Allowed choices are inside, outside, cover, contain, fill\.\n$/],
  [['convert', '.', '--out', 'x', '--jobs', '0'], /It must be a whole number from 1 to 256\.\n$/],
  [['convert', '.', '--out', 'x', '--name', '{stem}'], /^A name needs \{ext\}/],
  [['convert', '.', '--out', 'x', '--recipe', 'none.json'], /^none\.json cannot be read \(ENOENT\)\.\n$/],
  [['convert', '.', '--out', 'x', '--recipe', 'a', '--preset', 'b'], /^--recipe and --preset exclude each other\.\n$/],
  [['convert', '.', '--out', 'x', '--recipe', 'a', '--width', '9'], /^--recipe and --preset say all that is done/],
  [['convert', '.', '--out', '.'], /^\. is both source and target: use --in-place/],
  [['convert', '.', '--out', '-'], /^\. is not a file: a pipe has one image\.\n$/],
  [['convert', '-', '--out', '.'], /^\. is not the name of a file: a pipe has one image\.\n$/],
  [['convert', '-', '--out', '-', '--json'], /^--json and --out - both need standard output\.\n$/],
  [['convert', '-', '--in-place'], /^Standard input cannot be replaced/],
  [['convert', '.', '--out', 'x', '--key', 'k'], /^--key is for --server\.\n$/],
  [['convert', '.', '--out', 'x', '--server', 'ftp://x', '--key', 'k'], /^--server: ftp:\/\/x is not an http or https URL\.\n$/],
  [['convert', '.', '--out', 'x', '--server', 'http://x'], /^--server needs --key, or PIXELMILL_KEY/],
  [['convert', 's3://a_bucket', '--out', 'x'], /^s3:\/\/a_bucket is not a bucket/],
  [['convert', 's3://bucket/x', '--in-place'], /^s3:\/\/bucket\/x: objects of a bucket are not replaced/],
  [['info', 'none.jpg'], /^none\.jpg: there is no such file or folder\.\n$/],
  [['info', '.', '--fields', 'format,colour'], /^--fields: colour is none of /],
]
for (const [args, message] of wrong)
  test(`pixelmill ${args.join(' ')}: a sentence, exit code 2, and nothing is started`, async (t) => {
    const cwd = await tempFolder(t)
    const { code, output, errors } = await pixelmill(args, { cwd })
    assert.match(errors, message)
    assert.deepEqual([code, output.toString()], [2, ''])
    assert.deepEqual(await readdir(cwd), [])
  })

test('a wrong setting is one line and exit code 2', async (t) => {
  const cwd = await tempFolder(t)
  const { code, errors } = await pixelmill(['convert', '.', '--out', 'x'], { cwd, env: { RENDERERS: 'none' } })
  assert.equal(code, 2)
  assert.match(errors, /^RENDERERS must be [^\n]+\n$/)
})

test('npm start passes arguments on, and with an unknown one starts nothing', async (t) => {
  const dir = join(await tempFolder(t), 'data')
  const env = { PATH: process.env.PATH, DATA_DIR: dir, PORT: '0' }
  const { code, errors } = await new Promise<{ code: unknown; errors: string }>((resolve) =>
    execFile('npm', ['start', '--', '--x'], { cwd: ROOT, env }, (error, _, text) => resolve({ code: error?.code, errors: text })),
  )
  assert.equal(code, 2, errors)
  assert.match(errors, /^Unknown option '--x'\.$/m)
  assert.equal(existsSync(dir), false)
})

test('backup into a folder that cannot be made prints one clear line', async (t) => {
  const dir = await tempFolder(t)
  const folder = process.platform === 'linux' ? '/proc/pixelmill/backup' : '/dev/null/backup'
  const { code, errors } = await pixelmill(['backup', folder], { env: { DATA_DIR: dir } })
  assert.equal(code, 1)
  assert.match(errors, /^The folder \S+ cannot be made \(\w+\): name one that this user may write\.\n$/)
})

for (const shell of ['bash', 'zsh', 'fish'])
  test(`completions ${shell} prints a script that ${shell} accepts`, async (t) => {
    const { code, output, errors } = await pixelmill(['completions', shell])
    assert.deepEqual([code, errors], [0, ''])
    assert.match(output.toString(), /pixelmill/)
    if (!hasProgram(shell)) return t.skip(`no ${shell}`)
    const { status, stderr } = spawnSync(shell, ['-n'], { input: output })
    assert.deepEqual([status, stderr.toString()], [0, ''])
  })

const COMPLETIONS: readonly (readonly [words: readonly string[], offers: readonly string[], not: readonly string[]])[] = [
  [['con'], ['convert'], ['info']],
  [['convert', '--out', 'x', '--fo'], ['--format'], ['--width']],
  [['convert', '--format', 'w'], ['webp'], ['avif']],
]
for (const [words, offers, not] of COMPLETIONS)
  test(`a shell completes pixelmill ${words.join(' ')} to ${offers}`, async () => {
    const { code, output } = await pixelmill(['complete', '--', ...words])
    assert.equal(code, 0)
    const suggestions = output
      .toString()
      .split('\n')
      .map((line) => line.split('\t')[0])
    for (const word of offers) assert.ok(suggestions.includes(word), String(output))
    for (const word of not) assert.ok(!suggestions.includes(word), String(output))
  })
