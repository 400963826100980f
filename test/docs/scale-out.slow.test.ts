import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { lacks } from 'pixelmill-server/test/deploy/files'
import { blocksOf, runPage } from 'pixelmill-server/test/support/shell-page'

/** The commands of docs/scale-out.md, as they stand there. */

const ROOT = join(import.meta.dirname, '../..')
const PAGE = 'docs/scale-out.md'

test('a list in four parts, two at a time', { skip: lacks('jq') }, async (t) => {
  const folder = await tempFolder(t)
  for (const name of ['bin', 'photos/sub']) await mkdir(join(folder, name), { recursive: true })
  for (const index of Array(9).keys())
    await photo(60 + index, 40)
      .jpeg()
      .toFile(join(folder, 'photos/sub', `${index} ü.jpg`))
  await copyFile(join(ROOT, 'LICENSE'), join(folder, 'photos/text.jpg'))
  // The recipe of docs/recipes.md.
  const [recipe = ''] = await blocksOf('docs/recipes.md', 'json')
  await writeFile(join(folder, 'shop.json'), recipe)
  const script = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/pixelmill.mjs')}' "$@"\n`
  await writeFile(join(folder, 'bin/pixelmill'), script, { mode: 0o755 })

  const outputOf = await runPage(PAGE, { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }, folder)
  assert.equal(outputOf('xargs'), `${folder}/photos/text.jpg invalid_image_type\n`)
  const outputs = JSON.parse(recipe).outputs.length
  const results = (await readdir(join(folder, 'web'))).filter((name) => !name.startsWith('.'))
  assert.equal(results.length, 9 * outputs)
  const verdicts = await readdir(join(folder, 'web/.pixelmill/verdicts'))
  assert.equal(verdicts.length, 4)
  const lines = await Promise.all(verdicts.map((name) => readFile(join(folder, 'web/.pixelmill/verdicts', name), 'utf8')))
  assert.equal(lines.join('').split('\n').length - 1, 10)
})
