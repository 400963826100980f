import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '../src')

/**
 * From the bottom up: a file may import its own layer and those above it in this list. Layers in one row do not know
 * each other.
 */
const layers = [
  ['contract/'],
  ['codecs/'],
  ['image/'],
  ['operations/'],
  ['rendering/', 'database/'],
  ['accounts/', 'metering/', 'metrics/'],
  ['version.ts', 'log.ts', 'config.ts'],
  ['services.ts'],
  ['admission/'],
  ['http/'],
  ['routes/'],
  ['banner.ts'],
  ['serve.ts'],
  ['main.ts'],
] as const

interface Import {
  readonly target: string
  readonly typeOnly: boolean
}

interface Source {
  readonly path: string
  readonly text: string
  readonly lines: number
  readonly imports: readonly Import[]
}

const IMPORT =
  /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)|\brequire\('([^']+)'\)/gm

function readSource(path: string): Source {
  const text = readFileSync(join(SRC, path), 'utf8')
  const imports = [...text.matchAll(IMPORT)].map(([whole, type, from, bare, dynamic, required]): Import => {
    const target = from ?? bare ?? dynamic ?? required ?? ''
    const inType = /^import\('/.test(whole) && text.includes(`typeof ${whole}`)
    return { target: target.startsWith('.') ? join(dirname(path), target) : target, typeOnly: type !== undefined || inType }
  })
  return { path, text, lines: text.trimEnd().split('\n').length, imports }
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readSource(path.replaceAll('\\', '/')))
const isOurs = ({ target }: Import) => sources.some(({ path }) => path === target)

const layerOf = (path: string): number => layers.findIndex((row) => row.some((layer) => path === layer || path.startsWith(layer)))
const entryOf = (path: string): string => layers[layerOf(path)]?.find((layer) => path.startsWith(layer)) ?? ''

test('the sources were found, with their imports', () => {
  assert.ok(sources.length > 50)
  assert.ok(sources.flatMap(({ imports }) => imports).filter(isOurs).length > 100)
})

test('every relative import leads to a file', () => {
  const lost = sources.flatMap(({ path, imports }) =>
    imports.filter((one) => one.target.endsWith('.ts') && !isOurs(one)).map(({ target }) => `${path} → ${target}`),
  )
  assert.deepEqual(lost, [])
})

test('every file belongs to a layer', () => {
  assert.deepEqual(
    sources.filter(({ path }) => layerOf(path) < 0).map(({ path }) => path),
    [],
  )
})

test('imports go down the layers only, types included', () => {
  const upward = sources.flatMap(({ path, imports }) =>
    imports
      .filter(isOurs)
      .filter(
        ({ target }) =>
          layerOf(target) > layerOf(path) || (layerOf(target) === layerOf(path) && entryOf(target) !== entryOf(path)),
      )
      .map(({ target }) => `${path} → ${target}`),
  )
  assert.deepEqual(upward, [])
})

test('no imports go in a circle, types included', () => {
  const circles: string[] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      return
    }
    if (done.has(path)) return
    const imports = sources.find((source) => source.path === path)?.imports ?? []
    for (const one of imports.filter(isOurs)) walk(one.target, [...trail, path])
    done.add(path)
  }
  for (const { path } of sources) walk(path, [])
  assert.deepEqual(circles, [])
})

test('files are short', () => {
  const sizes = sources.map(({ lines }) => lines).sort((a, b) => a - b)
  assert.deepEqual(
    sources.filter(({ lines }) => lines > 300).map(({ path }) => path),
    [],
  )
  assert.ok((sizes[sizes.length >> 1] ?? 0) <= 75, `the median is ${sizes[sizes.length >> 1]}`)
})

test('names say what a thing is', () => {
  const drawer = /(^|\/)(utils?|helpers?|common|misc|shared|lib)(\/|\.ts$)/
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/
  const odd = sources.filter(({ path }) => drawer.test(path) || !kebab.test(basename(path)))
  assert.deepEqual(
    odd.map(({ path }) => path),
    [],
  )
})

const bans = [
  ['any', /[:<,|&(]\s*any\b(?!\s*[a-z])|\bas any\b|\bany\[\]/, []],
  ['process.env', /process\.env/, ['main.ts', 'config.ts']],
  ['an enum', /^\s*(export\s+)?(const\s+)?enum\s/m, []],
  ['a namespace', /^\s*(export\s+)?namespace\s/m, []],
  ['a default export', /^export default/m, []],
  ['a suppressed check', /@ts-(ignore|nocheck|expect-error)|biome-ignore/, []],
] as const
for (const [name, pattern, allowed] of bans) {
  test(`${name} is ${allowed.length > 0 ? `in ${allowed.join(' and ')} only` : 'nowhere'}`, () => {
    const found = sources.filter(
      ({ path, text }) => pattern.test(withoutComments(text)) && !(allowed as readonly string[]).includes(path),
    )
    assert.deepEqual(
      found.map(({ path }) => path),
      [],
    )
  })
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

/** Packages with a single place; type-only imports of them are free where the last column says so. */
const homes = [
  ['fastify', (path: string) => path.startsWith('http/'), false],
  ['@fastify/busboy', (path: string) => path.startsWith('http/'), false],
  ['sharp', (path: string) => path === 'image/sharp.ts', true],
  ['prom-client', (path: string) => path.startsWith('metrics/'), true],
  ['pino', (path: string) => path === 'log.ts', true],
  ['pg', (path: string) => path.startsWith('database/'), true],
  ['kysely', (path: string) => path.startsWith('database/') || path.startsWith('accounts/'), true],
] as const
for (const [name, isHome, typesAreFree] of homes) {
  test(`${name} is loaded in its own place only`, () => {
    const users = sources.filter(({ imports }) =>
      imports.some(({ target, typeOnly }) => target === name && !(typesAreFree && typeOnly)),
    )
    assert.ok(users.length > 0)
    assert.deepEqual(
      users.filter(({ path }) => !isHome(path)).map(({ path }) => path),
      [],
    )
  })
}

test('what is imported from outside is Node or a dependency', () => {
  const manifest = JSON.parse(readFileSync(join(SRC, '../package.json'), 'utf8')) as { dependencies: Record<string, string> }
  const known = (target: string) => target.startsWith('node:') || Object.hasOwn(manifest.dependencies, target)
  const strange = sources.flatMap(({ path, imports }) =>
    imports.filter((one) => !isOurs(one) && !known(one.target)).map(({ target }) => `${relative('.', path)} → ${target}`),
  )
  assert.deepEqual(strange, [])
})
