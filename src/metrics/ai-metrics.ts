import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { AccountTurns } from '../ai/account-turns.ts'
import type { AskedQuestion } from '../ai/asked-question.ts'
import { type Provider, providers } from '../ai/provider.ts'

/** Numbers of the AI endpoints. No label has words of a caller, such as a model's name or an address. */
export interface AiMetrics {
  onQuestion(question: AskedQuestion): void
  watchQuestions(turns: Readonly<Record<Provider, Pick<AccountTurns, 'waiting'>>>): void
}

/** From a small model nearby to the longest AI_TIMEOUT_S. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600]

export function aiMetrics(registers: Registry[]): AiMetrics {
  const questions = new Histogram({
    name: 'pixelmill_ai_question_seconds',
    help: 'Time of questions to models, second tries included, by whose model it was and what came of it.',
    labelNames: ['provider', 'outcome'],
    registers,
    buckets: SECONDS,
  })
  const tokens = new Counter({
    name: 'pixelmill_ai_tokens_total',
    help: 'Tokens that models read and wrote, in vain too.',
    labelNames: ['provider', 'direction'],
    registers,
  })
  return {
    onQuestion({ provider, outcome, seconds, inputTokens, outputTokens }) {
      questions.observe({ provider, outcome }, seconds)
      tokens.inc({ provider, direction: 'input' }, inputTokens)
      tokens.inc({ provider, direction: 'output' }, outputTokens)
    },
    watchQuestions(turns) {
      new Gauge({
        name: 'pixelmill_ai_questions_waiting',
        help: 'Questions that wait for their turn to be asked.',
        labelNames: ['provider'],
        registers,
        collect() {
          for (const provider of providers) this.set({ provider }, turns[provider].waiting())
        },
      })
    },
  }
}
