import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'

/**
 * `node scripts/pack.ts FOLDER`: builds what the npm package of FOLDER has beside `bin/`. Its `dist/` is a copy of those parts of this checkout
 * that it runs, with TypeScript compiled to JavaScript, since Node does not strip types below node_modules/. Relative paths between
 * files stay the same, and imports of our own packages become relative ones.
 */

const root = join(import.meta.dirname, '..')

const LIBRARY = ['packages/codecs', 'packages/vision', 'packages/engine', 'packages/cli', 'clients/typescript']

interface Contents {
  /** Packages whose sources are compiled. */
  readonly packages: readonly string[]
  /** Files and folders that are read at run time. */
  readonly copied: readonly string[]
}

const contents: Readonly<Record<string, Contents>> = {
  'packages/cli': { packages: LIBRARY, copied: ['onnx/package.json', 'onnx/package-lock.json'] },
  'apps/server': {
    packages: [...LIBRARY, 'apps/server', 'apps/dashboard'],
    copied: [
      ...['apps/server/migrations', 'apps/dashboard/dist', 'apps/dashboard/web', 'docs', 'examples'],
      ...['onnx/package.json', 'onnx/package-lock.json', 'otel/package.json', 'otel/package-lock.json'],
    ],
  },
}

const [folder = ''] = process.argv.slice(2)
const packed = contents[folder]
if (!packed) throw new Error(`There is no package ${folder}: it is one of ${Object.keys(contents).join(', ')}.`)
if (packed.packages.includes('apps/dashboard')) await import('@pixelmill/dashboard/build')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, unknown>>
}

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest
const manifests = new Map(packed.packages.map((path) => [path, manifestOf(path)]))

/** The file in this checkout that a specifier of one of our packages names; undefined for others. */
function fileOf(specifier: string): string | undefined {
  for (const [path, { name, exports = {} }] of manifests) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue
    const asked = `.${specifier.slice(name.length)}`
    for (const [pattern, target] of Object.entries(exports)) {
      const [before = '', after] = pattern.split('*')
      if (typeof target !== 'string') continue
      if (after === undefined ? asked !== pattern : !asked.startsWith(before) || !asked.endsWith(after)) continue
      return join(path, target.replace('*', asked.slice(before.length, asked.length - (after ?? '').length)))
    }
  }
  return undefined
}

/** File names are in string literals: imports, the renderer's program, and file patterns. */
function javaScript(path: string): string {
  const source = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'))
  const linked = source.replaceAll(/'(@?pixelmill[^'\s]*)'/g, (literal, specifier: string) => {
    const file = fileOf(specifier)
    if (file === undefined) return literal
    const way = relative(dirname(path), file)
    return `'${way.startsWith('.') ? way : `./${way}`}'`
  })
  return linked.replaceAll(".ts'", ".js'")
}

const dist = join(root, folder, 'dist')
rmSync(dist, { recursive: true, force: true })
const write = (path: string, text: string): void => {
  const target = join(dist, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}
for (const path of packed.copied) cpSync(join(root, path), join(dist, path), { recursive: true })
for (const [path, { name, version }] of manifests) {
  write(join(path, 'package.json'), JSON.stringify({ name, version, type: 'module' }))
  const where = path === 'apps/dashboard' ? '*.ts' : 'src/**/*'
  for (const entry of globSync(where, { cwd: join(root, path), withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = relative(root, join(entry.parentPath, entry.name))
    if (file.includes('/test/')) continue
    if (file.endsWith('.ts')) write(file.replace(/\.ts$/, '.js'), javaScript(file))
    else write(file, readFileSync(join(root, file), 'utf8'))
  }
}
write('package.json', JSON.stringify({ type: 'module' }))
for (const name of ['LICENSE', 'README.md'])
  if (!existsSync(join(root, folder, name))) copyFileSync(join(root, name), join(root, folder, name))
