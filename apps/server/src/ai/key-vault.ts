import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes, scryptSync } from 'node:crypto'

/** One secret of AI_KEY_ENCRYPTION_SECRET. */
export interface KeySecret {
  /** Part of the saved text, so that the secret is still found after a newer one was put in front. */
  readonly id: string
  readonly secret: string
}

/** Encrypts the API keys that accounts save for their own model servers. */
export interface KeyVault {
  /**
   * With the first secret.
   * @param holder bound to the ciphertext: it cannot be decrypted for another holder
   */
  encrypt(holder: string, apiKey: string): string
  /** @throws SavedKeyError */
  decrypt(holder: string, savedText: string): string
  /** Prefix of everything encrypted with the first secret. The rest is re-encrypted before its secret is removed. */
  readonly newest: string
}

/** A saved key cannot be decrypted: its secret was removed, it was changed, or it belongs to another holder. */
export class SavedKeyError extends Error {
  override name = 'SavedKeyError' as const
}

const FIRST_ID = '1'
const SHORTEST_SECRET = 16
const ENTRY = /^(?:(?<id>[A-Za-z0-9_-]{1,16}):)?(?<secret>.+)$/s

/**
 * Reads `id:secret,id:secret`, the newest first. A secret alone has the id 1.
 * @throws Error that does not repeat a secret
 */
export function parseKeySecrets(text: string): readonly KeySecret[] {
  const secrets = text.split(',').map((entry) => {
    const { id = FIRST_ID, secret = '' } = ENTRY.exec(entry.trim())?.groups ?? {}
    return { id, secret }
  })
  if (secrets.some(({ secret }) => secret.length < SHORTEST_SECRET))
    throw new Error(`must have at least ${SHORTEST_SECRET} characters in each entry`)
  if (new Set(secrets.map(({ id }) => id)).size < secrets.length) throw new Error('must give each entry an id of its own')
  return secrets
}

const VERSION = 'v1'
const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
/** NIST SP 800-38D, §5.2.1.1 and §5.2.1.2: 96 random bits for each message, and the whole tag. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** 32 MiB and 0.1 s, at the first use: a passphrase that someone chose is as hard to guess as a password's hash. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const
const SALT = 'pixelmill saved AI keys'

const derive = (secret: string): KeyObject => createSecretKey(scryptSync(secret, SALT, KEY_BYTES, SCRYPT))

/** Derives the key at first use: most servers have no saved keys. */
function derivedOnce(secret: string): () => KeyObject {
  let key: KeyObject | undefined
  return () => (key ??= derive(secret))
}

/** Associated data, so that a ciphertext copied to another holder's row is not authentic. */
const context = (holder: string): Buffer => Buffer.from(JSON.stringify(['AI key', VERSION, holder]))

/** @param secrets the first encrypts, all decrypt */
export function keyVault(secrets: readonly KeySecret[]): KeyVault {
  const keys = new Map(secrets.map(({ id, secret }) => [id, derivedOnce(secret)]))
  const [newest] = keys
  if (!newest) throw new Error('a vault needs a secret')
  const [newestId, newestKey] = newest
  return {
    encrypt(holder, apiKey) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, newestKey(), nonce, { authTagLength: TAG_BYTES }).setAAD(context(holder))
      const encryptedBytes = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()])
      return [
        VERSION,
        newestId,
        ...[nonce, encryptedBytes, cipher.getAuthTag()].map((bytes) => bytes.toString('base64url')),
      ].join('.')
    },
    decrypt(holder, savedText) {
      const [version, id = '', ...parts] = savedText.split('.')
      const [nonce, encryptedBytes, tag] = parts.map((part) => Buffer.from(part, 'base64url'))
      const key = keys.get(id)
      if (!key) throw new SavedKeyError('no secret has its id')
      if (version !== VERSION || parts.length !== 3 || !nonce || !encryptedBytes || !tag)
        throw new SavedKeyError('not of a known form')
      try {
        const decipher = createDecipheriv(ALGORITHM, key(), nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(context(holder)).setAuthTag(tag)
        return Buffer.concat([decipher.update(encryptedBytes), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new SavedKeyError('not authentic', { cause })
      }
    },
    newest: `${VERSION}.${newestId}.`,
  }
}

/** More than half of a shorter key would be visible. */
const SHORTEST_SHOWN = 20

/** `sk-pro********1234`: enough to recognise a key. A short one is hidden completely. */
export function maskKey(apiKey: string): string {
  const mask = '*'.repeat(8)
  return apiKey.length < SHORTEST_SHOWN ? mask : `${apiKey.slice(0, 6)}${mask}${apiKey.slice(-4)}`
}
