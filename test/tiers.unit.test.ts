import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

/** Which tier a file is of is said by its name: scripts/test.ts. */

const root = join(import.meta.dirname, '..')
const files = globSync('test/**/*.test.ts', { cwd: root }).sort()

/** What a unit test may not load, in any number of steps: what starts servers, databases, browsers and renderers. */
const STARTS =
  /^(test\/support\/(server|rendering|browser|template-cluster)|test\/database\/targets|src\/database\/embedded\/server)\.ts$/

/** Files that a file loads as it is loaded, itself among them. */
function loads(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found
  found.add(file)
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, from = ''] of text.matchAll(/^(?:import|export|\}) (?!type )[^'"\n]*'(\.[^']+\.ts)'/gm))
    loads(relative(root, join(root, dirname(file), from)), found)
  return found
}

test('a file of tests is named for one tier: unit, slow, or neither', () => {
  const odd = files.filter((file) => !/^[^.]+(\.unit|\.slow)?\.test\.ts$/.test(file))
  assert.deepEqual(odd, [])
  const elsewhere = globSync('{src,scripts,dashboard/src,bench}/**/*.test.ts', { cwd: root })
  assert.deepEqual(elsewhere, [], 'tests are in test/, where npm test finds them')
})

test('a unit test starts no server and no database', () => {
  const starting = files
    .filter((file) => file.endsWith('.unit.test.ts'))
    .flatMap((file) => [...loads(file)].filter((each) => STARTS.test(each)).map((each) => `${file} loads ${each}`))
  assert.deepEqual(starting, [])
})
