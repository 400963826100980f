import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { localAgent } from './agent.ts'

/** `pixelmill mcp`: an agent has the files below one folder, and nothing else. */

const picture = await photo(90, 60).jpeg().toBuffer()

/** A folder beside others, with links that lead out of it. */
async function foldersOf(t: Parameters<typeof tempFolder>[0]) {
  const outside = await tempFolder(t)
  const root = join(outside, 'pictures')
  await mkdir(join(root, 'sub'), { recursive: true })
  await mkdir(join(outside, 'pictures-of-others'))
  for (const path of ['secret.jpg', 'pictures-of-others/b.jpg', 'pictures/a.jpg', 'pictures/sub/c.jpg', 'pictures/..d.jpg'])
    await writeFile(join(outside, path), picture)
  await writeFile(join(root, 'text.jpg'), 'no image')
  await symlink('../secret.jpg', join(root, 'link.jpg'))
  await symlink('..', join(root, 'up'))
  await symlink('../missing/new', join(root, 'dangling'))
  await symlink('a.jpg', join(root, 'inside.jpg'))
  return { outside, root }
}

test('paths that lead out of the root are refused, however they are written', async (t) => {
  const { outside, root } = await foldersOf(t)
  await using agent = await localAgent(root)
  const before = await readdir(outside, { recursive: true })
  const files = [
    '../secret.jpg',
    join(outside, 'secret.jpg'),
    '/etc/passwd',
    'sub/../../secret.jpg',
    '../pictures-of-others/b.jpg',
    'link.jpg',
    'up/secret.jpg',
    'up/pictures-of-others/b.jpg',
    'missing.jpg',
    '.',
    'sub',
    '',
    'a.jpg/b',
    'a\0.jpg',
    `${'x'.repeat(300)}.jpg`,
    'file:///etc/passwd',
  ]
  for (const file of files)
    for (const [tool, more] of [
      ['edit_image', { recipe: {} }],
      ['inspect_image', {}],
      ['suggest_crop', {}],
    ] as const)
      assert.equal((await agent.refusalOf(tool, { image: { file }, ...more })).error, 'invalid_params', `${tool} ${file}`)
  const image = { file: 'a.jpg' }
  for (const folder of [
    '..',
    '/tmp',
    'up',
    'up/new',
    'sub/../../new',
    'dangling',
    'dangling/deep',
    'a.jpg',
    'a\0',
    'x'.repeat(300),
  ])
    assert.equal((await agent.refusalOf('edit_image', { image, recipe: {}, folder })).error, 'invalid_params', folder)
  for (const [folder, out] of [
    ['..', 'out'],
    ['up', 'out'],
    ['sub', '../out'],
    ['sub', 'up/out'],
    ['sub', 'sub'],
    ['none', 'out'],
  ])
    assert.equal((await agent.refusalOf('make_batch', { folder, out, recipe: {} })).error, 'invalid_params', `${folder} ${out}`)
  assert.equal((await agent.refusalOf('inspect_image', { image: { file: 'text.jpg' } })).error, 'invalid_image_type')
  assert.equal((await agent.refusalOf('batch_status', { id: 'none' })).error, 'batch_not_found')
  assert.deepEqual(await readdir(outside, { recursive: true }), before, 'nothing was written')
})

test('files below the root are read by any path that stays there, and none is replaced', async (t) => {
  const { root } = await foldersOf(t)
  await using agent = await localAgent(root)
  for (const file of ['a.jpg', './a.jpg', 'sub/../a.jpg', join(root, 'a.jpg'), 'inside.jpg', '..d.jpg'])
    assert.equal((await agent.call('inspect_image', { image: { file }, fields: ['format'] })).format, 'jpeg', file)
  const recipe = { steps: [{ resize: { width: 30 } }] }
  const madeOutputs = await Promise.all([1, 2, 3].map(() => agent.edit({ file: 'a.jpg' }, recipe)))
  assert.deepEqual(madeOutputs.map(({ image }) => image.file).sort(), ['a-2.jpg', 'a-3.jpg', 'a-4.jpg'])
  assert.deepEqual(await readFile(join(root, 'a.jpg')), picture)
  const { outputs } = await agent.call<{ outputs: readonly { image: { file: string } }[] }>('edit_image', {
    image: { file: 'sub/c.jpg' },
    folder: 'new/deep',
    recipe: {
      outputs: [
        { name: 's', format: 'webp' },
        { name: 'l', format: 'png' },
      ],
    },
  })
  assert.deepEqual(
    outputs.map(({ image }) => image.file),
    ['new/deep/c-s.webp', 'new/deep/c-l.png'],
  )
  assert.equal((await sharp(join(root, 'new/deep/c-l.png')).metadata()).width, 90)
  assert.deepEqual(
    (await readdir(root)).filter((name) => name.includes('incomplete')),
    [],
  )
})

test('a batch of a folder: what has not changed is not converted again, and faulty files are named', async (t) => {
  const { root } = await foldersOf(t)
  await link(join(root, 'a.jpg'), join(root, 'sub/e.jpg'))
  await writeFile(join(root, 'sub/bad.jpg'), picture.subarray(0, 200))
  await using agent = await localAgent(root)
  const run = async () => {
    const { id } = await agent.call<{ id: string }>('make_batch', {
      folder: 'sub',
      out: 'out',
      recipe: { outputs: [{ format: 'webp' }] },
    })
    let status = await agent.call('batch_status', { id })
    await until(async () => {
      status = await agent.call('batch_status', { id })
      return status.state !== 'processing'
    }, 60_000)
    return status
  }
  const first = await run()
  assert.deepEqual([first.state, first.done, first.failed, first.unchanged], ['completed', 2, 1, 0])
  assert.match(JSON.stringify(first.errors), /bad\.jpg.*invalid_image/)
  assert.ok(existsSync(join(root, 'out/c.webp')))
  const second = await run()
  assert.deepEqual([second.done, second.unchanged], [0, 2])
})
