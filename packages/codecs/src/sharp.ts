import { createRequire } from 'node:module'
import type { Sharp, SharpOptions } from 'sharp'

type Engine = typeof import('sharp').default

const require = createRequire(import.meta.url)
let engine: Engine | undefined

/** libvips itself, for its process-wide settings. */
export const libvips = (): Engine => {
  engine ??= require('sharp') as Engine
  return engine
}

/**
 * sharp, loaded at its first call: the API process imports the tasks' parameters from the same files as the renderers,
 * and must never have a decoder in its address space.
 */
export const sharp = (bytes: Uint8Array | Uint16Array, options?: SharpOptions): Sharp => libvips()(bytes, options)

/** A new image of one colour. */
export const canvas = (width: number, height: number, background: string): Sharp =>
  libvips()({ create: { width, height, channels: 4, background } })
