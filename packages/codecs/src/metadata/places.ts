/**
 * Whether metadata says where a picture was taken. New namespaces appear every year, so a property is judged by its name and by what
 * its texts look like, not by a list of those that name a place.
 */

/** Parts of names that mean a place wherever they stand in a word: `decimalLatitude`, `geolocation`, `countrycode`. DJI writes `Longtitude`. */
const ANYWHERE = new RegExp(
  [
    'gps',
    'latitude',
    'long?t?itude',
    'latlon',
    'latlng',
    'lonlat',
    'altitude',
    'elevation',
    'coordinate',
    'location',
    'locality',
    'country',
    'province',
    'municipal',
    'continent',
    'postal',
    'postcode',
    'zipcode',
    'venue',
    'landmark',
    'neighbou?rhood',
    'waypoint',
    'footprint',
    'geo(tag|loc|name|hash|point|pos|json|code|detic|graph|ref|rss)',
    'place_?name',
    'city_?name',
    'town_?name',
    'toponym',
    'what3words',
    'pluscode',
    'earthpos',
  ].join('|'),
  'i',
)

/** Words that mean a place where they stand alone in a name: `city` is no part of `velocity` here. */
const WORDS: ReadonlySet<string> = new Set([
  'gps',
  'geo',
  'lat',
  'lon',
  'lng',
  'wgs84',
  'mgrs',
  'utm',
  'srs',
  'datum',
  'hasc',
  'loc',

  'place',
  'places',
  'city',
  'cities',
  'town',
  'village',
  'hamlet',
  'suburb',
  'district',
  'borough',
  'county',
  'state',
  'states',
  'territory',
  'region',
  'regions',
  'nation',
  'street',
  'address',
  'adr',
  'spatial',
  'coverage',
  'campus',
  'earth',
  // Of the mobile network: country, network, area, cell.
  'mcc',
  'mnc',
  'lac',
  'cgi',
  'cellid',
  'island',
  'islands',
  'lake',
  'river',
  'ocean',
  'sea',
  'mountain',
  'peak',
  'park',
  'waterbody',
  'venues',
  'poi',
])

/** `waterBody` and `water-body` are two words. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g

/** Whether a property of this name is about a place. */
export const isPlaceName = (name: string): boolean =>
  ANYWHERE.test(name) || WORDS.has(name.toLowerCase()) || (name.match(WORD) ?? []).some((word) => WORDS.has(word.toLowerCase()))

