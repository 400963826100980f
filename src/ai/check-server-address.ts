import { ApiError, type Issue } from '../contract/api-error.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-error.ts'

export type Path = Issue['path']

/**
 * Whether a caller's model server may be called; it is checked again at each connection.
 * @param path of the field that it came in
 * @throws ApiError invalid_params
 */
export async function checkServerAddress(outbound: Pick<Outbound, 'checkAddress'>, path: Path, url: string): Promise<void> {
  await outbound.checkAddress(url).catch((error: unknown) => {
    throw error instanceof OutboundError ? addressError(path, error) : error
  })
}

const NO_SERVER = 'Must be the address of a model server.'

/** @param refusal an OutboundError has one sentence for what is private and what does not exist */
export const addressError = (path: Path, refusal: unknown): ApiError =>
  invalidAt(path, refusal instanceof OutboundError ? refusal.message : NO_SERVER)

/** `invalid_params` for one parameter, in the shape of a parse. */
export const invalidAt = (path: Path, message: string): ApiError =>
  new ApiError('invalid_params', { message: `${path.join('.')}: ${message}`, issues: [{ path, code: 'invalid_value', message }] })
