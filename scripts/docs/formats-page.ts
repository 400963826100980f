import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { markdownTable } from './generated-table.ts'

const heads = [
  'format',
  'read',
  'write',
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
  const side = `up to ${maxSide.toLocaleString('en-US')} px a side${maxPixels < limits.pixels ? ` and ${maxPixels / 1e6} megapixels` : ''}`
  return [
    title,
    'yes',
    `${isAsked ? '' : 'with `same`, '}${side}`,
    alpha ? 'yes' : 'on white',
    animated ? 'yes' : 'first frame',
    deep ? 'kept with `same`' : 'become 8',
    container ? (container.iptc ? 'EXIF, XMP, IPTC' : 'EXIF, XMP') : '–',
    container ? 'yes' : '–',
    codec.gainMap ? 'read, kept' : '–',
    codec.isManifestIn ? 'found, removed or signed' : '–',
  ]
}

/** docs/formats.md, from the table of codecs. */
export const formatsPage = (notice: string): string => `# Formats

${notice}

Every format is recognised by its first bytes; names and declared types do not count. At most ${limits.pixels / 1e6} megapixels are read and written. [metadata.md](metadata.md) says what is kept of the metadata that a format can hold,
[heic.md](heic.md) how HEIC is written.

A JPEG that becomes JPEG XL with nothing else changed, and no \`quality\`, \`visualQuality\` or \`maxBytes\`, is packed without loss where the program \`cjxl\` is installed (Debian: libjxl-tools): about 20 % smaller, and any JPEG XL tool restores the JPEG byte for byte.
The answer says \`X-Reversible: jpeg\`. Fields such as \`metadata\` apply before; a colour space other than sRGB is converted, without \`X-Reversible\`, unless \`icc=keep\`.

${markdownTable(heads, Object.values<Codec>(codecs).map(rowOf))}
`
