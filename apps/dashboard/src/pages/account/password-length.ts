/** The server's minimum (newPassword). */
const LEAST = 8

/** The strength of a password is its length; NIST SP 800-63B forbids composition rules. */
const LEVELS = [
  { from: 16, level: 4, says: 'Strong.' },
  { from: 12, level: 3, says: 'Good.' },
  { from: LEAST, level: 2, says: 'Long enough; longer is stronger.' },
] as const

export interface PasswordLength {
  /** 0 for an empty field; 1 is too short, 4 the best. */
  readonly level: 0 | 1 | 2 | 3 | 4
  readonly hint: string
}

/** The rating of a new password's length, in words. */
export function lengthOf(password: string): PasswordLength {
  const length = [...password.normalize('NFKC')].length
  if (length === 0) return { level: 0, hint: `At least ${LEAST} characters, of any kind.` }
  const { level, says } = LEVELS.find(({ from }) => length >= from) ?? { level: 1 as const, says: missingInWords(LEAST - length) }
  return { level, hint: says }
}

const missingInWords = (missing: number): string => `${missing} more ${missing === 1 ? 'character' : 'characters'}.`
