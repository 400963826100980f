import { z } from 'zod'
import { ApiError } from '../../../contract/api-error.ts'
import type { Call } from '../../../http/route.ts'

/**
 * The account whose id stands in the path.
 * @throws ApiError not_found for what cannot be an id: to the caller it is as unknown as any other
 */
export function accountIdOf({ path }: Call): string {
  const { success, data } = z.uuid().safeParse(path.id)
  if (success) return data
  throw new ApiError('not_found', { message: 'There is no such account.' })
}
