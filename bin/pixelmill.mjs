// Plain JavaScript, so that a Node too old for the rest can still say so in one line.
// The first that is known to have Uint8Array.prototype.setFromBase64.
const OLDEST = 26
if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  console.error(
    `Pixelmill needs Node ${OLDEST} or newer; this is ${process.versions.node}. "npm ci" brings one for Linux (glibc), macOS and Windows on x64 and arm64.`,
  )
  process.exit(1)
}
await import(process.argv[2] === 'health' ? '../src/health.ts' : '../src/main.ts')
