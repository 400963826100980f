import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { findProgram } from '@pixelmill/engine/rendering/external-program'
import { until } from '@pixelmill/engine/test/support/until'
import { makeApiKey } from '../../src/accounts/api-keys.ts'
import { caller } from '../support/call.ts'
import { childrenOf } from '../support/server.ts'

const MAIN = join(import.meta.dirname, '../../../../packages/cli/bin/pixelmill.mjs')
const skip = process.platform !== 'linux' && 'elsewhere libuv closes what children would inherit'

/** In the place of its command line, which is that of a shell before. */
const SERVER = 'the server'

/** What a shell leaves open for the server, below and above the sixteen descriptors that Node itself looks at. */
const INHERITED = [5, 20, 99]

/** Notes what a process and all below it have open: `heard` is given its command and each path. */
async function look(pid: number, command: string, heardValue: (command: string, path: string) => void): Promise<void> {
  const folder = `/proc/${pid}/fd`
  // What has ended meanwhile has nothing open.
  for (const descriptor of await readdir(folder).catch(() => []))
    heardValue(command, await readlink(join(folder, descriptor)).catch(() => ''))
  for (const child of await childrenOf(pid).catch(() => [])) await look(child.pid, child.command, heardValue)
}

test('neither the server nor what it starts has what its launcher left open', { skip: skip || skipByDay }, async (t) => {
  const folder = await tempFolder(t)
  const secret = join(folder, 'secret.txt')
  const dir = join(folder, 'data')
  const key = makeApiKey()
  await Promise.all([writeFile(secret, 'x'), mkdir(dir)])
  // dash knows redirections of descriptors up to 9 alone.
  const launch = `${INHERITED.map((descriptor) => `exec ${descriptor}<"$0"`).join('\n')}\nexec "$@"`
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dir, ADMIN_API_KEY: key, RENDERERS: '1' }
  const child = spawn('bash', ['-c', launch, secret, process.execPath, MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const endedValues = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await endedValues
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const { pid = 0 } = child
  const commands = new Set<string>()
  const holders = new Set<string>()
  const heardCommand = (command: string, path: string) => {
    commands.add(command)
    if (path === secret) holders.add(command)
  }
  let asking = true
  const looking = (async () => {
    while (asking) await look(pid, SERVER, heardCommand)
  })()
  assert.ok(await until(async () => output.includes('listens on'), 60_000), output)
  const url = /listens on (\S+)/.exec(output)?.[1] ?? ''
  // Stays HEIC: heif-enc writes it, for long enough to be seen in one of a few tries.
  const { bytes: image } = await writeHeic(photo(1500, 1000))
  const expected = ['postgres', 'renderer.ts', ...(findProgram('heif-enc', process.env.PATH ?? '') ? ['heif-enc'] : [])]
  const missing = () => expected.filter((name) => ![...commands].some((command) => command.includes(name)))
  const allSeen = await until(async () => {
    const { status } = await caller({ url, key }).post('flip', {}, { image })
    assert.equal(status, 200)
    return missing().length === 0
  }, 60_000)
  asking = false
  await looking
  assert.ok(allSeen, `${missing().join(', ')} was not seen`)
  // The server had them until it closed them, and what it starts is a copy of it until it becomes the program.
  assert.deepEqual(
    [...holders].filter((command) => command !== SERVER && !command.includes(MAIN)),
    [],
  )
  assert.equal(existsSync(`/proc/${pid}/fd/99`), false)
})
