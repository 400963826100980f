import assert from 'node:assert/strict'
import { mkdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { restoreLibraryLinks } from '../embedded/binaries.ts'

test('links that a forbidden install script did not make are made at the start', async (t) => {
  const packageFolder = await tempFolder(t)
  await mkdir(join(packageFolder, 'native', 'lib'), { recursive: true })
  await writeFile(join(packageFolder, 'native', 'lib', 'libpq.so.5.18'), '')
  const links = ['libpq.so', 'libpq.so.5'].map((name) => ({ source: 'native/lib/libpq.so.5.18', target: `native/lib/${name}` }))
  await writeFile(join(packageFolder, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  const native = pathToFileURL(join(packageFolder, 'native/'))
  await restoreLibraryLinks(native, 'a-package')
  await restoreLibraryLinks(native, 'a-package')
  assert.equal(await readlink(join(packageFolder, 'native', 'lib', 'libpq.so')), 'libpq.so.5.18')
  assert.equal(await readlink(join(packageFolder, 'native', 'lib', 'libpq.so.5')), 'libpq.so.5.18')
})
