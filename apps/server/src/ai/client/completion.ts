import { z } from 'zod'

/** The fields of a chat completion that matter here. Servers omit, add and misuse the others. */
export interface Completion {
  readonly text: string
  /** Whether the answer was truncated at the token limit. */
  readonly cutOff: boolean
  /** Whether the model, or a filter before it, declined. */
  readonly declined: boolean
  readonly model: string | undefined
}

/** Parts of a message that are parsed. A hostile server may send a million, at one or two microseconds each. */
const MOST_PARTS = 64
const first = <Schema extends z.ZodType>(most: number, list: Schema) =>
  z.preprocess((value) => (Array.isArray(value) ? value.slice(0, most) : value), list)

const words = z.string().catch('').default('')
const part = z.union([z.string(), z.object({ text: words }).transform(({ text }) => text)]).catch('')
const message = z.object({
  content: first(MOST_PARTS, z.union([z.string(), z.array(part).transform((parts) => parts.join(''))]))
    .catch('')
    .default(''),
  tool_calls: first(1, z.array(z.object({ function: z.object({ arguments: words }) })))
    .catch([])
    .default([]),
  reasoning_content: words,
  reasoning: words,
  refusal: words,
})

/** A model's name, the only text of a server that is shown. llama.cpp sends a path on its machine. */
const modelName = z
  .string()
  .regex(/^[\w.:/@+-]{1,200}$/)
  .transform((name) => (/^(\.{0,2}|[a-z]:)\//i.test(name) ? name.slice(name.lastIndexOf('/') + 1) || undefined : name))
  .optional()
  .catch(undefined)

export const completionSchema = z
  .object({ model: modelName, choices: first(1, z.tuple([z.object({ message, finish_reason: words })])) })
  .transform(({ model, choices: [{ message, finish_reason }] }): Completion => {
    // Servers that parse reasoning put the whole answer there when the model does not reason.
    const texts = [message.content, message.tool_calls[0]?.function.arguments ?? '', message.reasoning_content, message.reasoning]
    return {
      text: texts.find((text) => text.trim() !== '') ?? '',
      cutOff: finish_reason === 'length',
      declined: message.refusal !== '' || finish_reason === 'content_filter',
      model,
    }
  })

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** Far above any model's context: larger numbers are not counts. */
const MOST_TOKENS = 100_000_000
const count = z.number().int().min(0).max(MOST_TOKENS).catch(0).default(0)

/** Chat completions have prompt and completion, newer interfaces input and output; some servers send neither. */
const usageSchema = z
  .object({ prompt_tokens: count, completion_tokens: count, input_tokens: count, output_tokens: count, total_tokens: count })
  .transform((sayings): Usage => {
    const inputTokens = sayings.prompt_tokens || sayings.input_tokens
    const outputTokens = sayings.completion_tokens || sayings.output_tokens
    return { inputTokens, outputTokens, totalTokens: sayings.total_tokens || inputTokens + outputTokens }
  })
  .catch(noUsage)

/** Token counts in a reply of a model server. */
export const usageIn = (body: unknown): Usage =>
  z.object({ usage: usageSchema.default(noUsage) }).safeParse(body).data?.usage ?? noUsage

export const addUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  totalTokens: one.totalTokens + other.totalTokens,
})
