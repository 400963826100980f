import type { FairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import { withSpan } from '@pixelmill/engine/tracing'
import type { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import type { Ai } from './ai.ts'
import { AiError } from './client/ai-error.ts'
import { noUsage, type Usage } from './client/completion.ts'
import type { ModelServer } from './client/model-server.ts'
import type { Question } from './client/question.ts'
import type { Provider } from './provider.ts'
import { providerError } from './provider-errors.ts'
import type { AskedQuestion, Tally } from './tally.ts'

type Dependencies = Pick<Ai, 'client' | 'questionQueues' | 'deadlineMs' | 'onQuestion'>

interface AskOptions {
  readonly server: ModelServer | undefined
  readonly provider: Provider
  /** Whose place in the queue the question takes. */
  readonly account: string
  readonly tally: Tally
  readonly onFault: (error: unknown, what: string) => void
}

/**
 * Asks the model of a request one question. The wait in the queue counts for its deadline.
 * @throws ApiError as provider-errors.ts has them; the signal's reason once that aborts
 */
export async function askModel<Schema extends z.ZodType>(
  dependencies: Dependencies,
  { server, provider, account, tally, onFault }: AskOptions,
  question: Omit<Question<Schema>, 'deadlineMs'>,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  if (!server) throw new ApiError('ai_service_unavailable')
  try {
    const answer = await queuQueue(
      dependencies.questionQueues[provider],
      dependencies.deadlineMs,
      account,
      signal,
      (deadlineMs) => {
        tally.asked()
        return measureAnswer(dependencies, provider, tally, (onAbandoned) =>
          withSpan('ask model', { 'pixelmill.provider': provider }, () =>
            dependencies.client.askVision(server, { ...question, deadlineMs }, signal, onAbandoned),
          ),
        )
      },
    )
    tally.spend(answer.usage)
    tally.answeredBy(answer.model)
    return answer.value
  } catch (error) {
    if (!(error instanceof AiError)) throw error
    tally.spend(error.usage)
    onFault(error, `a model failed: ${error.kind}, ${error.reason}`)
    throw providerError(error, provider)
  }
}

async function queuQueue<Answer>(
  queue: FairQueue,
  deadlineMs: number,
  account: string,
  signal: AbortSignal,
  ask: (leftMs: number) => Promise<Answer>,
): Promise<Answer> {
  const until = performance.now() + deadlineMs
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new AiError('timeout', 'waited too long in the queue')), deadlineMs)
  try {
    return await queue.run(account, AbortSignal.any([signal, late.signal]), () => {
      clearTimeout(timer)
      return ask(until - performance.now())
    })
  } finally {
    clearTimeout(timer)
  }
}

async function measureAnswer<Answer extends { readonly usage: Usage }>(
  { onQuestion }: Dependencies,
  provider: Provider,
  tally: Tally,
  ask: (onAbandoned: (usage: Usage) => void) => Promise<Answer>,
): Promise<Answer> {
  const began = performance.now()
  let abandonedUsage = noUsage
  const report = (outcome: AskedQuestion['outcome'], { inputTokens, outputTokens }: Usage) =>
    onQuestion({ provider, outcome, seconds: (performance.now() - began) / 1000, inputTokens, outputTokens })
  try {
    const answer = await ask((usage) => {
      abandonedUsage = usage
      tally.spend(usage)
    })
    report('ok', answer.usage)
    return answer
  } catch (error) {
    if (error instanceof AiError) report(error.kind, error.usage)
    else report('abandoned', abandonedUsage)
    throw error
  }
}
