import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'

/** What docs/design/README.md says of the packages: between them only `exports` and declared dependencies, and circles nowhere. */

const root = join(import.meta.dirname, '..')

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

interface Package {
  readonly folder: string
  readonly manifest: Manifest
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
const packages: readonly Package[] = globSync(['{packages,apps,clients}/*/package.json', 'lab/package.json'], { cwd: root })
  .sort()
  .map((path) => ({ folder: dirname(path), manifest: readManifest(path) }))

const packageOf = (file: string): Package | undefined => packages.find(({ folder }) => file.startsWith(`${folder}/`))
const packageNamed = (name: string): Package | undefined => packages.find(({ manifest }) => manifest.name === name)

/** Every module of ours, tests included. */
const modules = globSync(['{packages,apps,clients}/**/*.{ts,svelte}', 'lab/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'], {
  cwd: root,
  exclude: ['**/node_modules', '**/dist'],
}).sort()
const sources = modules.filter(
  (file) => /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(file) && !file.startsWith('apps/dashboard/') && !file.includes('/test/'),
)

const texts = new Map(modules.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const text = (file: string): string => texts.get(file) ?? ''
const lines = (file: string): number => text(file).split('\n').length - 1

/** A program that a test writes for somebody else is in a text of its own, which starts with a backtick. */
const specifiers = (file: string): readonly string[] =>
  [...text(file).matchAll(/^(?:import|export|\}) ?(?:[^'"`]*?from )?'([^']+)'|import\('([^']+)'\)/gm)].map(
    ([, declaration, dynamicImport]) => declaration ?? dynamicImport ?? '',
  )
const isRelative = (specifier: string): boolean => specifier.startsWith('.')
const relatives = (file: string): readonly string[] =>
  specifiers(file)
    .filter(isRelative)
    .map((specifier) => join(dirname(file), specifier))

/** The package and the path in it that a specifier names. */
function split(specifier: string): readonly [name: string, path: string] {
  const words = specifier.split('/')
  const name = words.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  return [name, specifier === name ? '.' : `.${specifier.slice(name.length)}`]
}

function isExported({ exports = {} }: Manifest, path: string): boolean {
  return Object.keys(exports).some((pattern) => {
    const [before = '', after] = pattern.split('*')
    return after === undefined ? path === pattern : path.startsWith(before) && path.endsWith(after)
  })
}

test('packages and their modules are found', () => {
  assert.ok(packages.length >= 9 && packages.length <= 10, String(packages.length))
  assert.ok(sources.length > 500)
})

test('no relative import leaves its package', () => {
  const leaving = modules.flatMap((file) => {
    const own = packageOf(file)
    return relatives(file)
      .filter((to) => packageOf(to) !== own)
      .map((to) => `${file} -> ${to}`)
  })
  assert.deepEqual(leaving, [])
})

test('an import of another package is in its exports', () => {
  const wrong = modules.flatMap((file) =>
    specifiers(file)
      .filter((specifier) => !isRelative(specifier))
      .filter((specifier) => {
        const [name, path] = split(specifier)
        const target = packageNamed(name)
        return target !== undefined && !isExported(target.manifest, path)
      })
      .map((specifier) => `${file} -> ${specifier}`),
  )
  assert.deepEqual(wrong, [])
})

/** A row below a pattern of the same exports says where a file is under a condition, and exports no more. */
const isInPattern = (path: string, exports: Manifest['exports'] = {}): boolean =>
  Object.keys(exports).some((pattern) => pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1)))

test('a file in the exports is imported by another package', () => {
  const imports = new Set(
    modules.flatMap((file) => specifiers(file).filter((specifier) => packageOf(file) !== packageNamed(split(specifier)[0]))),
  )
  const surplus = packages.flatMap(({ manifest: { name, exports = {} } }) =>
    Object.keys(exports)
      .filter(
        (path) => path !== '.' && !path.includes('*') && !isInPattern(path, exports) && !imports.has(`${name}${path.slice(1)}`),
      )
      .map((path) => `${name} ${path}`),
  )
  assert.deepEqual(surplus, [])
})

test('a package declares what its sources import', () => {
  const faults = sources.flatMap((file) => {
    const own = packageOf(file)?.manifest
    const dependencies = { ...own?.dependencies, ...own?.devDependencies }
    return specifiers(file)
      .filter((specifier) => !isRelative(specifier))
      .map((specifier) => split(specifier)[0])
      .filter((name) => packageNamed(name) !== undefined && name !== own?.name && !(name in dependencies))
      .map((name) => `${file} -> ${name}`)
  })
  assert.deepEqual([...new Set(faults)], [])
})

test('packages depend on each other without circles', () => {
  const visit = ({ manifest }: Package, path: readonly string[]): void => {
    assert.ok(!path.includes(manifest.name), [...path, manifest.name].join(' -> '))
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      const dependency = packageNamed(name)
      if (dependency) visit(dependency, [...path, manifest.name])
    }
  }
  for (const each of packages) visit(each, [])
})

test('there is no import circle in a package, type imports included', () => {
  const files = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), [...path, file].join(' -> '))
    if (files.has(file)) return
    for (const to of relatives(file)) visit(to, [...path, file])
    files.add(file)
  }
  for (const file of sources) visit(file, [])
})

