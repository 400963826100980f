import { z } from 'zod'

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** Far above any model's context: what a server says beyond it is no count. */
const MOST_TOKENS = 100_000_000
const count = z.number().int().min(0).max(MOST_TOKENS).catch(0).default(0)

/** Chat completions say prompt and completion, newer interfaces input and output; some servers say nothing. */
const usageSchema = z
  .object({ prompt_tokens: count, completion_tokens: count, input_tokens: count, output_tokens: count, total_tokens: count })
  .transform((said): Usage => {
    const inputTokens = said.prompt_tokens || said.input_tokens
    const outputTokens = said.completion_tokens || said.output_tokens
    return { inputTokens, outputTokens, totalTokens: said.total_tokens || inputTokens + outputTokens }
  })
  .catch(noUsage)

/** What a body of a model server says of tokens. */
export const usageIn = (body: unknown): Usage =>
  z.object({ usage: usageSchema.default(noUsage) }).safeParse(body).data?.usage ?? noUsage

export const addUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  totalTokens: one.totalTokens + other.totalTokens,
})
