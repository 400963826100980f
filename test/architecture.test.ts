import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'

/** Each folder or file may import itself and what stands above it; never what stands below. docs/architecture.md explains it. */
const order = [
  ...[
    'installation.ts',
    'web',
    'contract',
    'version.ts',
    'concurrency',
    'tracing.ts',
    'codecs',
    'metadata',
    'archives',
    'image',
    'hdr',
    'recipe',
    'tasks',
    'rendering',
    'provenance',
    'models',
    'database',
    'blobs',
    'outbound',
    'accounts',
  ],
  ...[
    'metering',
    'idempotency.ts',
    'billing',
    'webhooks',
    'uploads',
    'batch',
    'ai',
    'background',
    'delivery',
    'mcp',
    'metrics',
    'start-messages.ts',
    'inherited-descriptors.ts',
    'log.ts',
    'settings',
    'config.ts',
    'dashboard-build.ts',
  ],
  ...[
    'early.ts',
    'traces.ts',
    'services.ts',
    'scheduler.ts',
    'housekeeping.ts',
    'admission',
    'http',
    'routes',
    'idle-memory.ts',
    'listen.ts',
    'work.ts',
    'serve.ts',
    'main.ts',
    'health.ts',
    'operator',
    'cli',
  ],
]

const src = join(import.meta.dirname, '../src')
const files = globSync('**/*.ts', { cwd: src })
const text = (file: string) => readFileSync(join(src, file), 'utf8')
const lines = (file: string) => text(file).split('\n').length - 1
const imports = (file: string) =>
  [...text(file).matchAll(/(?:from |import |import\()'(\.[^']+)'/g)].map((match) =>
    relative(src, join(src, dirname(file), match[1] ?? '')),
  )
const rank = (file: string) => order.indexOf(file.split('/')[0] ?? '')
const breaking = (rule: (file: string) => boolean) => files.filter(rule)

test('every source file belongs to the order', () => {
  assert.ok(files.length > 50)
  assert.deepEqual(
    breaking((file) => rank(file) < 0),
    [],
  )
})

test('imports only go up the order', () => {
  const wrong = files.flatMap((file) =>
    imports(file)
      .filter((to) => rank(to) > rank(file))
      .map((to) => `${file} -> ${to}`),
  )
  assert.deepEqual(wrong, [])
})

test('there is no import circle, type imports included', () => {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), [...path, file].join(' -> '))
    if (done.has(file)) return
    for (const to of imports(file)) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
})

test('a file is one to three screens: none over 300 lines, half of them between 60 and 90', () => {
  assert.deepEqual(
    breaking((file) => lines(file) > 300),
    [],
  )
  const median = files.map(lines).sort((a, b) => a - b)[files.length >> 1] ?? 0
  assert.ok(median >= 60 && median <= 90, String(median))
})

test('a file under 25 lines with one importer belongs in it, unless it is a row of a table', () => {
  const importers = Map.groupBy(
    files.flatMap((file) => [...new Set(imports(file))].map((to) => ({ file, to }))),
    ({ to }) => to,
  )
  const small = files.filter((file) => lines(file) < 25 && !file.endsWith('.d.ts'))
  const lonely = small.filter((file) => {
    const from = importers.get(file) ?? []
    return from.length === 1 && basename(from[0]?.file ?? '') !== 'index.ts'
  })
  assert.deepEqual(lonely, [])
})

test('a folder has at least four files, those in its own folders counted', () => {
  const folders = new Set(files.map((file) => dirname(file)).filter((folder) => folder !== '.'))
  const few = [...folders].filter((folder) => files.filter((file) => file.startsWith(`${folder}/`)).length < 4)
  assert.deepEqual(few, [])
})

test('no import leaves src/', () => {
  const outside = files.flatMap((file) =>
    imports(file)
      .filter((to) => to.startsWith('..'))
      .map((to) => `${file} -> ${to}`),
  )
  assert.deepEqual(outside, [])
})

const rules: readonly (readonly [rule: string, breaks: (file: string) => boolean])[] = [
  ['no file is called by what it is not: utils, helpers, common, misc', (file) => /utils|helpers|common|misc/.test(file)],
  ['nothing is left for later', (file) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text(file))],
  [
    'only main.ts, health.ts and the commands read the environment of settings',
    (file) =>
      /process\.env\b/.test(text(file)) &&
      !/^(main|health|cli\/environment|operator\/run-command)\.ts$|^database\/embedded\/|^rendering\/external-program\.ts$/.test(
        file,
      ),
  ],
  ['only http/ knows the framework', (file) => /from '(fastify|@fastify\/busboy)'/.test(text(file)) && !file.startsWith('http/')],
  ['only image/sharp.ts loads libvips', (file) => /^import (?!type)[^\n]*from 'sharp'/m.test(text(file))],
  [
    'only image/inference/ knows the runtime of models',
    (file) => /'onnxruntime/.test(text(file)) && !file.startsWith('image/inference/'),
  ],
  [
    'only tracing.ts and traces.ts know OpenTelemetry',
    (file) => /@opentelemetry/.test(text(file)) && !/^trac(es|ing)\.ts$/.test(file),
  ],
  ['only blobs/bucket/ knows S3', (file) => /from '@aws-sdk/.test(text(file)) && !file.startsWith('blobs/bucket/')],
  [
    'only outbound/ opens HTTP connections; the command line asks servers by the client',
    (file) =>
      /(?<![.\w])fetch\(|globalThis\.fetch|\bhttps?\.(request|get)\(|from '(undici|(node:)?http2?s?)'/.test(
        text(file).replaceAll(/^import type .*/gm, ''),
      ) && !file.startsWith('outbound/'),
  ],
  [
    'only outbound/ and the door to the database open sockets',
    (file) =>
      /(?<![.\w])(WebSocket|EventSource)\(|from 'node:(dgram|tls)'|import (?!type|\{ isIP(v4|v6)? \})[^\n]* from 'node:net'/.test(
        text(file),
      ) && !/^(outbound|database)\//.test(file),
  ],
  [
    "nobody trusts Fastify's request.signal, which aborts too early",
    (file) => file.startsWith('http/') && /request\.signal/.test(text(file)) && file !== 'http/request-state.ts',
  ],
]
/** Writes lines of code for readers: what it has in texts is no code of its own. */
const WRITES_CODE = 'web/typescript.ts'
for (const [rule, breaks] of rules)
  test(rule, () =>
    assert.deepEqual(
      breaking((file) => file !== WRITES_CODE && breaks(file)),
      [],
    ),
  )
