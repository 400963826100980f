import type { ImageInfo } from './info-run.svelte.ts'

interface Row {
  readonly label: string
  readonly text: string
}

/** What the file says of itself, as people read it: meanings in place of codes, and units where the standard has them. */
export function metadataRows({ exif: { gps, ...exif } = {}, iptc = {} }: Pick<ImageInfo, 'exif' | 'iptc'>): readonly Row[] {
  const rows = [
    ...Object.entries(iptc).map(([name, value]) => ({ label: labelOf(name), text: shownValue(value) })),
    ...Object.entries(exif).map(([name, value]) => ({ label: labelOf(name), text: exifText(name, value) })),
  ]
  const place = gps && [gps.latitude, gps.longitude].map((degrees) => degrees?.toFixed(5)).join(', ')
  return place ? [...rows, { label: 'Place', text: place }] : rows
}

/** "Subject distance range", of SubjectDistanceRange. */
function labelOf(name: string): string {
  const words = name.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/)
  const text = words.map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase())).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownValue).join(', ')
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(4)))
  return String(value)
}

function exifText(name: string, value: unknown): string {
  if (typeof value !== 'number') return shownValue(value)
  return meanings[name]?.[value] ?? textsByName[name]?.(value) ?? shownValue(value)
}

/** The meanings of codes, by the name of their tag: CIPA DC-008, 4.6. */
const meanings: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  ResolutionUnit: { 2: 'inch', 3: 'centimetre' },
  ExposureProgram: {
    0: 'not defined',
    1: 'manual',
    2: 'normal',
    3: 'aperture priority',
    4: 'shutter priority',
    5: 'creative',
    6: 'action',
    7: 'portrait',
    8: 'landscape',
  },
  MeteringMode: {
    0: 'unknown',
    1: 'average',
    2: 'centre-weighted average',
    3: 'spot',
    4: 'several spots',
    5: 'pattern',
    6: 'partial',
    255: 'other',
  },
  LightSource: {
    0: 'unknown',
    1: 'daylight',
    2: 'fluorescent',
    3: 'tungsten',
    4: 'flash',
    9: 'fine weather',
    10: 'cloudy',
    11: 'shade',
    255: 'other',
  },
  ColorSpace: { 1: 'sRGB', 65535: 'not sRGB' },
  SensingMethod: {
    1: 'not defined',
    2: 'one-chip colour area',
    3: 'two-chip colour area',
    4: 'three-chip colour area',
    5: 'sequential colour area',
    7: 'three lines',
    8: 'sequential colour line',
  },
  CustomRendered: { 0: 'normal', 1: 'special' },
  ExposureMode: { 0: 'automatic', 1: 'manual', 2: 'automatic bracket' },
  WhiteBalance: { 0: 'automatic', 1: 'manual' },
  DigitalZoomRatio: { 0: 'not used' },
  SceneCaptureType: { 0: 'standard', 1: 'landscape', 2: 'portrait', 3: 'night' },
  GainControl: { 0: 'none', 1: 'low gain up', 2: 'high gain up', 3: 'low gain down', 4: 'high gain down' },
  Contrast: { 0: 'normal', 1: 'soft', 2: 'hard' },
  Saturation: { 0: 'normal', 1: 'low', 2: 'high' },
  Sharpness: { 0: 'normal', 1: 'soft', 2: 'hard' },
  SubjectDistanceRange: { 0: 'unknown', 1: 'macro', 2: 'close', 3: 'distant' },
}

const textsByName: Readonly<Record<string, (value: number) => string>> = {
  ExposureTime: (seconds) => `${seconds > 0 && seconds < 0.5 ? `1/${Math.round(1 / seconds)}` : shownValue(seconds)} s`,
  FNumber: (number) => `f/${shownValue(number)}`,
  FocalLength: (millimetres) => `${shownValue(millimetres)} mm`,
  FocalLengthIn35mmFilm: (millimetres) => `${shownValue(millimetres)} mm`,
  ExposureBiasValue: (stops) => `${stops > 0 ? '+' : ''}${shownValue(stops)} EV`,
  SubjectDistance: (metres) => `${shownValue(metres)} m`,
  Flash: shownFlash,
}

/** Bit 0: it fired; bits 3 and 4: its mode; bit 5: there is none; bit 6: against red eyes. CIPA DC-008, 4.6. */
function shownFlash(bits: number): string {
  if (bits & 0x20) return 'none'
  const mode = ['', ', always on', ', always off', ', automatic'][(bits >> 3) & 3]
  return `${bits & 1 ? 'fired' : 'did not fire'}${mode}${bits & 0x40 ? ', against red eyes' : ''}`
}
