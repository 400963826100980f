import { join } from 'node:path'
import sharp from 'sharp'

/** `node lab/make-product.ts`: paints examples/product.jpg, a mug in front of a studio wall, the same in every run. */

const WIDTH = 1200
const HEIGHT = 900

const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
  <defs>
    <radialGradient id="wall" cx="50%" cy="38%" r="75%"><stop offset="0" stop-color="#eceae5"/><stop offset="1" stop-color="#c9c6bf"/></radialGradient>
    <linearGradient id="glaze"><stop offset="0" stop-color="#0d3b4a"/><stop offset=".22" stop-color="#3f93a8"/>
      <stop offset=".45" stop-color="#1b6278"/><stop offset="1" stop-color="#082731"/></linearGradient>
    <linearGradient id="inside" x2="0" y2="1"><stop offset="0" stop-color="#1a1210"/><stop offset="1" stop-color="#4a2c1d"/></linearGradient>
    <filter id="soft" x="-20%" y="-200%" width="140%" height="500%"><feGaussianBlur stdDeviation="16"/></filter>
  </defs>
  <rect width="100%" height="100%" fill="url(#wall)"/>
  <ellipse cx="585" cy="738" rx="215" ry="20" fill="#8d8a84" opacity=".55" filter="url(#soft)"/>
  <path d="M735 340 C905 330 905 600 722 590 L726 540 C835 545 835 388 735 392 Z" fill="#145065"/>
  <path d="M745 352 C885 346 885 585 735 578" fill="none" stroke="#4a9eb2" stroke-width="7" stroke-linecap="round"/>
  <path d="M380 250 L402 690 C406 760 754 760 758 690 L780 250 Z" fill="url(#glaze)"/>
  <ellipse cx="580" cy="250" rx="200" ry="52" fill="#2f7f95"/>
  <ellipse cx="580" cy="254" rx="184" ry="44" fill="url(#inside)"/>
  <path d="M452 330 L464 640" stroke="#bfe3ea" stroke-width="16" stroke-linecap="round" opacity=".5"/>
</svg>`

/** Noise of one channel of a pixel: at most three levels, like a camera's. */
function grain(at: number): number {
  const hash = Math.imul(at ^ (at >>> 13), 1_274_126_177)
  return (((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32 - 0.5) * 6
}

const { data, info } = await sharp(Buffer.from(scene)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
for (let at = 0; at < data.length; at++) data[at] = Math.min(255, Math.max(0, Math.round((data[at] ?? 0) + grain(at))))
await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
  .withExif({ IFD0: { Copyright: 'Pixelmill, MIT' } })
  .jpeg({ quality: 85, mozjpeg: true })
  .toFile(join(import.meta.dirname, '../examples/product.jpg'))
