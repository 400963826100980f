import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { markdownTable } from './generated-table.ts'

const heads = [
  'format',
  'pixels a side',
  'transparency',
  'animation',
  '16 bits',
  'metadata',
  'ICC profile',
  'HDR gain map',
  'C2PA manifest',
]

const rowOf = (codec: Codec): readonly string[] => {
  const { name, title, alpha, animated, deep, maxSide, maxPixels = limits.pixels, container } = codec
  const isAsked = recipeSchema.safeParse({ outputs: [{ format: name }] }).success
  const side = `${maxSide.toLocaleString('en-US')}${maxPixels < limits.pixels ? `, ${maxPixels / 1e6} megapixels` : ''}`
  return [
    title,
    `${isAsked ? '' : '`same` only, '}${side}`,
    alpha ? 'yes' : 'on white',
    animated ? 'yes' : 'first frame',
    deep ? 'kept with `same`' : 'become 8',
    container ? (container.iptc ? 'EXIF, XMP, IPTC' : 'EXIF, XMP') : '–',
    container ? 'yes' : '–',
    codec.gainMap ? 'yes' : '–',
    codec.isManifestIn ? 'yes' : '–',
  ]
}

/** docs/formats.md, from the table of codecs. */
export const formatsPage = (notice: string): string => `# Formats

${notice}

All formats are read and, within the given size, written: \`same\` only where the source has that format. They are recognised by their first bytes. At most ${limits.pixels / 1e6} megapixels are read and written. [metadata.md](metadata.md) says what is kept of metadata, gain maps and manifests, [heic.md](heic.md) how HEIC is written.

A JPEG that becomes JPEG XL with nothing else changed, and no \`quality\`, \`visualQuality\` or \`maxBytes\`, is packed without loss where the program \`cjxl\` is installed (Debian: libjxl-tools): about 20 % smaller, and any JPEG XL tool restores the JPEG. The answer says \`X-Reversible: jpeg\`. A colour space other than sRGB is converted instead, unless \`icc=keep\`.

An animation is within the limits over all its frames, at most ${limits.frames.toLocaleString('en-US')}. An APNG has 8 bits a channel; its image data is no frame where no control chunk precedes it. A damaged frame ends an animation, with \`X-Image-Warnings: later_frames_damaged\`.

${markdownTable(heads, Object.values<Codec>(codecs).map(rowOf))}
`
