import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import '../dashboard/build.ts'

/**
 * Builds what the npm package has beside `bin/`: a copy of this checkout in `dist/` with TypeScript compiled to JavaScript, since Node
 * does not strip types below node_modules/, and with built pages. Relative paths between its files stay the same.
 */

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

const COPIED = [
  ...['package.json', 'LICENSE', 'examples', 'migrations', 'dashboard/dist', 'docs'],
  ...['onnx/package.json', 'onnx/package-lock.json', 'otel/package.json', 'otel/package-lock.json'],
  ...globSync('src/**/*', { cwd: root, exclude: ['**/*.ts'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
]

/** File names are in string literals: imports, the renderer's program, and file patterns. */
const javaScript = (source: string): string => stripTypeScriptTypes(source).replaceAll(".ts'", ".js'")

rmSync(dist, { recursive: true, force: true })
for (const path of COPIED) cpSync(join(root, path), join(dist, path), { recursive: true })
for (const path of globSync(['src/**/*.ts', 'client/src/*.ts'], { cwd: root })) {
  const target = join(dist, path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, javaScript(readFileSync(join(root, path), 'utf8')))
}
const manifest = join(dist, 'package.json')
// The import #client leads to what was made of it.
writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll('.ts"', '.js"'))
