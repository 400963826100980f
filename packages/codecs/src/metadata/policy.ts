import type { MetadataBlocks } from './blocks.ts'
import { type Exif, type ExifField, parseExif, serialiseExif, shortField } from './exif.ts'
import { ARTIST, COPYRIGHT, describesPhotograph, isOfOldFile, ORIENTATION } from './exif-tags.ts'
import {
  APPLICATION,
  CODED_CHARACTER_SET,
  type Dataset,
  datasetsIn,
  ENVELOPE,
  serialiseDatasets,
  textOfDataset,
  textsOf,
} from './iptc.ts'
import { datasetRow } from './iptc-datasets.ts'
import { isPlaceName, isPlaceNamespace, type PlaceTexts, placeTexts } from './places.ts'
import { filterXmp, type Keeps, namespaces, xmpTexts } from './xmp.ts'

/** What is kept; nothing is another matter. */
export type KeepingPolicy = 'copyright' | 'all' | 'all+gps'

/**
 * The blocks with what the policy keeps. What describes the old file is never kept: orientation, thumbnails, sizes, gain maps.
 * @param orientation of the new file, 1 where its pixels are upright
 */
export function keptBlocks({ exif, xmp, iptc }: MetadataBlocks, policy: KeepingPolicy, orientation = 1): MetadataBlocks {
  const parsedExif = exif && parseExif(exif)
  const datasets = iptc ? datasetsIn(iptc) : []
  const places = policy === 'all+gps' ? undefined : placesIn(xmp, datasets)
  const fields = parsedExif && keptExif(parsedExif, policy, places, orientation)
  return {
    exif: fields && serialiseExif(fields),
    xmp: xmp && keptXmp(xmp, policy, places),
    iptc: serialiseDatasets(datasets.filter((dataset) => keepsDataset(dataset, datasets, policy, places))),
  }
}

/** The names of places that the fields for them have: other fields may repeat them. */
function placesIn(xmp: Buffer | undefined, datasets: readonly Dataset[]): PlaceTexts {
  const properties = [...(xmp ? xmpTexts(xmp) : [])].flatMap(([property, texts]) => {
    const [namespace = '', name = ''] = property.split(' ')
    return isPlace(namespace, name) ? texts : []
  })
  const numbers = new Set(datasets.map(({ number }) => number).filter((number) => datasetRow(number)?.kind === 'place'))
  return placeTexts([...properties, ...[...numbers].flatMap((number) => textsOf(datasets, number))])
}

function keptExif(
  { littleEndian, image, photo, place }: Exif,
  policy: KeepingPolicy,
  places: PlaceTexts | undefined,
  orientation: number,
): Exif {
  const orientationFields = orientation === 1 ? [] : [shortField(littleEndian, ORIENTATION, orientation)]
  const isKept = (field: ExifField) =>
    !isOfOldFile(field.tag) && (!places || (describesPhotograph(field.tag) && !tells(places, field)))
  if (policy === 'copyright') {
    const own = image.filter((field) => [ARTIST, COPYRIGHT].includes(field.tag) && isKept(field))
    return { littleEndian, image: [...own, ...orientationFields], photo: [], place: [] }
  }
  return {
    littleEndian,
    image: [...image.filter(isKept), ...orientationFields],
    photo: photo.filter(isKept),
    place: places ? [] : place,
  }
}

/** Bytes of text: of no length, as comments have, and as Windows writes titles, in 16 bits a letter. */
const TEXT_TYPES: readonly number[] = [1, 2, 7, 129]

function tells(places: PlaceTexts, { tag, type, data }: ExifField): boolean {
  if (!TEXT_TYPES.includes(type)) return false
  const isRight = tag === ARTIST || tag === COPYRIGHT
  return (['utf8', 'latin1'] as const).some((encoding) => {
    const text = data.toString(encoding).replaceAll('\0', '')
    return isRight ? places.has(text) : places.names(text)
  })
}

