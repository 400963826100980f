import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInThisContext } from 'node:vm'
import { type Box, boxesIn } from '../isobmff/boxes.ts'

interface Module {
  /** Pixels as RGBA, 8 bits, alpha not premultiplied. */
  jsEncodeImage(pixels: Uint8Array, width: number, height: number): { readonly err: string; readonly data: Uint8Array }
  onRuntimeInitialized?(): void
  instantiateWasm?(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): WebAssembly.Exports
}

interface Script {
  /** Fills the module given to it with the functions of elheif. */
  readonly start: (module: Partial<Module>) => void
  readonly compiled: WebAssembly.Module
}

const DATA_URI = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/

const require = createRequire(import.meta.url)
let script: Script | undefined

/** Node cannot import the package's entry point, but can run its script, which contains the WebAssembly in Base64. */
function load(): Script {
  const text = readFileSync(require.resolve('elheif/pkg/elheif-wasm.js'), 'utf8')
  const [, base64 = ''] = DATA_URI.exec(text) ?? []
  runInThisContext(text)
  const { __init__ELHEIF_MODULE: start } = globalThis as unknown as { __init__ELHEIF_MODULE: Script['start'] }
  return { start, compiled: new WebAssembly.Module(Buffer.from(base64, 'base64')) }
}

/** A HEVC encoder for the tiles of one image; its memory is freed with it. */
export interface Encoder {
  encode(rgba: Uint8Array, width: number, height: number): CodedPair
}

/** libheif with kvazaar in WebAssembly, of a fixed quality; loaded when the first HEIC is written. */
export async function openElheif(): Promise<Encoder> {
  script ??= load()
  const { start, compiled } = script
  const module: Partial<Module> = {
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(compiled, imports)
      receive(instance)
      return instance.exports
    },
  }
  await new Promise<void>((resolve) => {
    module.onRuntimeInitialized = resolve
    start(module)
  })
  return {
    encode(rgba, width, height) {
      const answer = module.jsEncodeImage?.(rgba, width, height)
      if (answer?.err !== '') throw new Error(`elheif: ${answer?.err}`)
      return codedPair(Buffer.from(answer.data))
    },
  }
}

/** A picture coded by HEVC: the decoder configuration (the body of an `hvcC` box) and the data. */
export interface CodedPicture {
  readonly configuration: Buffer
  readonly data: Buffer
}

/** The output of elheif: the picture and its alpha. */
export interface CodedPair {
  readonly colour: CodedPicture
  readonly alpha: CodedPicture
}

/** Alpha is the item that has an `auxC` property (ISO/IEC 23008-12, 6.5.8). */
const isAlpha = (properties: readonly Box[]): boolean => properties.some(({ type }) => type === 'auxC')

/** Parses a file by elheif 0.1.0: `iloc` version 0 with 32-bit offsets into the file, `ipma` version 0. */
function codedPair(file: Buffer): CodedPair {
  const inside = (parent: Buffer, type: string): Buffer => {
    const firstBox = boxesIn(parent).find((box) => box.type === type)
    if (!firstBox) throw new Error(`elheif wrote no ${type} box`)
    return firstBox.body
  }
  const meta = inside(file, 'meta').subarray(4)
  const properties = inside(meta, 'iprp')
  const available = boxesIn(inside(properties, 'ipco'))
  const data = itemData(file, inside(meta, 'iloc'))
  const items = associations(inside(properties, 'ipma')).map(({ item, indices }) => {
    const own = indices.map((index) => available[index - 1]).filter((box) => box !== undefined)
    const configuration = own.find(({ type }) => type === 'hvcC')?.body
    const codedData = data.get(item)
    if (!configuration || !codedData) throw new Error('elheif wrote an item without data')
    return { alpha: isAlpha(own), configuration, data: codedData }
  })
  const colour = items.find(({ alpha }) => !alpha)
  const alpha = items.find(({ alpha }) => alpha)
  if (!colour || !alpha) throw new Error('elheif wrote no picture with alpha')
  return { colour, alpha }
}

/**
 * Item → its data, which may lie in several extents. Entries: item 16 bits, data reference 16, base offset 32, number of
 * extents 16; extents: offset 32, length 32.
 */
function itemData(file: Buffer, iloc: Buffer): ReadonlyMap<number, Buffer> {
  let at = 8
  const entries = Array.from({ length: iloc.readUInt16BE(6) }, () => {
    const item = iloc.readUInt16BE(at)
    const base = iloc.readUInt32BE(at + 4)
    const count = iloc.readUInt16BE(at + 8)
    at += 10
    const extents = Array.from({ length: count }, () => {
      const offset = base + iloc.readUInt32BE(at)
      const length = iloc.readUInt32BE(at + 4)
      at += 8
      return file.subarray(offset, offset + length)
    })
    return [item, Buffer.concat(extents)] as const
  })
  return new Map(entries)
}

/** Item → 1-based indices of its properties; their top bit marks essential ones. */
function associations(ipma: Buffer): readonly { readonly item: number; readonly indices: readonly number[] }[] {
  const count = ipma.readUInt32BE(4)
  let at = 8
  return Array.from({ length: count }, () => {
    const item = ipma.readUInt16BE(at)
    const length = ipma.readUInt8(at + 2)
    const indices = [...ipma.subarray(at + 3, at + 3 + length)].map((byte) => byte & 0x7f)
    at += 3 + length
    return { item, indices }
  })
}
