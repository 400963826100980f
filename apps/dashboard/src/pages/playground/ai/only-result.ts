import { ApiFailure } from '../../../api/api-failure.ts'

interface Result {
  readonly status: 'ok' | 'error'
  readonly error?: { readonly code: string; readonly message: string }
}

/** The result of the only picture of a request. @throws ApiFailure, when it has none */
export function onlyResult<Each extends Result>([first]: readonly Each[]): Extract<Each, { readonly status: 'ok' }> {
  if (first?.status === 'ok') return first as Extract<Each, { readonly status: 'ok' }>
  throw new ApiFailure(first?.error?.code ?? 'not_understood', first?.error?.message ?? 'The answer has no result.')
}
