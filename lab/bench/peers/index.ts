import type { PlannedRequest } from '../load/load-plan.ts'
import type { Cell } from './cells.ts'
import type { EncoderSettings } from './encoder-settings.ts'

/** A program that the person who measures has: it serves pictures of a folder by GET. README.md says how to get them. */
export interface Peer {
  readonly name: PeerName
  /** Environment variable with the path of its executable. */
  readonly variable: string
  /** Options with which it prints its version. */
  readonly version: readonly string[]
  /** The number that stands for the service's quality, for a row `=`; undefined for its own default. */
  quality?(format: Cell['rendering']['format'], own: EncoderSettings): number | undefined
  settings(place: Place, own: EncoderSettings): Record<string, string>
  /** @param quality 1–100 on its own scale; undefined for its default */
  request(file: string, cell: Cell, quality: number | undefined): PlannedRequest
}

interface Place {
  readonly folder: string
  readonly port: number
}

/** Columns of the tables in their order, and bars of the chart. `=` has the service's quality and effort. */
export const contestants = ['Pixelmill', 'bare sharp', 'ipx', 'imgproxy', 'imgproxy =', 'imagor', 'oximg', 'oximg ='] as const
export type ContestantName = (typeof contestants)[number]
type PeerName = Exclude<ContestantName, 'Pixelmill' | 'bare sharp' | 'ipx'>

const names = { jpeg: 'jpg', webp: 'webp', avif: 'avif', png: 'png' } as const
const withoutUndefined = (settings: Record<string, number | string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))

/** libaom's speed for sharp's effort: heifsave sets one as 9 minus the other. */
const speedOf = (effort: number | undefined) => (effort === undefined ? undefined : 9 - effort)

const imgproxy = {
  variable: 'BENCH_IMGPROXY',
  version: ['version'],
  settings: ({ folder, port }: Place) => ({ IMGPROXY_BIND: `127.0.0.1:${port}`, IMGPROXY_LOCAL_FILESYSTEM_ROOT: folder }),
}
const imgproxyRequest: Peer['request'] = (file, { rendering: { format, width } }, quality) => ({
  path: `/unsafe/${width ? `rs:fit:${width}:0/` : ''}f:${names[format]}${quality === undefined ? '' : `/q:${quality}`}/plain/local:///${file}`,
})

/** It never enlarges: the box of a full-size picture is larger than any of the bench. */
const WIDEST = 8192

const oximg = {
  variable: 'BENCH_OXIMG',
  version: ['--version'],
  settings: ({ folder, port }: Place) => ({
    PORT: String(port),
    OXIMG_BIND: '127.0.0.1',
    IMAGES_DIR: folder,
    OXIMG_OPTIONS_PREFIX: '/image',
  }),
  request: (file: string, { rendering: { format, width } }: Cell, quality: number | undefined): PlannedRequest => ({
    path: `/image/width=${width ?? WIDEST},format=${names[format]}${quality === undefined ? '' : `,quality=${quality}`}/${file}`,
  }),
}

/** Servers run with their own defaults, and with the service's quality and effort. ipx is started by lab/bench/ipx. */
export const peers: readonly Peer[] = [
  { ...imgproxy, name: 'imgproxy', request: imgproxyRequest },
  {
    ...imgproxy,
    name: 'imgproxy =',
    quality: (format, own) => own[format]?.quality,
    settings: (place, { webp, avif }) => ({
      ...imgproxy.settings(place),
      ...withoutUndefined({ IMGPROXY_WEBP_EFFORT: webp?.effort, IMGPROXY_AVIF_SPEED: speedOf(avif?.effort) }),
    }),
    request: imgproxyRequest,
  },
  {
    name: 'imagor',
    variable: 'BENCH_IMAGOR',
    version: ['-version'],
    settings: ({ folder, port }) => ({
      PORT: String(port),
      SERVER_ADDRESS: '127.0.0.1',
      IMAGOR_UNSAFE: '1',
      HTTP_LOADER_DISABLE: '1',
      FILE_LOADER_BASE_DIR: folder,
    }),
    request: (file, { rendering: { format, width } }, quality) => ({
      path: `/unsafe/${width ? `fit-in/${width}x0/` : ''}filters:format(${format})${quality === undefined ? '' : `:quality(${quality})`}/${file}`,
    }),
  },
  { ...oximg, name: 'oximg' },
  {
    ...oximg,
    name: 'oximg =',
    // Its numbers for AVIF are those of another encoder: the service's, 61, scored six points more there.
    quality: (format, own) => (format === 'avif' ? undefined : own[format]?.quality),
    // Its settings for speed: baseline JPEG without trellis, resized as stored samples, and the decoder shrinks.
    settings: (place, { webp }) => ({
      ...oximg.settings(place),
      PRESET: 'fast',
      OXIMG_RESIZE: 'srgb',
      OXIMG_DCT_MARGIN: '1.7',
      ...withoutUndefined({ OXIMG_WEBP_EFFORT: webp?.effort }),
    }),
  },
]
