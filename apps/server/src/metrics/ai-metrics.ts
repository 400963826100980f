import { providers } from '../ai/provider.ts'
import type { AskedQuestion } from '../ai/tally.ts'
import type { ChainEvents } from '../background/chain.ts'
import type { ProviderEvents } from '../background/provider-fault.ts'
import type { ModelReport } from '../models/models.ts'
import type { Meter, Watched } from './meter.ts'

/** Metrics of the AI endpoints. No label contains text of a caller, such as a model's name or an address. */
export interface AiMetrics {
  onQuestion(question: AskedQuestion): void
}

/** From a small model on the same network to the longest AI_TIMEOUT_S. */
const QUESTION_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600]

export function aiMetrics(meter: Meter, parts: Partial<Watched>): AiMetrics {
  const questions = meter.histogram(
    'ai_question_seconds',
    'Duration of questions to models including retries, by provider and outcome.',
    ['provider', 'outcome'],
    QUESTION_SECONDS,
  )
  const tokens = meter.counter('ai_tokens_total', 'Tokens that models read and wrote, including failed questions.', [
    'provider',
    'direction',
  ])
  meter.gauge('ai_questions_waiting', 'Queued questions to models.', ['provider'], (gauge) => {
    for (const provider of providers) if (parts.questionQueues) gauge.set({ provider }, parts.questionQueues[provider].waiting())
  })
  return {
    onQuestion({ provider, outcome, seconds, inputTokens, outputTokens }) {
      questions.observe({ provider, outcome }, seconds)
      tokens.inc({ provider, direction: 'input' }, inputTokens)
      tokens.inc({ provider, direction: 'output' }, outputTokens)
    },
  }
}

/** Metrics of background removal. */
export interface BackgroundMetrics {
  readonly onRemover: ChainEvents['onRemover']
  readonly onProviderAnswer: ProviderEvents['onAnswer']
}

/** From a small picture processed locally to a slow service with a retry. */
const REMOVAL_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60]

export function backgroundMetrics(meter: Meter): BackgroundMetrics {
  const removals = meter.histogram(
    'background_removal_seconds',
    'Duration of background removal including the wait for a renderer, by remover and outcome.',
    ['remover', 'outcome'],
    REMOVAL_SECONDS,
  )
  const answers = meter.histogram(
    'background_provider_seconds',
    'Duration of single requests to the background removal service, by outcome.',
    ['outcome'],
    REMOVAL_SECONDS,
  )
  return {
    onRemover: (remover, outcome, seconds) => removals.observe({ remover, outcome }, seconds),
    onProviderAnswer: (outcome, seconds) => answers.observe({ outcome }, seconds),
  }
}

const modelStates = ['loading', 'ready', 'failed'] as const satisfies readonly ModelReport['state'][]

/** The state of the operator's models. */
export function modelMetrics(meter: Meter, parts: Partial<Watched>): void {
  meter.gauge(
    'model_state',
    'State of a model when last used: 1 for this state, 0 for the others.',
    ['model', 'state'],
    (gauge) => {
      for (const [model, report] of Object.entries(parts.models?.reports() ?? {})) {
        for (const state of modelStates) gauge.set({ model, state }, Number(report.state === state))
      }
    },
  )
}
