import { z } from 'zod'
import { readLenient } from './lenient-json.ts'

export type Read<Value> = { readonly value: Value } | { readonly problems: string }

const MOST_PROBLEMS = 500

/** The first JSON value in an answer that follows the schema, or that wraps one that does. */
export function readValue<Schema extends z.ZodType>(answer: string, schema: Schema): Read<z.output<Schema>> {
  let problems = ''
  for (const candidateValue of findJson(answer)) {
    for (const candidate of [candidateValue, ...unwrappings(candidateValue)]) {
      const result = schema.safeParse(candidate)
      if (result.success) return { value: result.data }
      problems ||= z.prettifyError(result.error).slice(0, MOST_PROBLEMS)
    }
  }
  return { problems: problems || 'there is no JSON object in it' }
}

/** Models often wrap the object: `{"response": {…}}` or `[{…}]`. */
function unwrappings(candidateValue: unknown): readonly unknown[] {
  if (typeof candidateValue !== 'object' || candidateValue === null) return []
  const inner = Object.values(candidateValue)
  return inner.length <= 3 ? inner.filter((value) => typeof value === 'object' && value !== null) : []
}

/** Characters of an answer that are read, reasoning included. */
const LONGEST_ANSWER = 64_000
const MOST_OF_A_KIND = 20

/** End of the reasoning. The opening tag may be missing: some chat templates remove it. */
const END_OF_REASONING = /<\/(?:think|thinking|reasoning|thought)>/gi

/** Every JSON value that may be meant in a model's answer, the most likely first. The text is untrusted: all patterns take linear time. */
export function* findJson(answer: string): Generator<unknown> {
  const whole = answer.slice(0, LONGEST_ANSWER).replace(/^\uFEFF/, '')
  const end = [...whole.matchAll(END_OF_REASONING)].at(-1)
  const answerText = end ? whole.slice(end.index + end[0].length) : whole
  for (const text of answerText === whole ? [whole] : [answerText, whole]) {
    const faulty: string[] = []
    for (const plain of [text, ...fencedTexts(text)]) yield* parsePieces(plain, JSON.parse)
    for (const object of objectsIn(text)) if (!(yield* parsePieces(object, JSON.parse))) faulty.push(object)
    if (text.includes('{')) faulty.push(text.slice(text.indexOf('{')))
    for (const object of faulty) yield* parsePieces(object, readLenient)
  }
}

/** @returns whether it could be parsed */
function* parsePieces(text: string, parse: (text: string) => unknown): Generator<unknown, boolean> {
  let value: unknown
  try {
    value = parse(text)
  } catch {
    // This was only a guess at JSON.
    return false
  }
  yield value
  return true
}

/** The contents of Markdown code fences, without the language. */
const fencedTexts = (text: string): readonly string[] =>
  text
    .split('```')
    .filter((_, index) => index % 2 === 1)
    .slice(0, MOST_OF_A_KIND)
    .map((inner) => inner.replace(/^[a-z0-9]{0,16}\s/i, ''))

/** The outermost {…} of a text, the longest first. */
function objectsIn(text: string): readonly string[] {
  const objects: string[] = []
  let from = text.indexOf('{')
  for (let tries = 0; from >= 0 && tries < MOST_OF_A_KIND; tries++) {
    const end = endOfObject(text, from)
    if (end !== undefined) objects.push(text.slice(from, end))
    from = text.indexOf('{', end ?? from + 1)
  }
  return objects.sort((one, other) => other.length - one.length)
}

/** The index behind the brace that closes the one at `from`; braces in strings do not count. */
function endOfObject(text: string, from: number): number | undefined {
  let depth = 0
  let isQuoted = false
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\' && isQuoted) at++
    else if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return at + 1
  }
  return undefined
}
