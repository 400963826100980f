import { ImageError, type Issue } from '@pixelmill/codecs/contract/image-errors'

/** An error of a step, whose paths begin inside its parameters, with its place in the recipe. */
export const atPlace = (place: Issue['path'], error: unknown): unknown =>
  error instanceof ImageError && error.issues ? faultAt(place, error.issues) : error

/** The fault of a recipe's value at a place. */
export function faultAt(place: Issue['path'], issues: readonly Issue[]): ImageError {
  const whole = issues.map((issue) => ({ ...issue, path: [...place, ...issue.path] }))
  return new ImageError('invalid_params', {
    issues: whole,
    message: whole.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '),
  })
}
