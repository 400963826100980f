import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { inlineImage, outgoingImage } from '@pixelmill/engine/crops/inline-image'
import { DEFAULT_PLATFORMS, platforms } from '@pixelmill/engine/crops/platforms'
import { cutCrops, unknownPlatforms, wantedCrops } from '@pixelmill/engine/crops/wanted-crops'
import { sourceFeatures } from '@pixelmill/engine/tasks/task'
import { croppingAround } from '@pixelmill/vision/salience/crop-around'
import { z } from 'zod'
import { imageJsonReply } from '../../http/image-json-reply.ts'
import { aiHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { aiMeta } from '../answer.ts'
import { findSubject } from '../crops/find-subject.ts'
import { userProvider } from '../provider.ts'
import { answerWithAi, imageErrors, modelErrors } from './answer-with-ai.ts'

const { platforms: mostPlatforms, platformLength, ratio } = limits.ai.smartCrop
const knownText = Object.keys(platforms).join(', ')

const side = z.number().positive('Must be more than 0.')
const customRatio = z
  .object({ width: side, height: side })
  .refine(
    ({ width, height }) => width / height >= 1 / ratio && width / height <= ratio,
    `Must be between 1:${ratio} and ${ratio}:1.`,
  )
  .describe(`A custom ratio, from 1:${ratio} to ${ratio}:1; its crop is called custom.`)

const count = z.int().min(0)
const size = z.object({ width: z.int().min(1), height: z.int().min(1) }).meta(component('Size'))
const rectangle = z.object({ x: count, y: count, ...size.shape }).meta(component('Rectangle'))

const answer = z.object({
  image: size.describe(
    'Size of the image as displayed, after EXIF orientation. All other coordinates are in these pixels, from the upper left corner.',
  ),
  subject: z.object({
    description: z.string().describe('Description by the model; empty without a model.'),
    box: rectangle.nullable().describe('Bounding box of the subject; null if nothing is salient.'),
    focalPoint: z.object({ x: count, y: count }).describe('The point that crops are centred on where possible.'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe(
        "Confidence as stated by the model. Without a model: how much of the salience is inside the box, beyond the box's share of the area.",
      ),
  }),
  crops: z.array(
    z.object({
      platform: z.string().describe('The name as requested, in lower case; custom for customRatio.'),
      target: size.describe('The size that the platform expects.'),
      crop: rectangle.describe("The largest rectangle of the target's ratio that keeps most of the subject."),
      image: outgoingImage
        .optional()
        .describe('Only with returnCroppedImage: the crop scaled to the target size, or smaller if it has fewer pixels.'),
    }),
  ),
  hdr: sourceFeatures.hdr,
  contentCredentials: sourceFeatures.contentCredentials,
  unknownPlatforms: z.array(z.string()).optional().describe('Unknown platform names, in lower case.'),
  ...aiMeta,
})

export const smartCrop = defineRoute({
  method: 'POST',
  path: '/v1/ai/smart-crop',
  name: 'smartCrop',
  tag: 'AI',
  summary: 'Find crops for social platforms that keep the subject.',
  description: `A model finds the subject; without a model, or if the service's model fails, the most salient part of the picture is used. Platforms: ${knownText}.`,
  admission: 'ai',
  json: z.object({
    image: inlineImage,
    platforms: z
      .array(z.string().max(platformLength))
      .max(mostPlatforms)
      .optional()
      .describe(
        'Platform names; the default applies to a request without customRatio. Unknown names are listed in `unknownPlatforms` and get no crop.',
      )
      .meta({ default: DEFAULT_PLATFORMS }),
    customRatio: customRatio.optional(),
    returnCroppedImage: z
      .boolean()
      .default(false)
      .describe(
        "Whether the response contains the crops as images: in the image's format, or if browsers do not show that, as JPEG, or PNG with transparency.",
      ),
    userProvider: userProvider.optional(),
  }),
  images: true,
  produces: ['application/json'],
  answer,
  headers: aiHeaderTexts,
  errors: [...modelErrors, ...imageErrors],
  async handle(call) {
    const { image, returnCroppedImage } = call.body
    const { ai } = call.services
    const answer = await answerWithAi(call, { images: 1, model: 'optional' }, async (request) => {
      const { image: shownSize, description, ...subject } = await findSubject(ai, request, image)
      const { box, focus, confidence } = subject
      const croppedRectangle = croppingAround(shownSize, subject)
      const crops = wantedCrops(call.body, shownSize).map(({ platform, target, ratio }) => ({
        platform,
        target,
        crop: croppedRectangle(ratio),
      }))
      const cut = returnCroppedImage ? await cutCrops(ai.poolOf(request.account), image, crops, request.signal) : undefined
      const unknownTexts = unknownPlatforms(call.body)
      const body = {
        image: shownSize,
        subject: {
          description,
          box,
          // Clamped to a pixel of the image: the subject may end at its edge.
          focalPoint: {
            x: Math.min(shownSize.width - 1, Math.round(focus.x)),
            y: Math.min(shownSize.height - 1, Math.round(focus.y)),
          },
          confidence: Math.round(confidence * 100) / 100,
        },
        crops: crops.map((crop, index) => ({ ...crop, ...(cut && { image: cut.images[index] }) })),
        ...cut?.features,
        ...(unknownTexts.length > 0 && { unknownPlatforms: unknownTexts }),
      }
      return { body }
    })
    return imageJsonReply(answer)
  },
})
