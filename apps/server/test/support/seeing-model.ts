import { setTimeout as sleep } from 'node:timers/promises'
import { type FakeVision, says, startFakeVision } from './fake-vision.ts'

/** The model's answer for every picture, by a part of the question. */
const answers: readonly (readonly [question: string, answer: object])[] = [
  [
    'Write altText',
    { altText: 'A teal mug of “coffee” on a pale grey table.', decorative: false, textInImage: 'HOT', confidence: 0.92 },
  ],
  ['Name this image', { subject: 'teal coffee mug', alternatives: ['hot drink mug', 'ceramic mug'], confidence: 0.9 }],
  [
    'Find the main subject',
    {
      subject: 'a mug of coffee',
      box: { left: 0.31, top: 0.22, right: 0.72, bottom: 0.83 },
      focalPoint: { x: 0.49, y: 0.5 },
      confidence: 0.9,
    },
  ],
  [
    'Judge this image',
    { kind: 'photo', hasText: false, needsLossless: false, needsTransparency: false, reason: 'It shows a product.' },
  ],
]

/** A model server that answers the questions of every AI endpoint: model `mug` at once, `slow` after some seconds. */
export function startSeeingModel(slowMs = 20_000): Promise<FakeVision> {
  const answerTo = (askedValue: object) =>
    JSON.stringify(answers.find(([part]) => JSON.stringify(askedValue).includes(part))?.[1])
  return startFakeVision({
    mug: (response, askedValue, time) => says(answerTo(askedValue))(response, askedValue, time),
    slow: async (response, askedValue, time) => {
      await sleep(slowMs, undefined, { ref: false })
      says(answerTo(askedValue))(response, askedValue, time)
    },
  })
}
