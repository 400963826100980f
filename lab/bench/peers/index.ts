import type { PlannedRequest } from '../load/load-plan.ts'
import type { Cell } from './cells.ts'
import type { EncoderSettings } from './encoder-settings.ts'

/** A program that the person who measures has: it serves pictures of a folder by GET. None is built or downloaded here. */
export interface Peer {
  readonly name: ContestantName
  /** Environment variable with the path of its executable. */
  readonly variable: string
  /** Options with which it prints its version. */
  readonly version: readonly string[]
  settings(place: Place, own: EncoderSettings): Record<string, string>
  request(file: string, cell: Cell, own: EncoderSettings): PlannedRequest
}

interface Place {
  readonly folder: string
  readonly port: number
}

/** Columns of the tables in their order, and bars of the chart. `=` has the service's quality and effort. */
export const contestants = ['Pixelmill', 'bare sharp', 'ipx', 'imgproxy', 'imgproxy =', 'imagor', 'oximg', 'oximg ='] as const
export type ContestantName = (typeof contestants)[number]

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
const imgproxyRequest = (file: string, { rendering: { format, width } }: Cell, quality = ''): PlannedRequest => ({
  path: `/unsafe/${width ? `rs:fit:${width}:0/` : ''}f:${names[format]}${quality}/plain/local:///${file}`,
})

const oximg = {
  variable: 'BENCH_OXIMG',
  version: ['--version'],
  settings: ({ folder, port }: Place) => ({ PORT: String(port), IMAGES_DIR: folder }),
  // It never enlarges: the box of a full-size picture is larger than any of the bench.
  request: (file: string, { rendering: { format, width } }: Cell): PlannedRequest => ({
    path: `/resize/${width ? `${width}/0` : '8192/8192'}/${file}@${names[format]}`,
  }),
}

/** Servers run with their own defaults, and with the service's quality and effort. ipx is started by lab/bench/ipx. */
export const peers: readonly Peer[] = [
  { ...imgproxy, name: 'imgproxy', request: (file, cell) => imgproxyRequest(file, cell) },
  {
    ...imgproxy,
    name: 'imgproxy =',
    settings: (place, { webp, avif }) => ({
      ...imgproxy.settings(place),
      ...withoutUndefined({ IMGPROXY_WEBP_EFFORT: webp?.effort, IMGPROXY_AVIF_SPEED: speedOf(avif?.effort) }),
    }),
    request(file, cell, own) {
      const quality = own[cell.rendering.format]?.quality
      return imgproxyRequest(file, cell, quality === undefined ? '' : `/q:${quality}`)
    },
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
    request: (file, { rendering: { format, width } }) => ({
      path: `/unsafe/${width ? `fit-in/${width}x0/` : ''}filters:format(${format})/${file}`,
    }),
  },
  { ...oximg, name: 'oximg' },
  {
    ...oximg,
    name: 'oximg =',
    // Its settings for speed: baseline JPEG without trellis, resized as stored samples, and the decoder shrinks.
    settings: (place, { jpeg, webp, avif }) => ({
      ...oximg.settings(place),
      PRESET: 'fast',
      OXIMG_RESIZE: 'srgb',
      OXIMG_DCT_MARGIN: '1.7',
      ...withoutUndefined({ QUALITY: jpeg?.quality, OXIMG_AVIF_QUALITY: avif?.quality }),
      ...withoutUndefined({ OXIMG_WEBP_QUALITY: webp?.quality, OXIMG_WEBP_EFFORT: webp?.effort }),
    }),
  },
]
