const LONGEST_WAIT_S = 3_600

/** The delay in seconds that a server requests by Retry-After, at most an hour: seconds or a date (RFC 9110, §10.2.3). */
export function retryAfter(header: string | null): number | undefined {
  const saidText = header?.trim() ?? ''
  const until = saidText.endsWith('GMT') ? Date.parse(saidText) : Number.NaN
  const seconds = /^\d+(\.\d+)?$/.test(saidText) ? Number(saidText) : (until - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(LONGEST_WAIT_S, Math.max(0, Math.ceil(seconds))) : undefined
}
