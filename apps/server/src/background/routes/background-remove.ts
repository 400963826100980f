import { acceptedFormat, codecs } from '@pixelmill/codecs'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseFields } from '@pixelmill/codecs/contract/parse'
import { choice } from '@pixelmill/engine/recipe/fields'
import { z } from 'zod'
import { ApiError } from '../../contract/api-error.ts'
import { backgroundHeaderTexts, imageHeaders, imageReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { hundredths } from '../chain.ts'

/** Formats with transparency that all browsers support. */
const FORMATS = ['png', 'webp'] as const

const fields = z.object({ format: choice(FORMATS, 'The format of the cut-out; both have transparency.').default('png') })

const { 'X-Format-Fallback': _fallback, 'X-Image-Warnings': _warnings, ...sentHeaders } = imageHeaders

const headers = {
  ...sentHeaders,
  'Content-Disposition': 'Attachment with the file name no-background.<ext>.',
  'X-Background-Removal': 'The remover used: external (a service), model, or local.',
  'X-Background-Confidence': 'How likely the cut-out is right, from 0.00 to 1.00.',
  ...backgroundHeaderTexts,
}

/** Checks in the order of the contract: files, parameters, type, pixels. */
export const backgroundRemove = defineRoute({
  method: 'POST',
  path: '/api/background-remove',
  name: 'removeBackground',
  tag: 'Images',
  summary: 'Remove the background of an image.',
  description:
    'Answers the subject on transparency. Of an animation the first frame is used; an image that is transparent already is kept as it is. ' +
    'Counts one of the month’s removals, and with an API key one call; nothing where it fails. ' +
    'Instead of a form, the body may be the image itself with a type image/*; format is then a query parameter.',
  admission: 'background',
  form: { files: ['image'], fileBytes: limits.background.uploadBytes, fields, raw: 'image' },
  produces: FORMATS.map((name) => codecs[name].mime),
  headers,
  errors: [
    'missing_image_file',
    'invalid_image_type',
    'invalid_image',
    'image_too_large',
    'background_not_separable',
    'conversion_failed',
  ],
  async handle({ form, services, signal, visitor }) {
    const image = form.files.get('image')
    if (!image) throw new ApiError('missing_image_file')
    const { format } = parseFields(fields, form.fields)
    const { account } = visitor
    if (!account) throw new Error('background removal was reached without its admission')
    if (!acceptedFormat(image.chunks, services.config.HEIC)) throw new ApiError('invalid_image_type')
    const { remover, confidence, ...cut } = await services.background.remove(image.chunks, { format, account }, signal)
    const { bytes, width, height } = cut
    services.metrics.onImage({
      operation: 'background-remove',
      inputBytes: image.bytes,
      outputBytes: bytes.length,
      pixels: width * height,
    })
    const reply = imageReply({ ...cut, codec: codecs[format], warnings: [] }, 'no-background', image.bytes, undefined)
    return {
      ...reply,
      headers: {
        ...reply.headers,
        'x-background-removal': remover,
        'x-background-confidence': hundredths(confidence).toFixed(2),
      },
    }
  },
})
