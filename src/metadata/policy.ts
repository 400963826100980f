import type { MetadataBlocks } from './blocks.ts'
import { type Exif, parseExif, serialiseExif, shortField } from './exif.ts'
import { APPLICATION, datasetsIn, serialiseDatasets, textsOf } from './iptc.ts'
import { addToXmp, filterXmp, type Keeps, namespaces, type XmpProperty, xmpTexts } from './xmp.ts'

/** What is kept; nothing is another matter. */
export type Kept = 'copyright' | 'all' | 'all+gps'

/**
 * The blocks with what the policy keeps. What describes the old file is never kept: orientation, thumbnails, sizes, gain maps.
 * @param orientation of the new file, 1 where its pixels are upright
 */
export function keptBlocks({ exif, xmp, iptc }: MetadataBlocks, policy: Kept, orientation = 1): MetadataBlocks {
  const parsed = exif && parseExif(exif)
  const fields = parsed && keptExif(parsed, policy, orientation)
  const datasets = iptc && datasetsIn(iptc).filter(({ record, number }) => record !== APPLICATION || keepsDataset[policy](number))
  return {
    exif: fields && serialiseExif(fields),
    xmp: xmp && filterXmp(xmp, keepsProperty[policy], policy === 'all' ? isNoPlace : () => true),
    iptc: datasets && serialiseDatasets(datasets),
  }
}

/** The packet, with what only the IPTC datasets say: for a container without a place for them. */
export function xmpWithIptc({ xmp, iptc }: MetadataBlocks): Buffer | undefined {
  if (!iptc) return xmp
  const known = xmp ? xmpTexts(xmp) : new Map<string, readonly string[]>()
  const datasets = datasetsIn(iptc)
  const missing = asProperties
    .filter(({ prefix, name }) => !known.has(`${namespaces[prefix]} ${name}`))
    .map(({ number, ...property }): XmpProperty => ({ ...property, texts: textsOf(datasets, number) }))
    .filter(({ texts }) => texts.length > 0)
  return addToXmp(xmp, missing)
}

const ORIENTATION = 0x0112
/** CIPA DC-008, 4.6.4 and TIFF 6.0: how the old pixels are stored, and where. */
const STRUCTURE: readonly number[] = [
  ...[0x00fe, 0x00ff, 0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x010a, 0x0111, ORIENTATION, 0x0115, 0x0116, 0x0117, 0x011c],
  ...[0x0120, 0x0121, 0x013d, 0x0140, 0x0142, 0x0143, 0x0144, 0x0145, 0x014a, 0x0152, 0x0153, 0x015b, 0x0201, 0x0202],
  ...[0x0211, 0x0212, 0x0213, 0x0214, 0x02bc, 0x83bb, 0x8649, 0x8773, 0xa000, 0xa001, 0xa002, 0xa003, 0xa217, 0xcd41],
  // GeoTIFF and GDAL: places, of pixels that are other ones now.
  ...[0x830e, 0x8482, 0x85d8, 0x87af, 0x87b0, 0x87b1, 0xa480, 0xa481],
]
/** Fields of unknown contents, whose offsets count from the start of the old block, and which may name a place. */
const MAKER_NOTE = 0x927c
const [ARTIST, COPYRIGHT] = [0x013b, 0x8298]

function keptExif({ littleEndian, image, photo, place }: Exif, policy: Kept, orientation: number): Exif {
  const describesPicture = ({ tag }: { readonly tag: number }) => !STRUCTURE.includes(tag) && tag !== MAKER_NOTE
  const turned = orientation === 1 ? [] : [shortField(littleEndian, ORIENTATION, orientation)]
  if (policy === 'copyright') {
    const own = image.filter(({ tag }) => tag === ARTIST || tag === COPYRIGHT)
    return { littleEndian, image: [...own, ...turned], photo: [], place: [] }
  }
  return {
    littleEndian,
    image: [...image.filter(describesPicture), ...turned],
    photo: photo.filter(describesPicture),
    place: policy === 'all+gps' ? place : [],
  }
}

