import type { DailyImages } from '../contract/allowance.ts'
import type { AiUse } from '../metering/usage-log.ts'
import type { AiFailure } from './client/ai-error.ts'
import { addUsage, noUsage, type Usage } from './client/completion.ts'
import type { ModelServer } from './client/model-server.ts'

/** What answers that no model had a part in say of it. */
export const NO_MODEL = 'local'

/** What a request has spent, for the account's usage. */
export interface Spent extends AiUse {
  readonly quota?: DailyImages
}

/** Counts what the questions of one request spend. */
export interface Tally {
  /** A question is sent. */
  asked(): void
  /** What it spent, whatever came of it. */
  spend(usage: Usage): void
  /** A model has answered; the first one's name is the request's. */
  answeredBy(model: string): void
  usage(): Usage
  /** Questions that were answered. */
  answers(): number
  /** As the model server calls it, or NO_MODEL. */
  model(): string
  spent(): Pick<AiUse, 'model' | 'questions' | 'inputTokens' | 'outputTokens'>
}

export function startTally(server: ModelServer | undefined): Tally {
  let [questions, usage] = [0, noUsage]
  let [model, answers]: [string | undefined, number] = [undefined, 0]
  return {
    asked: () => void questions++,
    spend(more) {
      usage = addUsage(usage, more)
    },
    answeredBy(name) {
      answers++
      model ??= name
    },
    usage: () => usage,
    answers: () => answers,
    model: () => model ?? NO_MODEL,
    spent() {
      const { inputTokens, outputTokens } = usage
      return { model: server?.model ?? NO_MODEL, questions, inputTokens, outputTokens }
    },
  }
}

/** One question to a model, and what came of it, for the operator's numbers. */
export interface AskedQuestion extends Pick<AiUse, 'provider' | 'inputTokens' | 'outputTokens'> {
  /** `abandoned`: its client had gone, or another image's trouble ended the request. */
  readonly outcome: 'ok' | AiFailure | 'abandoned'
  /** From the first byte that was sent; the wait for its turn does not count. */
  readonly seconds: number
}
