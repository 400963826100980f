import { setTimeout as sleep } from 'node:timers/promises'
import { type Listener, listen } from './listener.ts'

/** Tokens that every question uses. */
export const SPENT = { inputTokens: 1_000, outputTokens: 50 } as const

/** A model server whose answers for alternative texts the test sets while it runs. */
export interface OwnModel extends Listener {
  /** Its base address. */
  readonly url: string
  /** Questions so far. */
  asked(): number
  /** How many of the next questions it declines; these use tokens too. */
  decline(questions: number): void
  /** Stops answering until the returned function is called. */
  hold(): () => void
}

const answer = JSON.stringify({ altText: 'A plain square.', decorative: false, textInImage: '', confidence: 0.9 })
const completion = (message: object) => ({
  id: 'x',
  object: 'chat.completion',
  model: 'own-model',
  usage: { prompt_tokens: SPENT.inputTokens, completion_tokens: SPENT.outputTokens },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
})

export async function startOwnModel(): Promise<OwnModel> {
  let askedCount = 0
  let declining = 0
  let isHeld = false
  const listener = await listen(async (request, response) => {
    askedCount++
    await request.toArray()
    while (isHeld && !response.destroyed) await sleep(5)
    const message = declining-- > 0 ? { content: null, refusal: 'no' } : { content: answer }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(message)))
  })
  return {
    ...listener,
    url: `${listener.url}/v1`,
    asked: () => askedCount,
    decline(questions) {
      declining = questions
    },
    hold() {
      isHeld = true
      return () => {
        isHeld = false
      }
    },
  }
}
