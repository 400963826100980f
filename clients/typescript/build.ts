import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Builds what the npm package has: JavaScript and declarations in `dist/`. In this repository the client is imported as TypeScript. */

const folder = import.meta.dirname
const dist = join(folder, 'dist')
rmSync(dist, { recursive: true, force: true })
const tsc = join(folder, 'node_modules/typescript/bin/tsc')
const args = [tsc, '--project', folder, '--noEmit', 'false', '--outDir', dist, '--rootDir', join(folder, 'src')]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
cpSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE'))
