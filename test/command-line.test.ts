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

for (const argument of ['--help', '-h'])
  test(`${argument} tells how the program is called`, async () => {
    const { code, output } = await pixelmill(argument)
    assert.equal(code, 0)
    assert.match(output, USAGE)
  })

test('health --help does not ask a server', async () => {
  assert.match((await pixelmill('health', '--help')).output, USAGE)
})

for (const argument of ['--version', '-v'])
  test(`${argument} is the release of package.json`, async () => {
    assert.deepEqual(await pixelmill(argument), { code: 0, output: `${version}\n` })
  })

for (const args of [['--hepl'], ['-x'], ['start'], ['health', '--x'], ['health', 'twice'], ['--', '--help']])
  test(`${args.join(' ')} is refused`, async () => {
    const { code, output } = await pixelmill(...args)
    assert.equal(code, 2, output)
    assert.match(output, USAGE)
    assert.ok(output.includes(args.at(-1) ?? ''), output)
  })

test('npm start passes arguments on, and an unknown one starts nothing', async (t) => {
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
  test(`${script} --help tells how it is called, whatever the settings are`, async () => {
    const { code, output } = await command(script, ['--help'], broken)
    assert.equal(code, 0)
    assert.match(output, usage)
  })

  test(`${script} --x is refused, whatever the settings are`, async () => {
    const { code, output } = await command(script, ['--x'], broken)
    assert.equal(code, 2)
    assert.match(output, /^Unknown option '--x'[^\n]*\nUsage: npm run /)
  })
}

test('backup into a folder that cannot be made is one clear line', async (t) => {
  const dir = await tempFolder(t)
  const folder = process.platform === 'linux' ? '/proc/pixelmill/backup' : '/dev/null/backup'
  const { code, output } = await command('backup', [folder], { DATA_DIR: dir })
  assert.equal(code, 1)
  assert.match(output, /^The folder \S+ cannot be made \(\w+\): name one that this user may write\.\n$/)
})