/** By-line and its title, credit, source, copyright notice, contact (IIM 4.2, 6). */
const RIGHTS: readonly number[] = [80, 85, 110, 115, 116, 118]
/** Content location, city, sublocation, province, country. */
const PLACES: readonly number[] = [26, 27, 90, 92, 95, 100, 101]
/** Previews. */
const PREVIEWS: readonly number[] = [200, 201, 202]

const keepsDataset: Readonly<Record<Kept, (number: number) => boolean>> = {
  copyright: (number) => RIGHTS.includes(number),
  all: (number) => !PLACES.includes(number) && !PREVIEWS.includes(number),
  'all+gps': (number) => !PREVIEWS.includes(number),
}

const { dc, xmp: basic, xmpRights, xmpNote, photoshop, plus, iptc: core, iptcExt, exif: ofExif, tiff, dcterms } = namespaces

type Names = readonly (readonly [namespace: string, names: RegExp])[]

const matches = (names: Names, namespace: string, name: string): boolean =>
  names.some(([wanted, pattern]) => wanted === namespace && pattern.test(name))

/** IPTC's rights properties, and the label of pictures that an AI made. */
const rights: Names = [
  [dc, /^(creator|rights)$/],
  [photoshop, /^(Credit|Source|AuthorsPosition)$/],
  [xmpRights, /./],
  [plus, /./],
  [core, /^CreatorContactInfo$/],
  [iptcExt, /^(DigitalSourceType|DigitalSourcefileType|AISystemUsed|AISystemVersionUsed|AIPromptWriterName)$/],
]

const isNoPlace: Keeps = (namespace, name) => !matches(places, namespace, name)

const places: Names = [
  [ofExif, /^GPS/],
  [photoshop, /^(City|State|Country)$/],
  [core, /^(Location|CountryCode)$/],
  [iptcExt, /^Location(Shown|Created)$/],
]

/** Where a gain map, a depth map, a video, a face or the rest of the packet lie in the old file, and its manifest of provenance. */
const ofOldFile: Names = [
  [basic, /^Thumbnails$/],
  [xmpNote, /./],
  [tiff, /^(Orientation|ImageWidth|ImageLength|BitsPerSample|Compression|PhotometricInterpretation|YCbCr\w+|SamplesPerPixel)$/],
  [
    ofExif,
    /^(PixelXDimension|PixelYDimension|ColorSpace|ComponentsConfiguration|CompressedBitsPerPixel|MakerNote|NativeDigest)$/,
  ],
  [dcterms, /^provenance$/],
]
const OF_OLD_FILE =
  /^http:\/\/(ns\.(adobe\.com\/hdr-gain-map|google\.com\/photos\/|apple\.com\/(HDRGainMap|pixeldatainfo))|www\.metadataworkinggroup\.com\/schemas\/regions)/

const describesPicture: Keeps = (namespace, name) => !OF_OLD_FILE.test(namespace) && !matches(ofOldFile, namespace, name)

const keepsProperty: Readonly<Record<Kept, Keeps>> = {
  copyright: (namespace, name) => matches(rights, namespace, name),
  all: (namespace, name) => describesPicture(namespace, name) && isNoPlace(namespace, name),
  'all+gps': describesPicture,
}

/** IPTC Photo Metadata 2023.2, table "IIM to XMP". */
const asProperties: readonly (Omit<XmpProperty, 'texts'> & { readonly number: number })[] = [
  { number: 5, prefix: 'dc', name: 'title', kind: 'Alt' },
  { number: 25, prefix: 'dc', name: 'subject', kind: 'Bag' },
  { number: 80, prefix: 'dc', name: 'creator', kind: 'Seq' },
  { number: 85, prefix: 'photoshop', name: 'AuthorsPosition', kind: 'text' },
  { number: 105, prefix: 'photoshop', name: 'Headline', kind: 'text' },
  { number: 110, prefix: 'photoshop', name: 'Credit', kind: 'text' },
  { number: 115, prefix: 'photoshop', name: 'Source', kind: 'text' },
  { number: 116, prefix: 'dc', name: 'rights', kind: 'Alt' },
  { number: 120, prefix: 'dc', name: 'description', kind: 'Alt' },
]