function keepsDataset(
  { record, number, data }: Dataset,
  all: readonly Dataset[],
  policy: KeepingPolicy,
  places: PlaceTexts | undefined,
): boolean {
  // Of the envelope, only what the texts' characters are: it also says where the picture was sent.
  if (record !== APPLICATION) return !places || (record === ENVELOPE && number === CODED_CHARACTER_SET)
  const kind = datasetRow(number)?.kind
  if (kind === 'preview') return false
  if (!places) return true
  if (kind === undefined || kind === 'place' || (policy === 'copyright' && kind !== 'rights')) return false
  const text = textOfDataset(data, all)
  return kind === 'rights' ? !places.has(text) : !places.names(text)
}

function keptXmp(xmp: Buffer, policy: KeepingPolicy, places: PlaceTexts | undefined): Buffer | undefined {
  return filterXmp(xmp, {
    keeps: (namespace, name) => keepsProperty[policy](namespace, name) && !(places && isPlace(namespace, name)),
    mayContain: (namespace, name) => !(places && isPlace(namespace, name)),
    mayRead(text, namespace, name) {
      if (!places || matches(noPlaces, namespace, name)) return true
      return matches(rights, namespace, name) ? !places.has(text) : !places.names(text)
    },
  })
}

const { dc, xmp: basic, xmpRights, xmpNote, photoshop, plus, iptc: core, iptcExt, exif: ofExif, tiff, dcterms } = namespaces
const { crs, crd, exifEX, getty } = namespaces

type Names = readonly (readonly [namespace: string, names: RegExp])[]

const matches = (names: Names, namespace: string, name: string): boolean =>
  names.some(([keptNamespace, pattern]) => keptNamespace === namespace && pattern.test(name))

/** IPTC's rights properties, and the label of pictures that an AI made. */
const rights: Names = [
  [dc, /^(creator|rights)$/],
  [photoshop, /^(Credit|Source|AuthorsPosition)$/],
  [xmpRights, /./],
  [plus, /./],
  [core, /^CreatorContactInfo$/],
  [iptcExt, /^(DigitalSourceType|DigitalSourcefileType|AISystemUsed|AISystemVersionUsed|AIPromptWriterName)$/],
]

/** A property that names a place or coordinates, of any namespace, except for the addresses of those who have rights. */
const isPlace: Keeps = (namespace, name) =>
  !matches(noPlaces, namespace, name) && (isPlaceNamespace(namespace) || isPlaceName(name))

/** Names that are known to mean something else: settings of a raw converter, contacts, and a place on the sensor. */
const noPlaces: Names = [
  [crs, /./],
  [crd, /./],
  [plus, /./],
  [core, /^(CreatorContactInfo|Ci\w+)$/],
  [iptcExt, /^TempCoverage(From|To)$|^TemporalCoverage$/],
  [ofExif, /^(SpatialFrequencyResponse|SubjectLocation)$/],
  [exifEX, /^(ISOSpeedLatitude\w+|CameraElevationAngle)$/],
  [getty, /^ExclusiveCoverage$/],
]

/** Where a gain map, a depth map, a video, a face, a region or the rest of the packet lie in the old file, and its manifest of provenance. */
const ofOldFile: Names = [
  [basic, /^Thumbnails$/],
  [xmpNote, /./],
  [tiff, /^(Orientation|ImageWidth|ImageLength|BitsPerSample|Compression|PhotometricInterpretation|YCbCr\w+|SamplesPerPixel)$/],
  [
    ofExif,
    /^(PixelXDimension|PixelYDimension|ColorSpace|ComponentsConfiguration|CompressedBitsPerPixel|MakerNote|NativeDigest)$/,
  ],
  [dcterms, /^provenance$/],
  [iptcExt, /^ImageRegion$/],
]
const OF_OLD_FILE =
  /^http:\/\/(ns\.(adobe\.com\/hdr-gain-map|microsoft\.com\/photo\/1\.2|google\.com\/photos\/|apple\.com\/(HDRGainMap|pixeldatainfo))|www\.metadataworkinggroup\.com\/schemas\/regions)/

const describesPicture: Keeps = (namespace, name) => !OF_OLD_FILE.test(namespace) && !matches(ofOldFile, namespace, name)

const keepsProperty: Readonly<Record<KeepingPolicy, Keeps>> = {
  copyright: (namespace, name) => matches(rights, namespace, name),
  all: describesPicture,
  'all+gps': describesPicture,
}
