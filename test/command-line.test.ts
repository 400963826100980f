import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { command, type Ended } from './backup/command.ts'
import { tempFolder } from './database/temp-folder.ts'

const ROOT = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const USAGE = /Usage: node bin\/pixelmill\.mjs \[health\] \[--help \| --version\]/

/** Settings with which nothing starts: what would read them ends with 1. */
const broken = { PORT: 'none', DATABASE_URL: 'none' }

function run(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } }, (error, out, errors) =>
      resolve({ code: Number(error?.code ?? 0), output: out + errors }),
    )
  })
}
const pixelmill = (...args: readonly string[]) => run(process.execPath, [join(ROOT, 'bin/pixelmill.mjs'), ...args], broken)

test('--help prints the usage, and --version the release of package.json', async () => {
  const { code, output } = await pixelmill('--help')
  assert.equal(code, 0)
  assert.match(output, USAGE)
  assert.deepEqual(await pixelmill('--version'), { code: 0, output: `${version}\n` })
})

test('an unknown option is refused with the usage and exit code 2', async () => {
  const { code, output } = await pixelmill('--hepl')
  assert.equal(code, 2, output)
  assert.match(output, USAGE)
  assert.ok(output.includes('--hepl'), output)
})

test('npm start passes arguments on, and with an unknown one starts nothing', async (t) => {
  const dir = join(await tempFolder(t), 'data')
  const { code, output } = await run('npm', ['start', '--', '--x'], { DATA_DIR: dir, PORT: '0' })
  assert.equal(code, 2, output)
  assert.match(output, /Unknown option '--x'/)
  assert.equal(existsSync(dir), false)
})

const operators: readonly (readonly [script: string, usage: RegExp])[] = [
  ['backup', /^Usage: npm run backup -- FOLDER/],
  ['move', /^Usage: npm run move/],
  ['reset-password', /^Usage: npm run reset-password -- EMAIL/],
]
for (const [script, usage] of operators) {
  test(`${script} refuses an unknown option with its usage, whatever the settings are`, async () => {
    const { code, output } = await command(script, ['--x'], broken)
    assert.equal(code, 2)
    const [fault, ...rest] = output.split('\n')
    assert.match(fault ?? '', /^Unknown option '--x'/)
    assert.match(rest.join('\n'), usage)
  })
}

test('backup --help prints its usage, whatever the settings are', async () => {
  const { code, output } = await command('backup', ['--help'], broken)
  assert.equal(code, 0)
  assert.match(output, /^Usage: npm run backup -- FOLDER/)
})

test('backup into a folder that cannot be made prints one clear line', async (t) => {
  const dir = await tempFolder(t)
  const folder = process.platform === 'linux' ? '/proc/pixelmill/backup' : '/dev/null/backup'
  const { code, output } = await command('backup', [folder], { DATA_DIR: dir })
  assert.equal(code, 1)
  assert.match(output, /^The folder \S+ cannot be made \(\w+\): name one that this user may write\.\n$/)
})
