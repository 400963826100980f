import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Of a declaration file: `from '…'` and `import('…')`. */
const SPECIFIER = /(from |import\()'([^']+)'/g

/**
 * Writes the TypeScript declarations of a module, and of all that they name, into one folder.
 * @param entry path of the module from the root
 * @throws Error if they name a module outside our packages, which the package's users need not have
 */
export function writeDeclarations(root: string, entry: string, folder: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'pixelmill-types-'))
  const declarationsOf = (module: string) => join(scratch, module.replace(/\.ts$/, '.d.ts'))
  try {
    const modules = [entry]
    // The compiler writes those of other packages only where they are named. What is found in a round is added to the list.
    for (const module of modules) {
      if (!existsSync(declarationsOf(module))) compile(root, modules, scratch)
      for (const importedModule of importsOf(readFileSync(declarationsOf(module), 'utf8'), module))
        if (!modules.includes(importedModule)) modules.push(importedModule)
    }
    const names = modules.map((module) => basename(module, '.ts'))
    if (new Set(names).size < names.length) throw new Error(`Two modules with declarations have one name: ${modules.join(', ')}`)
    for (const module of modules)
      writeFileSync(join(folder, `${basename(module, '.ts')}.d.ts`), withLinks(declarationsOf(module), module))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Types are checked elsewhere. */
function compile(root: string, modules: readonly string[], outDir: string): void {
  const project = join(outDir, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    outDir,
    rootDir: root,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const files = modules.map((module) => join(root, module))
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], { cwd: root })
}

const importsOf = (text: string, module: string): readonly string[] =>
  [...text.matchAll(SPECIFIER)]
    .map(([, , specifier = '']) => specifier)
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => moduleOf(specifier, module))

const withLinks = (path: string, module: string): string =>
  readFileSync(path, 'utf8').replaceAll(SPECIFIER, (whole, before: string, specifier: string) =>
    specifier.startsWith('node:') ? whole : `${before}'./${basename(moduleOf(specifier, module), '.ts')}.js'`,
  )

/** The path from the root of what a module imports. */
function moduleOf(specifier: string, importer: string): string {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  const [, name, path] = /^@pixelmill\/(\w+)\/(.+)$/.exec(specifier) ?? []
  if (path === undefined) throw new Error(`The declarations of ${importer} need ${specifier}.`)
  return `packages/${name}/src/${path}.ts`
}
