import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import sharp from 'sharp'
import { codecs, recognise } from './src/codecs/index.ts'
import { mapInIsobmff } from './src/hdr/in-isobmff.ts'
import { mapInJpeg } from './src/hdr/in-jpeg.ts'
import { readHeader } from './src/image/header.ts'
import { openImage } from './src/image/open.ts'
import { readBlocks } from './src/metadata/containers/index.ts'
import { hasGainMap } from './src/metadata/gain-maps.ts'

const lin = Float64Array.from({ length: 256 }, (_, i) => {
  const v = i / 255
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
})
const W709 = [0.2126, 0.7152, 0.0722],
  WP3 = [0.229, 0.6917, 0.0793]
interface Lum {
  w: number
  h: number
  y: Float64Array
}
async function rasters(b: Buffer) {
  const c = recognise(b)!
  const f = c.name === 'jpeg' ? mapInJpeg(b) : mapInIsobmff(b)
  if (!f) return
  const header = await readHeader(b)
  const icc = readBlocks(b, c.name).icc
  const img = await openImage(b, header, codecs.png, 'keep')
  const base = await img.pixels.removeAlpha().toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const isP3 = img.icc && /P\0?3|Display/.test(img.icc.toString('latin1').replace(/\0/g, ''))
  let map
  if (recognise(f.picture)!.name === 'jpeg')
    map = await sharp(f.picture, { ignoreIcc: true }).toColourspace('srgb').rotate().raw().toBuffer({ resolveWithObject: true })
  else {
    const h = await readHeader(f.picture)
    map = await (await openImage(f.picture, h, codecs.png)).pixels
      .removeAlpha()
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
  }
  // orientation of jpeg
  if (c.name === 'jpeg' && header.orientation && header.orientation !== 1) {
    const r: any = { 3: 180, 6: 90, 8: 270 }[header.orientation]
    const t = sharp(map.data, { raw: { width: map.info.width, height: map.info.height, channels: 3 } }).rotate(r)
    map = await t.raw().toBuffer({ resolveWithObject: true })
  }
  return { base, map, values: f.values, isP3 }
}
export async function reconstruct(b: Buffer): Promise<Lum | undefined> {
  const r = await rasters(b)
  if (!r) return
  const { base, map, values: v, isP3 } = r
  const w = base.info.width,
    h = base.info.height,
    mw = map.info.width,
    mh = map.info.height
  const y = new Float64Array(w * h),
    weights = isP3 ? WP3 : W709
  const mc = map.info.channels,
    bc = base.info.channels
  for (let row = 0; row < h; row++)
    for (let col = 0; col < w; col++) {
      let x = ((col + 0.5) * mw) / w - 0.5,
        yy = ((row + 0.5) * mh) / h - 0.5
      x = Math.min(mw - 1, Math.max(0, x))
      yy = Math.min(mh - 1, Math.max(0, yy))
      const x0 = Math.floor(x),
        y0 = Math.floor(yy),
        x1 = Math.min(mw - 1, x0 + 1),
        y1 = Math.min(mh - 1, y0 + 1),
        fx = x - x0,
        fy = yy - y0
      let sum = 0
      for (let k = 0; k < 3; k++) {
        const m = map.data,
          kk = mc === 1 ? 0 : k
        const s =
          ((m[(y0 * mw + x0) * mc + kk]! * (1 - fx) + m[(y0 * mw + x1) * mc + kk]! * fx) * (1 - fy) +
            (m[(y1 * mw + x0) * mc + kk]! * (1 - fx) + m[(y1 * mw + x1) * mc + kk]! * fx) * fy) /
          255
        const sdr = lin[base.data[(row * w + col) * bc + (bc < 3 ? 0 : k)]!]!
        let hdr
        if ('appleStops' in v) {
          const l = s < 0.081 ? s / 4.5 : ((s + 0.099) / 1.099) ** (1 / 0.45)
          hdr = sdr * (1 + (2 ** v.appleStops - 1) * l)
        } else {
          const c = v.channels[k] ?? v.channels[0]!
          const g = c.min + (c.max - c.min) * s ** (1 / c.gamma)
          hdr = (sdr + c.offsetSdr) * 2 ** g - c.offsetHdr
        }
        sum += Math.max(0, hdr) * weights[k]!
      }
      y[row * w + col] = sum
    }
  return { w, h, y }
}
function half(u: number) {
  const s = u >> 15,
    e = (u >> 10) & 31,
    f = u & 1023
  const v = e === 0 ? f * 2 ** -24 : e === 31 ? Infinity : (1 + f / 1024) * 2 ** (e - 15)
  return s ? -v : v
}
function uhdr(path: string, w: number, h: number): Lum | undefined {
  const raw = '/tmp/uh-out.raw'
  rmSync(raw, { force: true })
  try {
    execFileSync('/tmp/uhdr/build/ultrahdr_app', ['-m', '1', '-j', path, '-z', raw, '-o', '0', '-O', '4'], { stdio: 'pipe' })
  } catch (e: any) {
    console.log('   uhdr error', String(e.stderr).slice(0, 200), String(e.stdout).slice(0, 200))
    return
  }
  const b = readFileSync(raw)
  const y = new Float64Array(w * h)
  for (let i = 0; i < w * h; i++)
    y[i] = Math.max(
      0,
      W709[0]! * half(b.readUInt16LE(i * 8)) +
        W709[1]! * half(b.readUInt16LE(i * 8 + 2)) +
        W709[2]! * half(b.readUInt16LE(i * 8 + 4)),
    )
  return { w, h, y }
}
/** mean over cells of a grid of n × n of the picture */
function cells({ w, h, y }: Lum, gw: number, gh: number): Float64Array {
  const sum = new Float64Array(gw * gh),
    n = new Float64Array(gw * gh)
  for (let r = 0; r < h; r++)
    for (let c = 0; c < w; c++) {
      const i = Math.floor((r * gh) / h) * gw + Math.floor((c * gw) / w)
      sum[i]! += y[r * w + c]!
      n[i]!++
    }
  return sum.map((s, i) => s / n[i]!)
}
const dir = '/tmp/hdrset',
  out = '/tmp/hdrout',
  only = process.argv[2]
