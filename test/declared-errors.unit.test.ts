import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { errors } from 'pixelmill-server/contract/errors'

/** Every error that is declared is thrown somewhere: by the sources, or by a function of the database that returns its name. */

const root = join(import.meta.dirname, '..')
const tables = ['errors.ts', 'server-errors.ts', 'upload-errors.ts'].map((name) => `apps/server/src/contract/${name}`)

const textOf = (pattern: string): string =>
  globSync(pattern, { cwd: root, exclude: ['**/test/**', '**/node_modules'] })
    .filter((file) => !tables.includes(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')

const functions = textOf('apps/server/src/**/*.sql')
const sources = textOf('packages/*/src/**/*.ts') + textOf('apps/server/src/**/*.ts')

for (const name of Object.keys(errors)) {
  test(`${name} is thrown`, () => {
    // A name that stands in a list is only declared there.
    const isThrown = new RegExp(String.raw`(?:\(\s*|\? |: |return )'${name}'`).test(sources)
    assert.ok(isThrown || functions.includes(`'${name}'`), 'nothing throws it: remove its row, or throw it')
  })
}
