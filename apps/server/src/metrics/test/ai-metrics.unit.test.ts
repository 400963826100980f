import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metrics } from '../metrics.ts'

test('questions to models are counted by whose model it was and what came of them, with their tokens and their wait', async () => {
  const { registry, onQuestion, watch } = metrics()
  let waiting = 3
  watch({ questionQueues: { platform: { waiting: () => waiting }, byok: { waiting: () => 2 } } })
  const askedValue = { provider: 'platform', outcome: 'ok', seconds: 2, inputTokens: 1_000, outputTokens: 50 } as const
  onQuestion(askedValue)
  onQuestion(askedValue)
  onQuestion({ ...askedValue, outcome: 'bad_output', outputTokens: 7 })
  onQuestion({ ...askedValue, provider: 'byok', outcome: 'abandoned', inputTokens: 0, outputTokens: 0 })
  const toldText = await registry.metrics()
  for (const line of [
    'pixelmill_ai_question_seconds_count{provider="platform",outcome="ok"} 2',
    'pixelmill_ai_question_seconds_sum{provider="platform",outcome="ok"} 4',
    'pixelmill_ai_question_seconds_bucket{le="1",provider="platform",outcome="ok"} 0',
    'pixelmill_ai_question_seconds_count{provider="platform",outcome="bad_output"} 1',
    'pixelmill_ai_question_seconds_count{provider="byok",outcome="abandoned"} 1',
    'pixelmill_ai_tokens_total{provider="platform",direction="input"} 3000',
    'pixelmill_ai_tokens_total{provider="platform",direction="output"} 107',
    'pixelmill_ai_questions_waiting{provider="platform"} 3',
    'pixelmill_ai_questions_waiting{provider="byok"} 2',
  ])
    assert.ok(toldText.includes(`\n${line}\n`), line)
  waiting = 0
  assert.match(await registry.metrics(), /^pixelmill_ai_questions_waiting\{provider="platform"\} 0$/m)
})