const all: number[] = []
for (const name of readdirSync(dir).filter((f) => /\.(jpe?g|avif|heic)$/i.test(f) && (!only || f.includes(only)))) {
  const stem = name.replace(/\W+/g, '_')
  if (!existsSync(`${out}/${stem}.convert.jpg`)) continue
  const original = (await reconstruct(readFileSync(`${dir}/${name}`)))!
  const line: string[] = []
  for (const op of ['convert', 'resize', 'crop', 'rotate', 'watermark', 'optimize', 'avif']) {
    const path = [`${out}/${stem}.${op}.jpg`, `${out}/${stem}.${op}.avif`].find((p) => existsSync(p))
    if (!path) {
      line.push(`${op}=-`)
      continue
    }
    const meta = await sharp(path).metadata()
    const { width: w, height: h, orientation } = meta as any
    let got = path.endsWith('.jpg') ? uhdr(path, w, h) : await reconstruct(readFileSync(path))
    if (!got) {
      line.push(`${op}=UNREADABLE`)
      continue
    }
    let ref = original
    if (op === 'optimize' && orientation && orientation !== 1) {
      line.push('optimize:o' + orientation)
      const y = new Float64Array(w * h)
      const W = orientation >= 5 ? h : w,
        H = orientation >= 5 ? w : h
      for (let r = 0; r < H; r++)
        for (let c = 0; c < W; c++) {
          const src =
            orientation === 6
              ? H - 1 - 0 >= 0
                ? (h - 1 - c) * w + r
                : 0
              : orientation === 3
                ? (h - 1 - r) * w + (w - 1 - c)
                : orientation === 8
                  ? c * w + (w - 1 - r)
                  : r * w + c
          y[r * W + c] = got.y[src]!
        }
      got = { w: W, h: H, y }
    }
    if (op === 'rotate') {
      const y = new Float64Array(ref.w * ref.h)
      for (let r = 0; r < ref.w; r++) for (let c = 0; c < ref.h; c++) y[r * ref.h + c] = ref.y[(ref.h - 1 - c) * ref.w + r]!
      ref = { w: ref.h, h: ref.w, y }
    }
    if (op === 'crop') {
      const y = new Float64Array(19200),
        l = Math.round((ref.w - 160) / 2),
        t = Math.round((ref.h - 120) / 2)
      for (let r = 0; r < 120; r++) for (let c = 0; c < 160; c++) y[r * 160 + c] = ref.y[(t + r) * ref.w + l + c]!
      ref = { w: 160, h: 120, y }
    }
    const gw = Math.min(160, w, ref.w),
      gh = Math.min(120, h, ref.h)
    const a = cells(ref, gw, gh),
      b = cells(got, gw, gh)
    const d = [...a].map((v, i) => Math.abs(Math.log2((b[i]! + 1e-4) / (v + 1e-4)))).sort((x, y) => x - y)
    const med = d[d.length >> 1]!,
      p95 = d[Math.floor(d.length * 0.95)]!
    all.push(med)
    line.push(`${op}=${med.toFixed(3)}/${p95.toFixed(2)}${med > 0.1 ? ' !!' : ''}`)
  }
  console.log(name.slice(-40), line.join(' '))
}
console.log('n', all.length, 'worst', Math.max(...all))
