import type { AskedQuestion } from '../ai/asked-question.ts'
import { providers } from '../ai/provider.ts'
import type { Meter } from './meter.ts'
import type { Watched } from './watched.ts'

/** Numbers of the AI endpoints. No label has words of a caller, such as a model's name or an address. */
export interface AiMetrics {
  onQuestion(question: AskedQuestion): void
}

/** From a small model nearby to the longest AI_TIMEOUT_S. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600]

export function aiMetrics(meter: Meter, watched: Partial<Watched>): AiMetrics {
  const questions = meter.histogram(
    'ai_question_seconds',
    'Time of questions to models, second tries included, by whose model it was and what came of it.',
    ['provider', 'outcome'],
    SECONDS,
  )
  const tokens = meter.counter('ai_tokens_total', 'Tokens that models read and wrote, in vain too.', ['provider', 'direction'])
  meter.gauge('ai_questions_waiting', 'Questions that wait for their turn to be asked.', ['provider'], (gauge) => {
    for (const provider of providers) if (watched.turns) gauge.set({ provider }, watched.turns[provider].waiting())
  })
  return {
    onQuestion({ provider, outcome, seconds, inputTokens, outputTokens }) {
      questions.observe({ provider, outcome }, seconds)
      tokens.inc({ provider, direction: 'input' }, inputTokens)
      tokens.inc({ provider, direction: 'output' }, outputTokens)
    },
  }
}
