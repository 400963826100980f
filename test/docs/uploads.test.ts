import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { type SharedServer, shareServer } from 'pixelmill-server/test/support/shared-server'
import { blocksOf, runPage, skipWithoutCurl as skip } from 'pixelmill-server/test/support/shell-page'
import { zipFile } from 'pixelmill-server/test/support/zip'

/** docs/uploads.md, line by line. */

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server[Symbol.asyncDispose]())

test('the commands of docs/uploads.md run as they are written, and so does its program', { skip }, async (t) => {
  const folder = await tempFolder(t)
  const picture = await solid(8, 8, '#123456').png().toBuffer()
  const archive = zipFile([
    { name: 'a.png', data: picture },
    { name: 'notes.bin', data: randomBytes(5_000) },
  ])
  await writeFile(join(folder, 'shop.zip'), archive)
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const env = { URL: server.url, KEY: server.key }
  const outputOf = await runPage('docs/uploads.md', env, folder)
  assert.match(outputOf('-T shop.zip'), /"status":"queued"/)
  assert.ok((await readFile(join(folder, 'copy.zip'))).equals(archive))
  assert.match(outputOf('OFFSET='), new RegExp(`"bytes":${archive.length},`))

  const [program = ''] = await blocksOf('docs/uploads.md', 'js')
  await writeFile(join(folder, 'send.mjs'), program)
  const { stdout } = await promisify(execFile)(process.execPath, ['send.mjs'], { cwd: folder, env: { ...process.env, ...env } })
  const headers = { authorization: `Bearer ${server.key}` }
  const response = await fetch(`${server.url}/api/v3/uploads/${stdout.trim()}`, { headers })
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(archive))
})
