/** One service that cuts out, as data: what is posted where. All are sent a form with a file, and answer with a picture. */
export interface ServiceRow {
  /** Where it is; undefined where only the operator knows. */
  readonly origin?: string
  /** Put behind an address that has no path. */
  readonly path?: string
  /** The header that carries the key, as it is; undefined: `Authorization: Bearer`. */
  readonly keyHeader?: string
  readonly needsKey: boolean
  readonly fileField: string
  /** Fields beside the file; BG_PROVIDER_EXTRA_FIELDS adds to them and changes them. */
  readonly fields: Readonly<Record<string, string>>
  /** What it takes at most: larger pictures are sent smaller, and only what is transparent is taken from the answer. */
  readonly most: Most
}

export interface Most {
  readonly pixels: number
  /** Of the longer side. */
  readonly side: number
  readonly bytes: number
}

const MB = 1_000_000
/** A service of the operator's own finds no more in more pixels: models look at 1,024 a side. */
const ownService: Most = { pixels: 12 * MB, side: 10_000, bytes: 20 * MB }

/** Every service, by its name in BG_PROVIDER. To add one, add its row. */
export const services = {
  /** remove.bg/api, 2026: a PNG has at most 10 megapixels; size=auto takes as many as the account has credits for. */
  removebg: {
    origin: 'https://api.remove.bg',
    path: '/v1.0/removebg',
    keyHeader: 'x-api-key',
    needsKey: true,
    fileField: 'image_file',
    // Else it answers a picture without transparency as JPEG.
    fields: { size: 'auto', format: 'png' },
    most: { pixels: 10 * MB, side: 10_000, bytes: 22 * MB },
  },
  /** `rembg s` of github.com/danielgatis/rembg; `model` is one of its extra fields. */
  rembg: { path: '/api/remove', needsKey: false, fileField: 'file', fields: {}, most: ownService },
  /** The server of withoutbg.com in a container. */
  withoutbg: { path: '/v1/remove-background', needsKey: false, fileField: 'image', fields: {}, most: ownService },
  /** clipdrop.co/apis/docs/remove-background: 25 megapixels, 30 MB. */
  clipdrop: {
    origin: 'https://clipdrop-api.co',
    path: '/remove-background/v1',
    keyHeader: 'x-api-key',
    needsKey: true,
    fileField: 'image_file',
    fields: {},
    most: { pixels: 25 * MB, side: 10_000, bytes: 30 * MB },
  },
  /** docs.photoroom.com, Remove Background API: 25 megapixels, 6,000 pixels a side, 50 MB. */
  photoroom: {
    origin: 'https://sdk.photoroom.com',
    path: '/v1/segment',
    keyHeader: 'x-api-key',
    needsKey: true,
    fileField: 'image_file',
    fields: { format: 'png' },
    most: { pixels: 25 * MB, side: 6_000, bytes: 50 * MB },
  },
  custom: { needsKey: false, fileField: 'image_file', fields: {}, most: ownService },
} as const satisfies Record<string, ServiceRow>

export type ServiceName = keyof typeof services
export const serviceNames = Object.keys(services) as [ServiceName, ...ServiceName[]]
