import { acceptedFormat, codecs, recognise } from '@pixelmill/codecs'
import { writtenFormats } from '@pixelmill/codecs/image-formats'
import { writtenImages } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { parseJsonBytes } from '../http/read-body.ts'
import { type Call, defineRoute } from '../http/route.ts'
import { accountOf, countHeader, faults, imageHeaders, uploadsOf } from './answer.ts'
import { commands, readCommands } from './commands.ts'

const path = '/output/:output'
const headers = {
  'Image-Width': 'In pixels.',
  'Image-Height': 'In pixels.',
  'Compression-Count': 'Calls of the account in this month.',
}
const produces = writtenFormats.map((name) => codecs[name].mime)

/** GET /output/…: the compressed image. */
export const showOutput = defineRoute({
  method: 'GET',
  path,
  name: 'showOutput',
  tag: 'Tinify',
  summary: 'Get the image that POST /shrink has made.',
  description: 'A request with a body, as older clients send, is answered as POST.',
  admission: 'tinifyRead',
  produces,
  headers,
  faults,
  errors: ['upload_not_found'],
  async handle(call) {
    const { services, signal } = call
    const account = accountOf(call)
    const bytes = await services.handles.read(account, uploadsOf(call).result)
    const { report } = await services.pool.of(account).run('info', { fields: ['width', 'height'] }, [[bytes]], signal)
    const codec = recognise(bytes)
    if (!codec) throw new ApiError('upload_not_found')
    const { width = 0, height = 0 } = report
    return { headers: { ...imageHeaders({ bytes, codec, width, height }), ...(await countHeader(call)) }, body: bytes }
  },
})

/** POST /output/…: another image of the original that was sent to POST /shrink. */
export const changeOutput = defineRoute({
  method: 'POST',
  path,
  name: 'changeOutput',
  tag: 'Tinify',
  summary: 'Make another image of what was sent to POST /shrink: resized, converted, on a background, with its metadata.',
  description:
    'The body is JSON: {"resize": {"method": "fit", "width": 150, "height": 100}, "convert": {"type": "image/webp"}}. It costs one call.',
  admission: 'tinify',
  form: { files: ['image'], fields: z.object({}), raw: 'image', rawTypes: 'any', rawJson: commands },
  produces,
  headers,
  faults,
  errors: [
    ...(['invalid_params', 'upload_not_found', 'invalid_image_type', 'invalid_image', 'image_too_large'] as const),
    ...(['cannot_fit', 'conversion_failed'] as const),
  ],
  handle,
})

/** GET /output/… with a body: as clients before 2025 send what newer ones send by POST. */
export const changeOutputByGet = defineRoute({ ...changeOutput, method: 'GET', withBody: true, name: 'changeOutputByGet' })

async function handle(call: Call) {
  const { services, signal, form } = call
  const account = accountOf(call)
  const sentBytes = Buffer.concat(form.files.get('image')?.chunks ?? [])
  const { recipe, among } = readCommands(sentBytes.length === 0 ? {} : parseJsonBytes(sentBytes))
  const original = await services.handles.read(account, uploadsOf(call).original)
  if (!acceptedFormat([original], services.config.HEIC)) throw new ApiError('invalid_image_type')
  const inputBytes = original.length
  const params = { recipe, files: [], accepts: [...among], allows: [...among] }
  const [image] = writtenImages(await services.pool.of(account).run('recipe', params, [[original]], signal))
  if (!image) throw new Error('a recipe made no image')
  const { bytes, width, height } = image
  services.metrics.onImage({ operation: 'recipe', inputBytes, outputBytes: bytes.length, pixels: width * height })
  return { headers: { ...imageHeaders(image), ...(await countHeader(call)) }, body: bytes }
}
