import { asFailure } from './api-failure.ts'

/**
 * Whether this request has removed something; false if it was gone already, removed in another window.
 * @param goneCode the error for that
 * @throws ApiFailure for any other failure
 */
export async function hasRemoved(request: Promise<unknown>, goneCode = 'not_found'): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (asFailure(error).code === goneCode) return false
    throw error
  }
}
