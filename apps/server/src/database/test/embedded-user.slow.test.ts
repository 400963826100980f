import assert from 'node:assert/strict'
import { chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { findBinaries } from '../embedded/binaries.ts'
import { run } from '../embedded/run.ts'
import { onlyCommands, type ProgramOptions, startProgram } from './program.ts'

const NOBODY = 65_534
const NAMELESS = 54_321
const isRoot = process.geteuid?.() === 0
const { postgres } = await findBinaries()
const readable = isRoot && (await run(['test', '-x', postgres], { timeoutMs: 5_000, uid: NOBODY, gid: NOBODY })).code === 0
const skipOthers = !isRoot ? 'needs root' : !readable && 'other users cannot read this checkout'

async function startAndStop(dataDir: string, options: ProgramOptions = {}): Promise<{ uid: number; starts: number }> {
  const program = startProgram('start-and-stop.ts', [dataDir], options)
  const { value } = await program.lines.next()
  const { code, errors } = await program.ended
  assert.equal(code, 0, errors)
  return JSON.parse(value)
}

test('root starts it under a mapped user and keeps the files', { skip: !isRoot && 'needs root' }, async (t) => {
  const dataDir = join(await tempFolder(t), 'data')
  assert.deepEqual(await startAndStop(dataDir), { uid: 0, starts: 1 })
})

test('where user namespaces are forbidden, root starts it as nobody; and back', { skip: skipOthers }, async (t) => {
  const folder = await tempFolder(t)
  const dataDir = join(folder, 'data')
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const path = await onlyCommands(bin, ['sh', 'setpriv', 'true'])
  assert.deepEqual(await startAndStop(dataDir, { path }), { uid: NOBODY, starts: 1 })
  assert.deepEqual(await startAndStop(dataDir), { uid: 0, starts: 2 })
  assert.deepEqual(await startAndStop(dataDir, { path }), { uid: NOBODY, starts: 3 })
})

test('an ordinary user starts it', { skip: skipOthers }, async (t) => {
  const dataDir = join(await tempFolder(t), 'data')
  await mkdir(dataDir, { mode: 0o700 })
  await chown(dataDir, NOBODY, NOBODY)
  assert.deepEqual(await startAndStop(dataDir, { uid: NOBODY }), { uid: NOBODY, starts: 1 })
  assert.deepEqual(await startAndStop(dataDir, { uid: NOBODY }), { uid: NOBODY, starts: 2 })
})

test('a user without a name, as containers have, starts it', { skip: skipOthers }, async (t) => {
  const dataDir = join(await tempFolder(t), 'data')
  await mkdir(dataDir, { mode: 0o700 })
  await chown(dataDir, NAMELESS, NAMELESS)
  assert.deepEqual(await startAndStop(dataDir, { uid: NAMELESS }), { uid: NAMELESS, starts: 1 })
})

test("root opens another user's closed folder to nobody, for passage only", { skip: skipOthers }, async (t) => {
  const dataDir = join(await tempFolder(t), 'data')
  await mkdir(dataDir, { mode: 0o700 })
  await chown(dataDir, NAMELESS, NAMELESS)
  assert.deepEqual(await startAndStop(dataDir), { uid: NOBODY, starts: 1 })
  const { mode, uid, gid } = await stat(dataDir)
  assert.deepEqual({ mode: mode & 0o777, uid, gid }, { mode: 0o710, uid: NAMELESS, gid: NOBODY })
})

test('a folder that neither root without its powers nor nobody may enter is refused with one line', {
  skip: skipOthers,
}, async (t) => {
  const parent = join(await tempFolder(t), 'home')
  await mkdir(parent, { mode: 0o700 })
  await chown(parent, NAMELESS, NAMELESS)
  const { code, errors } = await startProgram('start-and-stop.ts', [join(parent, 'data')]).ended
  assert.equal(code, 1)
  assert.match(errors, /StartError: PostgreSQL does not run as root/)
})
