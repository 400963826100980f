import { codecs } from '@pixelmill/codecs'
import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { iccName } from '@pixelmill/codecs/icc-name'
import { exifFacts, iptcFacts } from '@pixelmill/codecs/metadata/facts'
import { hdrKind } from '@pixelmill/codecs/metadata/gain-maps'
import { hasManifest } from '@pixelmill/codecs/metadata/manifests'
import { readBlocks } from '@pixelmill/codecs/metadata/read-blocks'
import type { Header } from '@pixelmill/codecs/pixels/header'
import { z } from 'zod'
import { PALETTE_COLOURS } from '../image/palette.ts'
import { type PixelFact, pixelFacts } from '../image/pixel-facts.ts'
import { defineTask } from './task.ts'

const text = z.string().max(limits.info.textLength)
const side = z.int().min(1).max(limits.pixels)
const fact = z.union([text, z.number(), z.array(z.union([text, z.number()])).max(limits.info.listLength)])
const place = z.object({ latitude: z.number(), longitude: z.number(), altitude: z.number() }).partial().meta(component('Place'))
const colour = z.string().regex(/^#[0-9a-f]{6}$/)

/** A file of 100 MB has not more. */
const MOST_FRAMES = 1_000_000

/** What can be asked of an image, and the answers. To add a row, say below how it is found out. */
const fields = {
  format: z.enum(Object.values(codecs).map(({ name }) => name)),
  mime: text,
  width: side.describe('In pixels, of one frame as displayed.'),
  height: side,
  orientation: z.int().min(1).max(8).describe('Of EXIF; 1 is upright. Width and height are after it.'),
  frames: z.int().min(1).max(MOST_FRAMES).describe('That the file has, whether or not all are decoded.'),
  durationMs: z.number().min(0).nullable().describe('Of all frames; null for a still image.'),
  bitDepth: z.int().min(1).max(64).describe('Bits a channel, or a number of the palette.'),
  colorSpace: z.enum(['RGB', 'grey', 'CMYK']),
  icc: z.object({ name: text.nullable() }).nullable().describe('The ICC profile; null without one.'),
  alpha: z.boolean(),
  hdr: z
    .object({ kind: z.enum(['gainMap', 'pq', 'hlg']) })
    .nullable()
    .describe('A gain map, or pixels coded by PQ or HLG; null for a picture of usual range.'),
  contentCredentials: z.boolean().describe('Whether it has a C2PA manifest.'),
  exif: z
    .object({ gps: place.optional().describe('Only where exif.gps is asked for; degrees, and metres above the sea.') })
    .catchall(fact)
    .describe('By the names of the EXIF standard.'),
  iptc: z.record(text, fact).describe('Title, description, creator, credit, copyright and the like, of IPTC and XMP.'),
  drawn: z.boolean().describe('Whether it looks drawn or typeset rather than photographed.'),
  dominantColor: colour.nullable().describe('The most frequent colour of the palette; null where all is transparent.'),
  palette: z
    .array(colour)
    .max(PALETTE_COLOURS)
    .describe('Up to five colours that stand for the picture, the most frequent first.'),
  thumbHash: text.describe('ThumbHash in Base64, of the picture fitted into 100 × 100 pixels.'),
  blurHash: text.describe('BlurHash of 4 × 3 components, of the same pixels on white.'),
  perceptualHash: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe('64 bits that are alike for pictures that look alike: of an 8 × 8 DCT of 32 × 32 grey pixels.'),
} as const

const GPS = 'exif.gps'

export type InfoField = keyof typeof fields | typeof GPS
export const infoFields = [...Object.keys(fields), GPS] as unknown as [InfoField, ...InfoField[]]

/** Only what was asked for. */
export const imageInfo = z.object(fields).partial().meta(component('ImageInfo'))

export type ImageInfo = z.output<typeof imageInfo>

type Info = z.input<typeof imageInfo>

const pixelFields: readonly InfoField[] = ['drawn', 'dominantColor', 'palette', 'thumbHash', 'blurHash', 'perceptualHash']
const isPixelFact = (field: InfoField): field is PixelFact => pixelFields.includes(field)

/** What an image is and carries; pixels are decoded only where a field needs them. Of an animation the first frame. */
export const info = defineTask({
  params: z.object({ fields: z.array(z.enum(infoFields)) }),
  report: imageInfo,
  mostFiles: 0,
  fileBytes: 0,
  look: (header, bytes, { fields: wantedFields }) =>
    wantedFields.some(isPixelFact) ? undefined : { report: headerFacts(header, bytes, wantedFields), files: [] },
  async run({ header, source, pixels }, { fields: wantedFields }) {
    const fromPixels = await pixelFacts(pixels, wantedFields.filter(isPixelFact))
    return { report: { ...headerFacts(header, source, wantedFields), ...fromPixels }, files: [] }
  },
})

type HeaderField = Exclude<keyof typeof fields, PixelFact>

function headerFacts(header: Header, bytes: Buffer, wantedFields: readonly InfoField[]): Info {
  const { codec, width, height, orientation = 1, frames, delay, bitDepth, cmyk, grey, alpha } = header
  const blocks = once(() => readBlocks(bytes, codec))
  const timing = once(() => codec.timingOf?.(bytes))
  const rows: { readonly [Name in HeaderField]: () => Info[Name] } = {
    format: () => codec.name,
    mime: () => codec.mime,
    width: () => width,
    height: () => height,
    orientation: () => orientation,
    frames: () => Math.min(MOST_FRAMES, timing()?.frames ?? frames),
    durationMs: () => timing()?.durationMs ?? (frames > 1 && delay ? delay.reduce((sum, ms) => sum + ms, 0) : null),
    bitDepth: () => bitDepth,
    colorSpace: () => (cmyk ? 'CMYK' : grey ? 'grey' : 'RGB'),
    icc: () => {
      const { icc } = blocks()
      return icc ? { name: iccName(icc) ?? null } : null
    },
    alpha: () => alpha,
    hdr: () => {
      const kind = hdrKind(bytes, codec)
      return kind ? { kind } : null
    },
    contentCredentials: () => hasManifest(bytes, codec),
    exif: () => exifFacts(blocks(), { gps: wantedFields.includes(GPS) }),
    iptc: () => iptcFacts(blocks()),
  }
  const isAsked = (name: string) => wantedFields.includes(name as InfoField) || (name === 'exif' && wantedFields.includes(GPS))
  const rowsToFill = Object.entries(rows).filter(([name]) => isAsked(name))
  return Object.fromEntries(rowsToFill.map(([name, find]) => [name, find()]))
}

function once<Value>(make: () => Value): () => Value {
  let cachedValue: { readonly value: Value } | undefined
  return () => {
    cachedValue ??= { value: make() }
    return cachedValue.value
  }
}
