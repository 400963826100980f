import type { DailyImages } from '../contract/allowance.ts'
import type { AiUse } from '../metering/usage-log.ts'
import type { AiFailure } from './client/ai-error.ts'
import { addUsage, noUsage, type Usage } from './client/completion.ts'
import type { ModelServer } from './client/model-server.ts'

/** The model's name in answers that no model contributed to. */
const NO_MODEL = 'local'

/** What a request has spent, for the usage of its account. */
export interface Spent extends AiUse {
  readonly quota?: DailyImages
}

/** Counts the tokens and questions of one request. */
export interface Tally {
  /** Called before a question is sent. */
  asked(): void
  /** Adds tokens, also those of failures. */
  spend(usage: Usage): void
  /** Called for each answer; the name in the first one is shown for the request. */
  answeredBy(model: string): void
  usage(): Usage
  /** Number of answered questions. */
  answers(): number
  /** As the model server calls it, or NO_MODEL. */
  model(): string
  spentTokens(): Pick<AiUse, 'model' | 'questions' | 'inputTokens' | 'outputTokens'>
}

export function startTally(server: ModelServer | undefined): Tally {
  let questions = 0
  let usage = noUsage
  let model: string | undefined
  let answers = 0
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
    spentTokens() {
      const { inputTokens, outputTokens } = usage
      return { model: server?.model ?? NO_MODEL, questions, inputTokens, outputTokens }
    },
  }
}

/** One question to a model and its outcome, for metrics. */
export interface AskedQuestion extends Pick<AiUse, 'provider' | 'inputTokens' | 'outputTokens'> {
  /** `abandoned`: the client had gone, or a failure of another image ended the request. */
  readonly outcome: 'ok' | AiFailure | 'abandoned'
  /** From the first byte sent, without the wait in the queue. */
  readonly seconds: number
}
