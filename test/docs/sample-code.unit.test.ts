import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { curlLines } from '@pixelmill/dashboard/web/curl'
import { pythonLines } from '@pixelmill/dashboard/web/python'
import { forPython } from '@pixelmill/dashboard/web/quoting'
import { Picture, type SampleRequest } from '@pixelmill/dashboard/web/sample-request'
import { typescriptLines } from '@pixelmill/dashboard/web/typescript'
import { exampleCall } from 'pixelmill-server/pages/examples'
import { documentedRoutes } from 'pixelmill-server/routes'

/** What test/docs/samples.slow.test.ts does not send: odd names and values. */

const python = (code: string, input = '') => spawnSync('python3', ['-c', code], { input, encoding: 'utf8' })
const skip = python('').status !== 0 && 'there is no Python 3'

const texts = [`it's`, '"both"\'', 'back\\slash', '{"json":"a\\nb"}', '{"json":1}', 'a\nb\tc\u0001', '☃ 😀', '$x {y}', '']

test('Python reads a literal as the text that it stands for', { skip }, () => {
  const { stdout, stderr } = python(`import json\nprint(json.dumps([${texts.map(forPython).join(', ')}]))`)
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), texts)
})

const request: SampleRequest = { method: 'POST', origin: 'http://127.0.0.1:3000', path: '/api/{id}/x' }

test('Python has the values of its own, and each picture once', () => {
  const one = new Picture('my photo-1.png')
  const lines = pythonLines({ ...request, json: { yes: true, no: false, none: null, images: [one, one, new Picture('2.jpg')] } })
  assert.ok(
    lines.startsWith('import base64\nfrom pathlib import Path\n\nimport requests\n\nID = "…"\nmy_photo_1 = base64'),
    lines,
  )
  assert.ok(lines.includes('"yes": True,\n        "no": False,\n        "none": None,\n'), lines)
  assert.equal(lines.split('read_bytes()').length, 3)
  assert.ok(lines.includes('f"data:image/png;base64,{my_photo_1}"') && lines.includes('{picture_2}'), lines)
})

test('Python sends a form without files as the other languages do', () => {
  const lines = pythonLines({ ...request, params: { width: 640, keep: true } })
  assert.ok(lines.includes('files={"width": (None, "640"), "keep": (None, "true")}'), lines)
})

test('curl takes a value as it is, whatever it begins with or contains', () => {
  const lines = curlLines({ ...request, params: { a: '@file', b: '<file', c: 'x;type=y', d: '"x"', e: 'a=b' } })
  assert.equal(lines.split('--form-string').length, 5, lines)
  assert.ok(lines.includes('-F e=a=b'), lines)
})

test('the TypeScript of every endpoint compiles with strict types', async (t) => {
  const folder = await tempFolder(t)
  const files = documentedRoutes.map(({ name }) => join(folder, `${name}.mts`))
  for (const [index, route] of documentedRoutes.entries())
    await writeFile(files[index] ?? '', `${typescriptLines(exampleCall(route))}\nexport {}\n`)
  const modules = join(import.meta.dirname, '../../node_modules')
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext']
  const types = ['--types', 'node', '--typeRoots', join(modules, '@types')]
  const { status, stdout } = spawnSync(join(modules, '.bin/tsc'), [...options, ...types, ...files], { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})
