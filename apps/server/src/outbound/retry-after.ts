const LONGEST_WAIT_S = 3_600

/** The delay in seconds that a server requests by Retry-After, at most an hour: seconds or a date (RFC 9110, §10.2.3). */
export function retryAfter(header: string | null): number | undefined {
  const said = header?.trim() ?? ''
  const until = said.endsWith('GMT') ? Date.parse(said) : Number.NaN
  const seconds = /^\d+(\.\d+)?$/.test(said) ? Number(said) : (until - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(LONGEST_WAIT_S, Math.max(0, Math.ceil(seconds))) : undefined
}
