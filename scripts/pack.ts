import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { writeDeclarations } from './pack/declarations.ts'
import { thirdPartyNotices } from './pack/notices.ts'
import { sbom } from './pack/sbom.ts'
import { thirdParties } from './pack/third-parties.ts'

/**
 * `node scripts/pack.ts FOLDER`: builds the npm package of FOLDER in its `dist/`, from where `npm pack` and `npm publish` take it. Its code
 * is bundled into `lib/`: our own packages, and those that FOLDER's package.json has among its development dependencies. Its other
 * dependencies are installed beside it, and files that are read at run time keep their paths.
 */

const root = join(import.meta.dirname, '..')

interface Contents {
  readonly readme: string
  /** Sources by the names of their files in `lib/`; `programFile` finds those that are started as programs. */
  readonly entries: Readonly<Record<string, string>>
  /** The entry whose declarations are for TypeScript. */
  readonly types?: string
  /** Patterns of files that are read at run time. */
  readonly assets: readonly string[]
}

const programs = {
  program: 'packages/cli/src/program.ts',
  renderer: 'packages/engine/src/rendering/renderer.ts',
  'signing-thread': 'packages/engine/src/provenance/signing-thread.ts',
  'vips-thread': 'packages/codecs/src/jxl/vips-thread.ts',
}
const LIBRARY = 'packages/cli/src/index.ts'
/** What declarations, help and the README refer to. */
const LIBRARY_DOCS = 'docs/{cli,errors,formats,mcp,metadata,quality,recipes,security}.md'
/** What `pixelmill models add` installs the runtime by. */
const RUNTIME = 'onnx/{package,package-lock}.json'
const sandbox = 'packages/engine/src/rendering/sandbox/*.sh'
/** Beside the module that reads it, which is in a bundle. */
const kernels = 'packages/kernels/src/kernels.wasm'

const contents: Readonly<Record<string, Contents>> = {
  'packages/cli': {
    readme: 'packages/engine/README.md',
    entries: { ...programs, index: LIBRARY },
    types: LIBRARY,
    assets: [sandbox, LIBRARY_DOCS, RUNTIME],
  },
  'apps/server': {
    readme: 'apps/server/README.md',
    entries: { ...programs, commands: 'apps/server/src/commands.ts' },
    assets: [
      sandbox,
      'apps/server/migrations/*.sql',
      'apps/server/src/**/*.{sql,css}',
      'apps/dashboard/dist/**/*',
      'apps/dashboard/web/*.{css,svg}',
      'docs/**/*',
      'examples/**/*',
      RUNTIME,
      'otel/{package,package-lock}.json',
    ],
  },
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly publishConfig: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: unknown
}

/** The package.json of the package itself: what is only of use in a checkout is left out. */
function publishedManifest({ publishConfig: { access, ...published }, ...manifest }: Manifest): object {
  const { name, version, description, license } = manifest
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest
  const dependencyFields = { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }
  return { name, version, description, license, type: 'module', ...published, publishConfig: { access }, ...dependencyFields }
}

const isOf = (names: readonly string[]) => (specifier: string) =>
  names.some((name) => specifier === name || specifier.startsWith(`${name}/`))

/** Returns the paths of the modules in the bundle. */
async function bundle(entries: Contents['entries'], external: readonly string[], lib: string): Promise<readonly string[]> {
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external: isOf(external),
    // So that Node 22, which has no `using`, can load it and say that it is too old.
    transform: { target: 'node22' },
  })
  const { output } = await build.write({
    dir: lib,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Less to parse at each start; names and lines stay, for stacks.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await build.close()
  return output.filter((file): file is OutputChunk => file.type === 'chunk').flatMap(({ moduleIds }) => moduleIds)
}

const [folder = ''] = process.argv.slice(2)
const content = contents[folder]
if (!content) throw new Error(`There is no package ${folder}: it is one of ${Object.keys(contents).join(', ')}.`)
if (folder === 'apps/server') await import('@pixelmill/dashboard/build')

const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const { dependencies, optionalDependencies, peerDependencies } = manifest
const dependencyNames = Object.keys({ ...dependencies, ...optionalDependencies })
const external = [...dependencyNames, ...Object.keys(peerDependencies ?? {}), 'pixelmill-server']

const dist = join(root, folder, 'dist')
rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
const lib = join(dist, 'lib')
const modules = await bundle(content.entries, external, lib)
cpSync(join(root, kernels), join(lib, basename(kernels)))
if (content.types !== undefined) writeDeclarations(root, content.types, lib)
for (const path of globSync(content.assets as string[], { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())) {
  const file = join(path.parentPath, path.name).slice(root.length + 1)
  mkdirSync(join(dist, dirname(file)), { recursive: true })
  cpSync(join(root, file), join(dist, file))
}
cpSync(join(root, 'packages/cli/bin'), join(dist, 'bin'), { recursive: true })
cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
writeFileSync(join(dist, 'README.md'), withoutRelativeLinks(readFileSync(join(root, content.readme), 'utf8')))
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`)
const parties = thirdParties(root, modules, dependencyNames)
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.md'), thirdPartyNotices(root, parties))
writeFileSync(join(dist, 'sbom.cdx.json'), sbom(manifest, parties))

/** What they lead to is not in the package, nor is what the text tells of a checkout under its last heading. */
function withoutRelativeLinks(text: string): string {
  const [publicText = ''] = text.split('\n## Inside\n')
  return publicText.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')
}
