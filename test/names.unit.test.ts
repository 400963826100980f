import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nameFaults } from '../scripts/name-rules.ts'

const root = join(import.meta.dirname, '..')

const SOURCES = ['{packages,apps,clients}/*/**/*.{ts,svelte}', '{lab,scripts,test}/**/*.ts']
const BUILT = ['**/node_modules/**', '**/dist/**', '**/*.d.ts', 'clients/typescript/src/api-types.ts']

const files = globSync(SOURCES, { cwd: root, exclude: BUILT })

test('names say what things are, and a statement declares one value', () => {
  const faults = files.flatMap((file) =>
    nameFaults(file, readFileSync(join(root, file), 'utf8')).map(({ line, what }) => `${file}:${line} ${what}`),
  )
  assert.deepEqual(faults, [])
})

const NAMED = {
  'const found = find()': 'the name `found` does not say what it is',
  'const { result: kept } = answer': 'the name `kept` does not say what it is',
  'const [made] = makeAll()': 'the name `made` does not say what it is',
  'const run = (resized: number) => resized': 'the name `resized` does not say what it is',
  'function encoded() {}': 'the name `encoded` does not say what it is',
  'class Run { #sent = 0 }': 'the name `sent` does not say what it is',
  'class Run { get converted() { return 1 } }': 'the name `converted` does not say what it is',
  'const [width, height] = [a.width, b.height]': 'one statement declares two values',
  '[low, high] = [0, total]': 'one statement assigns two values',
  'const row = [a, ...[b, c]]': 'a literal array is spread',
  'const row = { a, ...{ b, c } }': 'a literal object is spread',
}

for (const [text, what] of Object.entries(NAMED)) {
  test(`\`${text}\` is a fault`, () => {
    assert.deepEqual(nameFaults('file.ts', `\n${text}\n`), [{ line: 2, what }])
  })
}

for (const text of [
  'const decodedImage = decode()',
  'const { used, limit } = answer',
  'const [low, high] = range()',
  '[rows[a], rows[b]] = [rows[b], rows[a]]',
  'const [program, ...args] = [...command, file]',
  'const rows = [a, ...(isLong ? [b] : [])]',
  'const speed = 1; const expected = 2; const left = 3',
  'interface Answer { readonly used: number }',
]) {
  test(`\`${text}\` is none`, () => {
    assert.deepEqual(nameFaults('file.ts', text), [])
  })
}

test('lines in a component are those of its file', () => {
  const component = '<p>found</p>\n<script lang="ts">\n  const title = 1\n  const found = 2\n</script>\n'
  assert.deepEqual(
    nameFaults('Page.svelte', component).map(({ line }) => line),
    [4],
  )
})
