import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; 20 ms of CPU. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** A password as a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`: the cost travels with it and can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const tag = await derive('argon2id', { message: password, nonce, tagLength: TAG_BYTES, ...cost })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`
}
