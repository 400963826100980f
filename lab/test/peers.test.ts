import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { cells } from '../bench/peers/cells.ts'
import { type Contestant, peer } from '../bench/peers/contestants.ts'
import { peers } from '../bench/peers/index.ts'
import { measureCell } from '../bench/peers/measure-cell.ts'
import type { Source } from '../bench/peers/sources.ts'
import { availablePeers, startPeer, versionOf } from '../bench/peers/start-peer.ts'

/** An image server as the bench expects one: it is told its port and its folder, and answers with the file that is named last. */
const PROGRAM = `#!${process.execPath}
if (process.argv[2] === 'version') { console.log('1.2.3'); process.exit() }
const { createServer } = require('node:http'), { readFileSync } = require('node:fs')
const [host, port] = process.env.IMGPROXY_BIND.split(':')
if (process.env.SECRET) throw new Error('the environment of the bench was passed on')
createServer((request, answer) => {
  if (request.url === '/') return answer.end()
  answer.end(readFileSync(process.env.IMGPROXY_LOCAL_FILESYSTEM_ROOT + '/' + request.url.split('/').at(-1)))
}).listen(Number(port), host)
`

const [imgproxy] = peers
const [cell] = cells
if (!imgproxy || !cell) throw new Error('imgproxy is the first peer')

const folder = await mkdtempDisposable(join(tmpdir(), 'pixelmill-test-'))
test.after(() => folder.remove())
const picture = join(folder.path, '0-0.jpg')
await sharp({ create: { width: 512, height: 256, channels: 3, background: '#a63' } })
  .jpeg()
  .toFile(picture)
const source: Source = { folder: folder.path, files: [picture], names: ['0-0.jpg'] }

async function program(text: string): Promise<void> {
  const path = join(folder.path, 'server')
  await writeFile(path, text)
  await chmod(path, 0o755)
  process.env.BENCH_IMGPROXY = path
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a peer is what its variable names: it is started with its settings alone, measured, scored and ended', async () => {
  await program(PROGRAM)
  process.env.SECRET = 'not for others'
  assert.deepEqual(
    availablePeers().map(({ name }) => name),
    ['imgproxy', 'imgproxy ='],
  )
  assert.equal(versionOf(imgproxy), '1.2.3')
  const server = await startPeer(imgproxy, source.folder, {})
  const contestant = peer('imgproxy', server, (file, quality) => imgproxy.request(file, cell, quality), source)
  const failing: Contestant = { ...contestant, name: 'imagor', run: () => Promise.reject(new Error('404')), stop: async () => {} }
  const { results } = await measureCell(cell, source, [contestant, failing], true)
  assert.deepEqual(Object.keys(results), ['imgproxy'], 'one that fails is left out')
  assert.ok((results.imgproxy?.ms ?? Number.NaN) >= 0)
  assert.equal(results.imgproxy?.bytes, statSync(picture).size)
  assert.deepEqual(results.imgproxy?.score, { samples: 100, light: 100 })
  await assert.rejects(measureCell(cell, source, [{ ...failing, required: true }], true), /404/)
  await contestant.stop()
  assert.equal(isAlive(server.pid), false)
})

test('a program that does not start is reported with what it said', async () => {
  await program(`#!${process.execPath}\nconsole.error('no such option'); process.exit(3)\n`)
  await assert.rejects(startPeer(imgproxy, source.folder, {}), /imgproxy did not start:\n.*no such option/s)
  await program('neither a script nor a program')
  await assert.rejects(startPeer(imgproxy, source.folder, {}), /imgproxy did not start/)
})

test('peers without a program are left out', () => {
  process.env.BENCH_IMGPROXY = join(folder.path, 'nothing')
  assert.deepEqual(availablePeers(), [])
  delete process.env.BENCH_IMGPROXY
  assert.deepEqual(availablePeers(), [])
})