/** Namespaces whose every property is about places, such as the World Wide Web Consortium's `geo/wgs84_pos`, whose names are `lat` and `alt`. */
const OF_PLACES = /[/.#:](geo|gps|wgs84|location|place|opengis|gml|kml|foursquare|cell\/)/i

export const isPlaceNamespace = (namespace: string): boolean => OF_PLACES.test(namespace)

const NUMBER = String.raw`[+-]?\d{1,3}(?:[.,]\d+)?`

/** How coordinates and links to maps are written. */
const COORDINATES: readonly RegExp[] = [
  // Degrees: 47°30'12"N, 47 deg 30' 12", N 47.5°.
  new RegExp(String.raw`${NUMBER}\s?(?:°|º|˚|deg\b)\s?(?:\d|[NSEWO]\b)`, 'i'),
  new RegExp(String.raw`\b[NSEWO]\s?${NUMBER}\s?(?:°|º|˚|deg\b)`, 'i'),
  // XMP's type GPSCoordinate: 47,30.5N and 47,30,12N.
  /\b\d{1,3},\d{1,2}(?:\.\d+|,\d{1,2}(?:\.\d+)?)?\s?[NSEW]\b/,
  // 47.3769 N, 8.5417 E.
  /\b\d{1,2}\.\d{2,}\s?[NS]\b.{0,4}\b\d{1,3}\.\d{2,}\s?[EWO]\b/,
  // Two numbers of degrees.
  /(?<![\d.])[+-]?(?:90|[1-8]?\d)\.\d{4,}\s?[,;/ ]\s?[+-]?(?:180|1[0-7]\d|\d{1,2})\.\d{4,}(?![\d.])/,
  /^\s*\(?[+-]?(?:90|[1-8]?\d)\.\d{2,}\s*[,;]\s*[+-]?(?:180|1[0-7]\d|\d{1,2})\.\d{2,}\)?\s*$/,
  // ISO 6709: +47.5-007.6/.
  /[+-]\d{2,6}(?:\.\d+)?[+-]\d{3,7}(?:\.\d+)?(?:[+-]\d+(?:\.\d+)?)?(?:CRS\w*)?\//,
  // RFC 5870, well-known text, GeoJSON, NMEA 0183.
  /\bgeo:[+-]?\d/i,
  /\b(?:POINT|POLYGON|LINESTRING|MULTIPOINT|MULTIPOLYGON)\s*Z?M?\s*\(/i,
  /"coordinates"\s*:/i,
  /\$G[PNLA](?:GGA|RMC|GLL|GSA|GSV),/,
  // Named numbers in a text: lat=47.3, "longitude": 8.5.
  /(?<![a-z])(?:gps)?_?(?:lat|lon|lng|latitude|longt?itude)(?:_?ref)?["']?\s*[:=>]\s*["']?[+-]?\d/i,
  // Open Location Codes, what3words, and the military grid as a whole text.
  /\b[23456789CFGHJMPQRVWX]{8}\+[23456789CFGHJMPQRVWX]{2,3}\b/,
  /\/\/\/\p{L}+\.\p{L}+\.\p{L}+/u,
  /^\s*\d{1,2}[C-HJ-NP-X]\s?[A-HJ-NP-Z]{2}\s?(?:\d{4}|\d{6}|\d{8}|\d{10}|\d{3}\s\d{3}|\d{4}\s\d{4}|\d{5}\s\d{5})\s*$/,
  /^\s*\d{1,2}\s?[C-HJ-NP-X]\s\d{6}(?:\.\d+)?m?[ ,]+\d{7}(?:\.\d+)?m?\s*$/i,
  // Maps and gazetteers.
  /maps\.google|google\.[a-z.]{2,6}\/maps|goo\.gl\/maps|maps\.app\.goo|maps\.apple|bing\.com\/maps|openstreetmap\.org|\bosm\.org/i,
  /wikimapia|geonames\.org|geohack|getty\.edu\/tgn|w3w\.co|plus\.codes|mapy\.cz|amap\.com|map\.baidu|yandex\.[a-z.]{2,6}\/maps/i,
]

/** The beginning of a keyword of a hierarchy: `Places|Switzerland|Basel`. */
const HIERARCHY = /^\s*(?:places?|locations?|countr(?:y|ies)|cit(?:y|ies)|geograph\w*|gps|geo)\s*[|/\\>:]/i
const LEVELS = /[|/\\>;,]/
/** Shorter texts are words of other meanings too, such as the codes of countries. */
const SHORTEST_NAME = 3

/** Texts that say where a picture was taken. */
export interface PlaceTexts {
  /** Coordinates, links to maps, and keywords below `Places`. */
  has(text: string): boolean
  /** The same, and names of places that the file's own fields for places have. */
  names(text: string): boolean
}

/** @param texts what the file's fields for places say, such as its city */
export function placeTexts(texts: readonly string[]): PlaceTexts {
  const placeNames = new Set(texts.map(normal).filter((text) => text.length >= SHORTEST_NAME && !/\d/.test(text)))
  const has = (text: string) => HIERARCHY.test(text) || COORDINATES.some((pattern) => pattern.test(text))
  const isKnown = (text: string) =>
    placeNames.has(normal(text)) || text.split(LEVELS).some((level) => placeNames.has(normal(level)))
  return { has, names: (text) => has(text) || isKnown(text) }
}

const normal = (text: string): string => text.trim().toLowerCase()
