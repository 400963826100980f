import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

/** Which tier a file is of is said by its name: scripts/test.ts. */

const root = join(import.meta.dirname, '..')
const files = globSync(
  ['{packages,apps,clients}/*/test/**/*.test.ts', 'apps/server/src/*/test/**/*.test.ts', '{lab/,}test/**/*.test.ts'],
  {
    cwd: root,
  },
).sort()

/** What a unit test may not load, in any number of steps: what starts servers, databases, browsers and renderers. */
const STARTS =
  /\/(test\/support\/(server|rendering|browser|template-cluster|database-targets)|src\/database\/embedded\/server)\.ts$/

const folders: Readonly<Record<string, string>> = Object.fromEntries(
  globSync(['{packages,apps,clients}/*/package.json', 'lab/package.json'], { cwd: root }).map((path) => {
    const { name } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { name: string }
    return [name, dirname(path)]
  }),
)

/** The file of this repository that an import names; undefined for packages of others. */
function fileOfImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  const folder = folders[name]
  if (folder === undefined) return undefined
  const path = specifier.slice(name.length + 1) || 'index'
  return [`${folder}/${path}.ts`, `${folder}/src/${path}.ts`].find((each) => files.includes(each) || texts.has(each))
}

const texts = new Map(
  globSync(['{packages,apps,clients}/**/*.ts', '{lab,test}/**/*.ts'], { cwd: root, exclude: ['**/node_modules', '**/dist'] }).map(
    (file) => [file, readFileSync(join(root, file), 'utf8')],
  ),
)

/** Files that a file loads as it is loaded, itself among them. */
function loads(file: string, files = new Set<string>()): ReadonlySet<string> {
  if (files.has(file)) return files
  files.add(file)
  for (const [, specifier = ''] of (texts.get(file) ?? '').matchAll(/^(?:import|export|\}) (?!type )[^'"\n]*'([^']+)'/gm)) {
    const to = fileOfImport(file, specifier)
    if (to !== undefined) loads(to, files)
  }
  return files
}

test('a file of tests is named for one tier: unit, slow, or neither', () => {
  assert.ok(files.length > 300)
  const odd = files.filter((file) => !/\/[^./]+(\.unit|\.slow)?\.test\.ts$/.test(file))
  assert.deepEqual(odd, [])
  const elsewhere = [...texts.keys()].filter((file) => file.endsWith('.test.ts') && !files.includes(file))
  assert.deepEqual(
    elsewhere,
    [],
    'tests are in test/ of their package, or of their folder in the server, where npm test finds them',
  )
})

test('a unit test starts no server and no database', () => {
  const starting = files
    .filter((file) => file.endsWith('.unit.test.ts'))
    .flatMap((file) => [...loads(file)].filter((each) => STARTS.test(each)).map((each) => `${file} loads ${each}`))
  assert.deepEqual(starting, [])
})
