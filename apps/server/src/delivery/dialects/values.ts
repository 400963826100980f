import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { StepParams } from '@pixelmill/engine/recipe/steps/index'

/** Values as they stand in a URL: each reader throws an error that names the parameter and says what it takes. */

export type Gravity = StepParams<'resize'>['gravity']

/** What is wrong with a parameter, with its value in the message. */
export const valueFault = (parameter: string, value: string, message: string): Error =>
  invalidParam(parameter.slice(0, 40), 'custom', `"${value.slice(0, 60)}" ${message}`)

/** Without percent-encoding; as it is, where it is no percent-encoded UTF-8. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const notSupported = (parameter: string, value: string): Error => valueFault(parameter, value, 'is not supported.')

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

export function numberOf(parameter: string, value: string, min: number, max: number): number {
  const number = DECIMAL.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw valueFault(parameter, value, `must be a number from ${min} to ${max}.`)
}

/** `16:9` or `1.78`. */
export function ratioOf(parameter: string, value: string): number {
  const [across = '', down = '1', ...more] = value.split(':')
  const ratio = more.length === 0 && DECIMAL.test(across) && DECIMAL.test(down) ? Number(across) / Number(down) : Number.NaN
  if (ratio >= 0.01 && ratio <= 100) return ratio
  throw valueFault(parameter, value, 'must be a ratio such as 16:9 or 1.5.')
}

/** A word, or an error with those that are supported. */
export function oneOf<const Word extends string>(parameter: string, value: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === value.toLowerCase())
  if (word !== undefined) return word
  throw valueFault(parameter, value, `is not supported; ${words.join(', ')} are.`)
}

/** How much a blur of these services is as the sigma of a Gaussian, in pixels; below what can be seen there is none. */
export function sigmaOf(amount: number, perSigma: number): number | undefined {
  const sigma = amount / perSigma
  return sigma < LEAST_SIGMA ? undefined : Math.min(sigma, MOST_SIGMA)
}
const LEAST_SIGMA = 0.3
const MOST_SIGMA = 100

/** What percent of change multiply by: −100 gives 0, 100 gives 2. */
export const factorOf = (percent: number): number => 1 + percent / 100
