import { ApiError } from '../contract/api-error.ts'
import type { Gate } from './gate.ts'

/** After `login`: administrators only. */
export const admin: Gate = (visitor) => {
  if (visitor.login?.user.role !== 'admin') throw new ApiError('forbidden')
  return visitor
}
