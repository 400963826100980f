import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `node scripts/set-version.ts X.Y.Z`: writes the version of the next release into every manifest that has it: our packages and what they
 * need of each other, the container image in compose.yaml and the manifests of Kubernetes, and the Python package.
 */

const root = join(import.meta.dirname, '..')
const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(-rc\.\d+)?$/.test(version)) throw new Error(`"${version}" is no version such as 1.2.3 or 1.2.3-rc.1.`)

const current = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }).version
/** As PEP 440 writes a release candidate. */
const pythonVersion = (release: string): string => release.replace('-rc.', 'rc')
const escapeDots = (text: string): string => text.replaceAll('.', '\\.')

/** Where the version stands in a kind of file. */
const places: readonly { readonly files: readonly string[]; readonly pattern: RegExp; readonly text: string }[] = [
  {
    files: [
      'package.json',
      '{packages,apps,clients}/*/package.json',
      '{lab,onnx,otel}/package.json',
      '{onnx,otel}/package-lock.json',
    ],
    pattern: new RegExp(`("version"|"@?pixelmill[\\w/-]*"): "${escapeDots(current)}"`, 'g'),
    text: `$1: "${version}"`,
  },
  {
    files: ['compose.yaml', 'deploy/**/*.yaml', 'engines/ray/Dockerfile'],
    pattern: new RegExp(`(pixelmill(?:-ray)?:|newTag: )${escapeDots(current)}`, 'g'),
    text: `$1${version}`,
  },
  {
    files: ['engines/ray/pyproject.toml'],
    pattern: new RegExp(`^version = "${escapeDots(pythonVersion(current))}"`, 'm'),
    text: `version = "${pythonVersion(version)}"`,
  },
]
for (const { files, pattern, text } of places)
  for (const file of globSync(files as string[], { cwd: root })) {
    const path = join(root, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(new RegExp(pattern, `${pattern.flags.replace('g', '')}g`), text))
  }
console.log(`${current} → ${version}: now \`npm install --package-lock-only --ignore-scripts\` and \`npm run docs\`.`)
