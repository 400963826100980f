import { ApiError } from '../contract/api-error.ts'
import type { Gate } from './gate.ts'

/** Before the body, which nobody need get right where there is no sign-up. */
export const signUpOpen: Gate = (visitor, { config }) => {
  if (config.SIGN_UP === 'closed') throw new ApiError('sign_up_closed')
  return visitor
}