/**
 * Floors of the server, from the ground up: a folder imports only from its own and from those below. A feature's routes are far above
 * it, since they use http/, which uses admission/, which uses accounts and meters.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['contract'],
  ['archives', 'blobs', 'concurrency', 'database', 'outbound'],
  [
    'accounts',
    'ai',
    'background',
    'batch',
    'billing',
    'delivery',
    'idempotency',
    'mcp',
    'metering',
    'models',
    'uploads',
    'webhooks',
  ],
  ['metrics', 'settings'],
  ['admission'],
  ['http'],
  ['administration', 'images', 'operator', 'pages', 'tinify', 'routes'],
]

/** What these floors know of the features. */
const KNOWN_FEATURES: Readonly<Record<string, readonly string[]>> = {
  admission: ['accounts', 'metering'],
  http: ['accounts', 'idempotency', 'metering'],
}

const SERVER = 'apps/server/src/'
/** `batch` or, for a feature's routes, `batch/routes`; undefined for the files that put everything together. */
function roomOf(file: string): string | undefined {
  const [folder = '', below, ...rest] = file.slice(SERVER.length).split('/')
  if (below === undefined) return undefined
  return below === 'routes' && rest.length > 0 ? `${folder}/routes` : folder
}
const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room.endsWith('/routes') ? 'routes' : room))

const passages = sources
  .filter((file) => file.startsWith(SERVER))
  .flatMap((file) => relatives(file).map((to) => ({ file, from: roomOf(file), to: roomOf(to), says: `${file} -> ${to}` })))

test('every folder of the server is on a floor', () => {
  const rooms = new Set(passages.flatMap(({ from }) => from ?? []))
  assert.deepEqual(
    [...rooms].filter((room) => floorOf(room) < 0),
    [],
  )
})

test('a folder of the server imports from no floor above its own, and features from no file that puts them together', () => {
  const features = FLOORS.findIndex((rooms) => rooms.includes('batch'))
  const wrong = passages.filter(({ from, to }) => {
    if (from === undefined) return false
    return to === undefined ? floorOf(from) <= features : floorOf(to) > floorOf(from)
  })
  assert.deepEqual(
    wrong.map(({ says }) => says),
    [],
  )
})

test('admission and http know only the features that every request needs', () => {
  const features = FLOORS.find((rooms) => rooms.includes('batch')) ?? []
  const wrong = passages.filter(
    ({ from = '', to = '' }) => from in KNOWN_FEATURES && features.includes(to) && !KNOWN_FEATURES[from]?.includes(to),
  )
  assert.deepEqual(
    wrong.map(({ says }) => says),
    [],
  )
})

test('folders of the server depend on each other without circles', () => {
  const next = Map.groupBy(
    passages.filter(({ from, to }) => from !== undefined && to !== undefined && from !== to),
    ({ from }) => from,
  )
  const free = new Set<string>()
  const visit = (room: string, path: readonly string[]): void => {
    assert.ok(!path.includes(room), [...path, room].join(' -> '))
    if (free.has(room)) return
    for (const { to = '' } of next.get(room) ?? []) visit(to, [...path, room])
    free.add(room)
  }
  for (const room of next.keys()) if (room !== undefined) visit(room, [])
})

