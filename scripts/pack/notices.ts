import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** Parts under the LGPL, which each of these packages has as files of its own. */
const LGPL: Readonly<Record<string, string>> = {
  sharp: 'libvips and libraries that it uses, in @img/sharp-libvips-*, as shared libraries',
  'wasm-vips': 'libvips, in vips.wasm and vips-jxl.wasm',
  'libheif-js': 'libheif and libde265, in WebAssembly',
  elheif: 'libheif, in WebAssembly',
}

/**
 * The licences of what a package contains from others, and of what is installed with it.
 * @param modules paths of the files in the bundle
 * @param dependencies names of packages that are installed beside it
 */
export function thirdPartyNotices(root: string, modules: readonly string[], dependencies: readonly string[]): string {
  const folders = new Set(modules.flatMap((path) => packageFolderOf(root, path) ?? []))
  return [
    '# Third-party notices',
    'Pixelmill is under the MIT licence, in LICENSE. This package contains code of others, and needs packages of others.',
    '## Installed beside this package',
    ...dependencies.flatMap((name) => manifestIn(root, join('node_modules', name)) ?? []).map(installedLine),
    ...lgplText(dependencies),
    '## In this package',
    ...[...folders].sort().flatMap((folder) => {
      const manifest = manifestIn(root, folder)
      return manifest
        ? [`### ${manifest.name} ${manifest.version} (${manifest.license ?? 'no licence named'})`, licenceText(root, folder)]
        : []
    }),
  ]
    .join('\n\n')
    .concat('\n')
}

/** The folder of the package that a file in node_modules/ belongs to. */
function packageFolderOf(root: string, path: string): string | undefined {
  const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(root, path)) ?? []
  return folder
}

function manifestIn(root: string, folder: string): Manifest | undefined {
  const [path] = globSync(join(folder, 'package.json'), { cwd: root })
  return path === undefined ? undefined : (JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest)
}

const installedLine = ({ name, version, license = 'no licence named' }: Manifest): string => `- ${name} ${version}: ${license}`

function lgplText(dependencies: readonly string[]): readonly string[] {
  const parts = Object.entries(LGPL).filter(([name]) => dependencies.includes(name))
  if (parts.length === 0) return []
  return [
    'These have parts under the GNU Lesser General Public License (version 3, and version 2.1 or later for libheif and libde265):',
    parts.map(([name, what]) => `- ${name}: ${what}`).join('\n'),
    'They are installed by npm as files of their own, and loaded when they are needed. Whoever passes Pixelmill on together with them passes on their licences and the place of their sources, which each names in its README, and lets users replace these files with versions of their own.',
  ]
}

function licenceText(root: string, folder: string): string {
  const [path] = globSync(join(folder, '{LICENSE,LICENCE,License,license}*'), { cwd: root })
  return path === undefined
    ? 'It has no file with its licence.'
    : `\`\`\`\n${readFileSync(join(root, path), 'utf8').trim()}\n\`\`\``
}
