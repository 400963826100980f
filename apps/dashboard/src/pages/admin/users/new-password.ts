/** A random password: twenty letters, 99 bits, in four groups. Its owner should change it. */
export const newPassword = (): string => [5, 5, 5, 5].map(letters).join('-')

/** Letters and digits that are not easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
/** In a range of this many bytes all letters are equally likely: 31 × 8. */
const FAIR = 248

function letters(count: number): string {
  let password = ''
  while (password.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count)))
      if (byte < FAIR && password.length < count) password += LETTERS[byte % LETTERS.length]
  }
  return password
}
