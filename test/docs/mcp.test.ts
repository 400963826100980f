import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { makeAccount, openServerDatabase } from 'pixelmill-server/test/support/accounts'
import { shareServer } from 'pixelmill-server/test/support/shared-server'
import { blocksOf } from 'pixelmill-server/test/support/shell-page'
import sharp from 'sharp'

const ROOT = join(import.meta.dirname, '../..')

test('the program of docs/mcp.md makes a picture in a folder that has nothing but a photograph and the client', async (t) => {
  await using server = await shareServer()
  const database = await openServerDatabase(server.dir)
  const { key } = await makeAccount(database, 'team')
  await database.close()
  const folder = await tempFolder(t)
  await cp(join(ROOT, 'examples/photo.jpg'), join(folder, 'photo.jpg'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const [program = ''] = await blocksOf('docs/mcp.md', 'ts')
  await writeFile(join(folder, 'edit.mts'), program)
  await promisify(execFile)(process.execPath, ['edit.mts'], { cwd: folder, env: { URL: server.url, KEY: key } })
  const picture = await readFile(join(folder, 'photo.avif'))
  assert.ok(picture.length <= 40_000)
  const { width, compression } = await sharp(picture).metadata()
  assert.deepEqual([width, compression], [800, 'av1'])
})

test('the settings of docs/mcp.md for agents are JSON', async () => {
  const [settings = ''] = await blocksOf('docs/mcp.md', 'json')
  const { mcpServers } = JSON.parse(settings)
  assert.deepEqual(Object.keys(mcpServers), ['pixelmill', 'pictures'])
})
