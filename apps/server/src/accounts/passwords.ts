import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { fairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import type { GuessQueue } from './guesses.ts'
import { clientNetwork } from './throttle.ts'

const derive = promisify(argon2)

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; 20 ms of CPU. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Derivations share Node's four threads with files and DNS: two at once leave half of them free. */
const AT_ONCE = 2
/** Places in the queue, of which the clients of one network get seven eighths at most; the last one waits for 3 s. */
const WAITING = 256
/** Two derive hashes while two query the database. */
const GUESSES_AT_ONCE = 4

/**
 * Hashes and checks passwords, a few at a time, in turns of the networks of the clients: none of these need be signed in.
 * @throws ApiError server_busy when too many wait
 */
export interface Passwords {
  /** Returns a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`: it has the cost in it, which can be raised later. */
  hash(password: string, address?: string): Promise<string>
  /** Without a hash, for an account that does not exist, it takes the same time and returns false. */
  verify(password: string, phc: string | undefined, address?: string): Promise<boolean>
  /** Limits how many guesses are checked at once: see `limitGuesses`. */
  readonly guesses: GuessQueue
}

interface Derivation {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly nonce: Buffer
  readonly tag: Buffer
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
const costOf = ({ memory, passes, parallelism }: Omit<Derivation, 'nonce' | 'tag'>) => `m=${memory},t=${passes},p=${parallelism}`

const write = (derivation: Derivation): string =>
  `$argon2id$v=19$${costOf(derivation)}$${base64(derivation.nonce)}$${base64(derivation.tag)}`

function read(phc: string): Derivation | undefined {
  const [, memory, passes, parallelism, nonce, tag] = PHC.exec(phc) ?? []
  if (nonce === undefined || tag === undefined) return undefined
  const salt = Buffer.from(nonce, 'base64')
  const hash = Buffer.from(tag, 'base64')
  return { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), nonce: salt, tag: hash }
}

/** Whether a hash has another cost than new hashes. */
export const isOutdated = (phc: string): boolean => !phc.startsWith(`$argon2id$v=19$${costOf(cost)}$`)

/** `onDerivation` is called for each derivation, for the metrics. */
export function passwords(onDerivation: () => void): Passwords {
  const derivations = inTurns(AT_ONCE)
  const tagOf = (password: string, { memory, passes, parallelism, nonce, tag }: Derivation, address: string): Promise<Buffer> =>
    derivations(address, async () => {
      onDerivation()
      return derive('argon2id', { message: password, nonce, tagLength: tag.length, memory, passes, parallelism })
    })
  const fresh = (): Derivation => ({ ...cost, nonce: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) })
  // The hash of no password: its tag is random.
  const dummy = fresh()
  return {
    async hash(password, address = '') {
      const dummyDerivation = fresh()
      return write({ ...dummyDerivation, tag: await tagOf(password, dummyDerivation, address) })
    },
    guesses: inTurns(GUESSES_AT_ONCE),
    async verify(password, phc, address = '') {
      const storedDerivation = (phc === undefined ? undefined : read(phc)) ?? dummy
      return timingSafeEqual(await tagOf(password, storedDerivation, address), storedDerivation.tag)
    },
  }
}

/** Nothing here hangs, so one network may have all places while no other wants one. */
function inTurns(atOnce: number): GuessQueue {
  const queue = fairQueue(atOnce, { mostOf: () => atOnce, mostWaiting: WAITING })
  const never = new AbortController().signal
  return (address, work) => queue.run(clientNetwork(address), never, work)
}
