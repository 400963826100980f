import { codecs } from '@pixelmill/codecs'
import sharp, { type Sharp } from 'sharp'
import type { Cell } from './cells.ts'

/** What the service passes to sharp's encoder of a format by default; undefined where it passes none, as of PNG, which it writes by itself. */
export type EncoderSettings = Partial<
  Record<Cell['rendering']['format'], { readonly quality?: number; readonly effort?: number }>
>

/** Asks the format's own codec, so that the peers' settings follow when its scales and efforts change. */
export async function encoderSettings(format: Cell['rendering']['format'], megapixels: number): Promise<EncoderSettings> {
  let encoderOptions: { quality?: number; effort?: number } | undefined
  const pixels = watch(sharp({ create: { width: 16, height: 16, channels: 3, background: '#777' } }), (method, options) => {
    if (method === format) encoderOptions = options as typeof encoderOptions
  })
  await codecs[format].encode(pixels, { quality: undefined, megapixels, animation: undefined })
  return encoderOptions ? { [format]: encoderOptions } : {}
}

/** The same pipeline; `saw` gets the calls of its methods, also of its clones. */
const watch = (pixels: Sharp, saw: (method: string | symbol, options: unknown) => void): Sharp =>
  new Proxy(pixels, {
    get(target, method) {
      const own: unknown = Reflect.get(target, method, target)
      if (typeof own !== 'function') return own
      if (method === 'clone') return () => watch(target.clone(), saw)
      return (...options: readonly unknown[]) => {
        saw(method, options[0])
        return own.apply(target, options)
      }
    },
  })
