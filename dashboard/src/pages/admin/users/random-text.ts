/** Letters and digits that nobody takes for one another when they are read out. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Of so many bytes each letter is as likely as the others: 31 × 8. */
const FAIR = 248

function letters(count: number): string {
  let made = ''
  while (made.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count)))
      if (byte < FAIR && made.length < count) made += LETTERS[byte % LETTERS.length]
  }
  return made
}

/** A random password: twenty letters, 99 bits, in four groups. Its owner should change it. */
export const newPassword = (): string => [5, 5, 5, 5].map(letters).join('-')

/** For a request that may be sent twice and is done once. `crypto.randomUUID` is not there on plain HTTP, as on a LAN. */
export const newRequestKey = (): string => letters(32)
