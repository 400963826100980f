import { codecs } from '@pixelmill/codecs'
import { ApiError, asApiError, isRefusal } from '../../contract/api-error.ts'
import { type Call, defineRoute } from '../../http/route.ts'
import { clientHints } from '../client-hints.ts'
import { parameters } from '../parameters.ts'
import { DELIVERY_ROUTE } from '../render.ts'
import { sentPart } from './sent-part.ts'

/** GET /i/{source}/{path}: an image of a source, made at the first request and cached. */
export const deliverImage = defineRoute({
  method: 'GET',
  path: DELIVERY_ROUTE,
  name: 'deliverImage',
  tag: 'Delivery',
  summary: 'Deliver an image of a source by a signed URL.',
  description:
    'The signature is the last parameter, s: the first 22 characters of an HMAC-SHA-256 in base64url, of everything from /i/ on without it, with the decoded secret as its key. An image that is made costs one call of the account that owns the source; answers from the cache are free. docs/delivery.md has the details.',
  admission: 'delivery',
  query: parameters,
  handlerParsesQuery: true,
  requestHeaders: {
    Accept: 'Decides about the formats auto and best.',
    'If-None-Match': 'With the ETag of an earlier answer: 304 if it has not changed.',
    'Sec-CH-Width': 'Width for a URL without w and h, of a source that follows client hints.',
    'Sec-CH-DPR': 'The same for dpr.',
    Range: 'Bytes of the image: one range.',
    'If-Range': 'With the ETag of an earlier answer: all of the image if it has changed.',
  },
  otherwise: {
    206: {
      description: 'The bytes that Range asks for.',
      hasBody: true,
      headers: { 'Content-Range': 'Which bytes these are, of how many: `bytes 1000-1999/2000`.' },
    },
    304: { description: 'The image has not changed.' },
  },
  produces: Object.values(codecs).map(({ mime }) => mime),
  headers: {
    ETag: 'Strong: it changes with the bytes.',
    'Accept-Ranges': 'bytes',
    'Last-Modified': 'Of the original, where its source says it.',
    'Cache-Control':
      'public, with the maxAgeSeconds of the source or, if it follows its origin, what that says; less where the URL ends earlier.',
    'X-Fallback': 'The error of the image, in whose place the fallback of the source is sent.',
    'X-Cache': 'hit, miss, or stale: the original could not be read again, or is being read again.',
    'Content-Disposition': 'inline, with a file name.',
    'Accept-CH': 'Of a source that follows client hints: which.',
    'Content-DPR': 'With dpr, or a hint of it: the density that the image has.',
    Vary: 'Accept, with the formats auto and best; client hints that the source follows.',
    'Access-Control-Allow-Origin': '*',
    'Timing-Allow-Origin': '*',
  },
  errors: [
    ...(['invalid_params', 'invalid_signature', 'source_not_found', 'source_image_not_found', 'preset_not_found'] as const),
    ...([
      'invalid_image_type',
      'invalid_image',
      'image_too_large',
      'cannot_fit',
      'range_not_satisfiable',
      'source_unavailable',
      'conversion_failed',
    ] as const),
  ],
  handle,
})

/** GET /{signature}/{options}/{original}: the same, by a URL of imgproxy. It is served with DELIVERY_DIALECTS=imgproxy. */
export const deliverByImgproxyUrl = defineRoute({
  ...deliverImage,
  path: '/:signature/*',
  name: 'deliverByImgproxyUrl',
})

/** The same, by a URL of imgix or Cloudinary. They are served with DELIVERY_DIALECTS. */
export const deliverByImgixUrl = defineRoute({ ...deliverImage, path: '/imgix/:source/*', name: 'deliverByImgixUrl' })
export const deliverByCloudinaryUrl = defineRoute({
  ...deliverImage,
  path: '/:cloud/image/upload/*',
  name: 'deliverByCloudinaryUrl',
})
export const fetchByCloudinaryUrl = defineRoute({
  ...deliverImage,
  path: '/:cloud/image/fetch/*',
  name: 'fetchByCloudinaryUrl',
})

async function handle({ request, signal, services: { delivery } }: Call) {
  if (!delivery.isAddress(request.url)) throw new ApiError('not_found')
  const deliveredImage = await delivery
    .deliver(request.url, request.header('accept'), signal, clientHints(request.header))
    .catch((error: unknown) => {
      throw isRefusal(error) ? withCors(asApiError(error)) : error
    })
  const part = sentPart(deliveredImage, request.method, request.header)
  if (part.status !== 416) return part
  throw withCors(new ApiError('range_not_satisfiable', { headers: { 'content-range': `bytes */${part.size}` } }))
}

/** A page of any origin can read why an image is missing. */
const withCors = (error: ApiError): ApiError =>
  new ApiError(error.code, {
    message: error.message,
    ...(error.issues && { issues: error.issues }),
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.facts && { facts: error.facts }),
    headers: { ...error.headers, 'access-control-allow-origin': '*' },
    cause: error.cause,
    ofCaller: error.ofCaller,
  })
