import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { type SharedServer, shareServer } from 'pixelmill-server/test/support/shared-server'
import { zipFile } from 'pixelmill-server/test/support/zip'
import sharp from 'sharp'

/** The programs of docs/python.md, as they stand there. */

const run = promisify(execFile)
const lacks = (module: string) =>
  spawnSync('python3', ['-c', `import ${module}`]).status !== 0 && `there is no Python 3 with the module ${module}`
const guide = await readFile(join(import.meta.dirname, '../../docs/python.md'), 'utf8')
const [one = '', batch = ''] = [...guide.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')

describe('the Python guide', () => {
  let server: SharedServer
  let folder: string
  before(async () => {
    server = await shareServer()
    folder = await mkdtemp(join(tmpdir(), 'python-'))
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  const python = (code: string, ...values: readonly string[]) =>
    run('python3', ['-c', code, ...values], {
      cwd: folder,
      env: { ...process.env, PIXELMILL_URL: server.url, PIXELMILL_KEY: server.key },
    })

  test('converts a picture, and says why it could not', { skip: lacks('urllib') }, async () => {
    await writeFile(join(folder, 'photo.jpg'), await photo(1_000, 750).jpeg({ quality: 100 }).toBuffer())
    const { stdout } = await python(one, 'photo.jpg')
    assert.match(stdout, /^\d+(\.\d)? % smaller$/m)
    const { format, width } = await sharp(join(folder, 'photo.webp')).metadata()
    assert.deepEqual([format, width], ['webp', 800])
    await writeFile(join(folder, 'no-picture.jpg'), 'text')
    await assert.rejects(python(one, 'no-picture.jpg'), { code: 1, stderr: /^400 invalid_image_type: / })
  })

  test('converts an archive', { skip: lacks('requests') }, async () => {
    const data = await photo(60, 40).jpeg().toBuffer()
    await writeFile(join(folder, 'photos.zip'), zipFile([{ name: 'a.jpg', data }]))
    await python(batch)
    assert.ok((await readFile(join(folder, 'photos-converted.zip'))).includes('a.webp'))
  })
})
