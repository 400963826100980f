import { acceptedFormat } from '@pixelmill/codecs'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Size, scaledSize } from '@pixelmill/codecs/pixels/size'
import type { InlineImage } from '@pixelmill/engine/crops/inline-image'
import { salientSubject } from '@pixelmill/vision/salience/salient-subject'
import type { Subject } from '@pixelmill/vision/salience/subject'
import { z } from 'zod'
import { ApiError, isRefusal } from '../../contract/api-error.ts'
import type { Ai } from '../ai.ts'
import { AiError } from '../client/ai-error.ts'
import { type CopyForModel, copyForModel } from '../copy-for-model.ts'
import type { AiRequest } from '../request.ts'
import { fractionField, GUARD, wordsField } from '../tasks/answer-fields.ts'
import { placeBy } from './model-subject.ts'

type Means = Pick<Ai, 'poolOf' | 'heic'>

export interface FoundSubject extends Subject {
  /** Empty without a model's answer. */
  readonly description: string
  /** Of the image as displayed. */
  readonly image: Size
}

/**
 * Asks the model what the image shows and where. Without a model, or where its answer makes no sense, the most salient part is
 * the subject. If the operator's model fails, the salient part is used too; if the caller's does, the request fails.
 * @throws ApiError what is wrong with the image, or with the caller's model; the signal's reason once that aborts
 */
export async function findSubject(means: Means, request: AiRequest, image: InlineImage): Promise<FoundSubject> {
  const modelAnswer = request.hasModel ? await askModel(means, request, image) : undefined
  if (modelAnswer?.place)
    return {
      ...modelAnswer.place,
      confidence: modelAnswer.confidence,
      description: modelAnswer.description,
      image: modelAnswer.image,
    }
  return { ...(await findSalient(means, request, image)), description: modelAnswer?.description ?? '' }
}

/** Undefined where the operator's model failed, which is logged. */
async function askModel(means: Means, request: AiRequest, image: InlineImage) {
  const copy = await copyForModel(means, request.account, image, request.signal)
  try {
    const { subject, confidence, ...said } = await request.ask(subjectQuestion(copy.url))
    const size = { width: copy.width, height: copy.height }
    return { place: placeBy(said, sizeSeen(copy), size), description: subject, confidence, image: size }
  } catch (error) {
    const modelFailed = isRefusal(error) && error.cause instanceof AiError
    if (modelFailed && request.provider === 'platform') return undefined
    throw error
  }
}

/** Size of the copy: some models answer in its pixels. */
function sizeSeen({ width, height, drawn }: CopyForModel): Size {
  const most = limits.ai.modelCopy[drawn ? 'drawn' : 'photo']
  if (width <= most && height <= most) return { width, height }
  return scaledSize({ width, height }, { width: most, height: most, fit: 'inside' })
}

async function findSalient({ poolOf, heic }: Means, { account, signal }: AiRequest, { bytes }: InlineImage) {
  if (!acceptedFormat([bytes], heic)) throw new ApiError('invalid_image_type')
  const { report, files } = await poolOf(account).run('focus', {}, [[bytes]], signal)
  const { width, height, mapWidth, mapHeight } = report
  const [data] = files
  if (data?.length !== mapWidth * mapHeight) throw new Error('the task focus brought no map of the size it says')
  const image = { width, height }
  return { ...salientSubject({ width: mapWidth, height: mapHeight, data }, image), image }
}

/** Enough for a few numbers and words and for the reasoning of a model. */
const MAX_TOKENS = 1_500
const DESCRIPTION_CHARACTERS = 120

const SYSTEM = `You find the part of an image that has to stay visible when the image is cropped. ${GUARD}
- subject: what the main subject is, in at most ten English words.
- box: the smallest rectangle around the whole main subject, with all faces and words that matter, as fractions of the image's width and height from its upper left corner: left, top, right and bottom from 0 to 1.
- focalPoint: the one most important point of the subject (of people: between the eyes), x and y in the same fractions.
- confidence: from 0 to 1, how sure you are of box.`

const number = { type: 'number' } as const
/** Requested as numbers; model-subject.ts parses whatever comes. */
const place = (properties: Readonly<Record<string, typeof number>>) => z.unknown().optional().meta({ type: 'object', properties })

const answerSchema = z
  .object({
    subject: wordsField(DESCRIPTION_CHARACTERS),
    box: place({ left: number, top: number, right: number, bottom: number }),
    focalPoint: place({ x: number, y: number }),
    confidence: fractionField,
  })
  .refine(({ subject, box }) => subject !== '' || box !== undefined, 'box is missing')

/** The question to the model for one image. */
const subjectQuestion = (image: string) => ({
  system: SYSTEM,
  user: 'Find the main subject.',
  images: [image],
  schema: answerSchema,
  maxTokens: MAX_TOKENS,
})