test('a function of the database has its name once, in the feature whose tables it works on', () => {
  const functions = globSync('apps/server/**/*.sql', { cwd: root, exclude: ['**/node_modules', '**/dist', '**/migrations'] })
  assert.ok(functions.length > 40)
  assert.deepEqual(
    functions.filter((path) => !/^apps\/server\/src\/[a-z]+\/sql\/[a-z_]+\.sql$/.test(path)),
    [],
  )
  const names = functions.map((path) => basename(path))
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

const breaking = (rule: (file: string) => boolean): readonly string[] => sources.filter(rule)

test('a file is what one reads for one reason: none over 300 lines', () => {
  assert.deepEqual(
    breaking((file) => lines(file) > 300 && !text(file).startsWith('// Made by `npm run docs`')),
    [],
  )
})

test('a file under 25 lines with one importer belongs in it, unless it is a row of a table or used by other packages', () => {
  const importers = Map.groupBy(
    sources.flatMap((file) => [...new Set(relatives(file))].map((to) => ({ file, to }))),
    ({ to }) => to,
  )
  const faces = new Set(modules.flatMap((file) => specifiers(file)))
  const isFace = (file: string): boolean => {
    const own = packageOf(file)
    return own !== undefined && faces.has(`${own.manifest.name}/${relative(`${own.folder}/src`, file).replace(/\.ts$/, '')}`)
  }
  const lonely = breaking((file) => {
    const from = importers.get(file) ?? []
    return (
      lines(file) < 25 &&
      !file.endsWith('.d.ts') &&
      from.length === 1 &&
      basename(from[0]?.file ?? '') !== 'index.ts' &&
      !isFace(file)
    )
  })
  assert.deepEqual(lonely, [])
})

const rules: readonly (readonly [rule: string, breaks: (file: string) => boolean])[] = [
  ['no file is called by what it is not: utils, helpers, common, misc', (file) => /utils|helpers|common|misc/.test(file)],
  ['nothing is left for later', (file) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text(file))],
  [
    'only main.ts, health.ts and the commands read the environment of settings',
    (file) =>
      /process\.env\b/.test(text(file)) &&
      !/\/(main|health|environment|operator\/run-command|server\/src\/early)\.ts$|\/database\/embedded\//.test(file),
  ],
  ['only http/ knows the framework', (file) => /from '(fastify|@fastify\/busboy)'/.test(text(file)) && !file.includes('/http/')],
  ['only codecs/sharp.ts loads libvips', (file) => /^import (?!type)[^\n]*from 'sharp'/m.test(text(file))],
  [
    'only inference/ knows the runtime of models',
    (file) => /'onnxruntime/.test(text(file)) && !file.startsWith('packages/vision/src/inference/'),
  ],
  [
    'only tracing.ts and traces.ts know OpenTelemetry',
    (file) => /@opentelemetry/.test(text(file)) && !/\/trac(es|ing)\.ts$/.test(file),
  ],
  ['only bucket/ knows S3', (file) => /from '@aws-sdk/.test(text(file)) && !file.includes('/bucket/')],
  [
    'only outbound/ opens HTTP connections; the command line asks servers by the client, and a browser the server of its page',
    (file) =>
      !file.endsWith('.browser.ts') &&
      /(?<![.\w])fetch\(|globalThis\.fetch|\bhttps?\.(request|get)\(|from '(undici|(node:)?http2?s?)'/.test(
        text(file).replaceAll(/^import type .*/gm, ''),
      ) &&
      !file.includes('/outbound/'),
  ],
  [
    'only outbound/ and the door to the database open sockets',
    (file) =>
      /(?<![.\w])(WebSocket|EventSource)\(|from 'node:(dgram|tls)'|import (?!type|\{ isIP(v4|v6)? \})[^\n]* from 'node:net'/.test(
        text(file),
      ) && !/\/(outbound|database)\//.test(file),
  ],
  [
    "nobody trusts Fastify's request.signal, which aborts too early",
    (file) => file.includes('/http/') && /request\.signal/.test(text(file)) && !file.endsWith('/http/request-state.ts'),
  ],
]
for (const [rule, breaks] of rules) test(rule, () => assert.deepEqual(breaking(breaks), []))
