import assert from 'node:assert/strict'
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { shareServer } from 'pixelmill-server/test/support/shared-server'
import { runPage, skipWithoutCurl as skip } from 'pixelmill-server/test/support/shell-page'
import sharp from 'sharp'

/** Pages whose commands convert a photograph, from an empty folder. */

const ROOT = join(import.meta.dirname, '../..')

test('the commands of docs/cli.md run as they are written', { skip }, async (t) => {
  const folder = await tempFolder(t)
  const bin = join(folder, 'bin')
  for (const path of ['bin', 'photos/2026']) await mkdir(join(folder, path), { recursive: true })
  // An installation puts it on the path so.
  await writeFile(join(bin, 'pixelmill'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/pixelmill.mjs')}" "$@"\n`)
  await chmod(join(bin, 'pixelmill'), 0o755)
  await writeFile(join(folder, 'photos/2026/a.jpg'), await photo(300, 200).jpeg().toBuffer())
  await cp(join(folder, 'photos/2026/a.jpg'), join(folder, 'photo.jpg'))
  const recipe = { outputs: [{ name: 'hero' }, { name: 'thumb', format: 'webp', steps: [{ resize: { width: 20 } }] }] }
  await writeFile(join(folder, 'shop.json'), JSON.stringify(recipe))
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder }
  const outputOf = await runPage('docs/cli.md', env, folder)
  assert.match(outputOf('info photo.webp'), /^ {2}format +webp$/m)
  assert.deepEqual((await readdir(join(folder, 'shop/2026'))).sort(), ['a-hero.jpg', 'a-thumb.webp'])
  // The photograph is smaller than what is asked for, and is not enlarged.
  assert.equal((await sharp(join(folder, 'web/2026/a.avif')).metadata()).width, 300)
  assert.deepEqual(
    (await readdir(join(folder, 'img/2026'))).sort(),
    ['avif', 'jpg', 'webp'].map((extension) => `a-300.${extension}`),
  )
  assert.match(await readFile(join(folder, 'pictures.html'), 'utf8'), /^<picture>\n.*srcset="\/img\/2026\/a-300\.avif 300w"/)
  assert.ok((await sharp(join(folder, 'small/2026/a.jpg')).toBuffer()).length <= 200_000)
  assert.equal((await sharp(join(folder, 'photo2.webp')).metadata()).format, 'webp')
})

test('the commands of docs/tinify.md run as they are written', { skip }, async (t) => {
  await using server = await shareServer()
  const folder = await tempFolder(t)
  await cp(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  await runPage('docs/tinify.md', { URL: server.url, KEY: server.key }, folder)
  assert.equal((await sharp(join(folder, 'small.jpg')).metadata()).width, 1024)
  const { format, width, height } = await sharp(join(folder, 'thumb.webp')).metadata()
  assert.deepEqual([format, width, height], ['webp', 150, 100])
})
