import assert from 'node:assert/strict'
import { mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { holdDataFolder } from '../data-folder.ts'
import { holdAddress, holderAddress } from '../single-holder.ts'
import { startProgram } from './program.ts'

const refusal = (pattern: RegExp) => (error: unknown) => error instanceof StartError && pattern.test(error.message)

test('a missing data folder is made for its owner alone', async (t) => {
  const dir = join(await tempFolder(t), 'a', 'b')
  const folder = await holdDataFolder(dir)
  assert.equal(folder.path, dir)
  assert.equal((await stat(dir)).mode & 0o777, 0o700)
  await folder.release()
})

test('a second holder is refused, by whatever name it comes', async (t) => {
  const dir = await tempFolder(t)
  await mkdir(join(dir, 'data'))
  await symlink(join(dir, 'data'), join(dir, 'alias'))
  const folder = await holdDataFolder(join(dir, 'data'))
  await assert.rejects(holdDataFolder(join(dir, 'alias')), refusal(/^Another Pixelmill server is already running on .*data/))
  await folder.release()
  await (await holdDataFolder(join(dir, 'alias'))).release()
})

test('a second process is refused with one line', async (t) => {
  const folder = await holdDataFolder(await tempFolder(t))
  const { code, errors } = await startProgram('start-and-stop.ts', [folder.path]).ended
  assert.equal(code, 1)
  assert.match(errors, /StartError: Another Pixelmill server is already running/)
  await folder.release()
})

test('a file in the place of the folder is refused', async (t) => {
  const file = join(await tempFolder(t), 'file')
  await writeFile(file, '')
  await assert.rejects(holdDataFolder(file), refusal(/cannot be made \(a file is in the way\)/))
  await assert.rejects(holdDataFolder(join(file, 'data')), refusal(/cannot be made \(a file is in the way\)/))
})

test('a folder that takes no files is refused', { skip: process.platform !== 'linux' && 'needs /proc' }, async () => {
  // Not even root may create a file in /proc/sys.
  await assert.rejects(holdDataFolder('/proc/sys'), refusal(/^The data folder \/proc\/sys is not writable/))
})

test('where sockets are files, the file of a killed holder is replaced and that of a living one is not', async (t) => {
  const address = join(await tempFolder(t), 'held.sock')
  await leaveDeadSocket(address)
  const heldValue = await holdAddress(address)
  assert.ok(heldValue)
  assert.equal(await holdAddress(address), null)
  await heldValue.release()
  assert.notEqual(holderAddress('/a', 'darwin'), holderAddress('/b', 'darwin'))
})

/** A socket file nobody listens on: bound under another name and moved, so that closing does not remove it. */
async function leaveDeadSocket(address: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(`${address}.first`, resolve))
  await rename(`${address}.first`, address)
  await new Promise((resolve) => server.close(resolve))
}
