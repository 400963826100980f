import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import '../dashboard/build.ts'

/**
 * What `npm pack` puts into the package: a copy of this checkout in `dist/`, where TypeScript has become JavaScript, as Node strips no
 * types below node_modules/, and where the pages are built. Paths between its files stay as they are.
 */

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** Programs of operators, and what they import. */
const SCRIPTS = ['scripts/{backup,move,reset-password}.ts', 'scripts/{backup,move,operator}/**/*.ts']

const COPIED = [
  ...['package.json', 'LICENSE', 'examples', 'migrations', 'dashboard/dist', 'docs'],
  ...['onnx/package.json', 'onnx/package-lock.json', 'otel/package.json', 'otel/package-lock.json'],
  ...globSync(['src/**/*', 'bin/*'], { cwd: root, exclude: ['**/*.ts'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
]

/** Names of files stand in string literals: of imports, of the program that renderers run, of what is looked for in a folder. */
const javaScript = (source: string): string => stripTypeScriptTypes(source).replaceAll(".ts'", ".js'")

rmSync(dist, { recursive: true, force: true })
for (const path of COPIED) cpSync(join(root, path), join(dist, path), { recursive: true })
for (const path of globSync(['src/**/*.ts', ...SCRIPTS], { cwd: root })) {
  const target = join(dist, path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, javaScript(readFileSync(join(root, path), 'utf8')))
}
const bin = join(dist, 'bin/pixelmill.mjs')
writeFileSync(bin, readFileSync(bin, 'utf8').replaceAll(".ts'", ".js'"))
