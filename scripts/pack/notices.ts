import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ThirdParty } from './third-parties.ts'

/** Parts under the LGPL, which each of these packages has as files of its own. */
const LGPL: Readonly<Record<string, string>> = {
  sharp: 'libvips and libraries that it uses, in @img/sharp-libvips-*, as shared libraries',
  'wasm-vips': 'libvips, in vips.wasm and vips-jxl.wasm',
  'libheif-js': 'libheif and libde265, in WebAssembly',
  elheif: 'libheif and libde265, in WebAssembly',
}

/** THIRD-PARTY-NOTICES.md: the licences of what a package contains from others, and of what is installed with it. */
export function thirdPartyNotices(root: string, parties: readonly ThirdParty[]): string {
  const dependencies = parties.filter(({ isBundled }) => !isBundled)
  const contents = parties.filter(({ isBundled }) => isBundled)
  return [
    '# Third-party notices',
    'Pixelmill is under the MIT licence, in LICENSE. This package contains code of others, and needs packages of others.',
    '## Installed beside this package',
    'As far as they are for the system in question:',
    dependencies.map(({ name, version, license }) => `- ${name} ${version}: ${license}`).join('\n'),
    ...lgplText(dependencies),
    '## In this package',
    ...contents.flatMap((party) => [`### ${party.name} ${party.version} (${party.license})`, licenceText(root, party)]),
  ]
    .join('\n\n')
    .concat('\n')
}

function lgplText(dependencies: readonly ThirdParty[]): readonly string[] {
  const parts = Object.entries(LGPL).filter(([name]) => dependencies.some((party) => party.name === name))
  if (parts.length === 0) return []
  return [
    '### LGPL',
    'These have parts under the GNU Lesser General Public License (version 3; libheif and libde265 too; libvips version 2.1 or later):',
    parts.map(([name, what]) => `- ${name}: ${what}`).join('\n'),
    'They are installed by npm as files of their own, and loaded when they are needed. Whoever passes Pixelmill on together with them passes on their licences and the place of their sources, which each names in its README, and lets users replace these files with versions of their own.',
  ]
}

function licenceText(root: string, { folder }: ThirdParty): string {
  const [path] = globSync(join(folder, '{LICENSE,LICENCE,License,license}*'), { cwd: root })
  return path === undefined
    ? 'It has no file with its licence.'
    : `\`\`\`\n${readFileSync(join(root, path), 'utf8').trim()}\n\`\`\``
}
