import { argon2Sync } from 'node:crypto'

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** A password hash as another implementation would write it: with this many KiB, one pass and a short tag. */
export function phcOf(password: string, memory: number): string {
  const nonce = Buffer.from('sixteen bytes of')
  const tag = argon2Sync('argon2id', { message: password, nonce, tagLength: 16, memory, passes: 1, parallelism: 1 })
  return `$argon2id$v=19$m=${memory},t=1,p=1$${base64(nonce)}$${base64(tag)}`
}
