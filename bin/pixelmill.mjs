import module from 'node:module'
import { join } from 'node:path'

// Plain JavaScript, so that a Node too old for the rest can still say so in one line.
// The first that is known to have Uint8Array.prototype.setFromBase64.
const OLDEST = 26
if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  console.error(
    `Pixelmill needs Node ${OLDEST} or newer; this is ${process.versions.node}. "npm ci" brings one for Linux (glibc), macOS and Windows on x64 and arm64.`,
  )
  process.exit(1)
}
// What was stripped of its types and compiled once is only read: 0.45 s of processor time and 18 MB less. A folder that
// may not be written does no harm: then it is done anew at each start.
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/pixelmill/server'))
const { readCommandLine } = await import('../src/command-line.ts')
const asked = readCommandLine(process.argv.slice(2))
if ('run' in asked) await import(asked.run === 'health' ? '../src/health.ts' : '../src/main.ts')
else if ('print' in asked) console.log(asked.print)
else {
  console.error(asked.fault)
  process.exitCode = 2
}
