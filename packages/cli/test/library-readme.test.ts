import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import sharp from 'sharp'

/** The examples of packages/engine/README.md, as if pasted one after the other. */

const ROOT = join(import.meta.dirname, '../../..')

test("the examples of the library's README run as they are written", async (t) => {
  const readme = await readFile(join(ROOT, 'packages/engine/README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  assert.equal(examples.length, 4)
  const folder = await tempFolder(t)
  await copyFile(join(ROOT, 'examples/photo.jpg'), join(folder, 'upload.jpg'))
  const library = pathToFileURL(join(ROOT, 'packages/cli/src/index.ts')).href
  await writeFile(join(folder, 'main.mjs'), examples.join('\n').replace("from 'pixelmill'", `from '${library}'`))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['main.mjs'], { cwd: folder })
  assert.equal(stderr, '')
  const [fitting = '', pictures, facts = ''] = stdout.split('\n')
  const [bytes, score] = fitting.split(' ').map(Number)
  assert.ok(bytes && bytes <= 60_000 && score && score > 30, fitting)
  assert.equal(pictures, '768 card')
  assert.match(facts, /^1024 Public domain \d+$/)
  const { format, width, height } = await sharp(join(folder, 'avatar.webp')).metadata()
  assert.deepEqual([format, width, height], ['webp', 256, 256])
})
