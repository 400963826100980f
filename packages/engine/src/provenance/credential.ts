import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartError } from '@pixelmill/codecs/contract/start-error'

/** How signatures are made with a kind of key: the algorithm's names by C2PA and COSE (C2PA 2.2, 13.2.1; RFC 9053), and its hash. */
interface Algorithm {
  readonly c2pa: string
  readonly cose: number
  /** Undefined where the algorithm has its own. */
  readonly hash?: string
}

/** A certificate with its key, as `c2pa` libraries sign with it. */
export interface Credential {
  readonly key: KeyObject
  readonly algorithm: Algorithm
  /** The certificate, and those that vouch for it, in DER. */
  readonly chain: readonly Buffer[]
  readonly expires: Date
}

/**
 * Reads the operator's certificate and key, both PEM files; errors name them as given.
 * @throws StartError if one cannot be read, or they do not belong together
 */
export function readCredential(
  certificatePath: string,
  keyPath: string,
  certificateName = 'C2PA_CERTIFICATE',
  keyName = 'C2PA_PRIVATE_KEY',
): Credential {
  const certificates = (read(certificateName, certificatePath).match(CERTIFICATE) ?? []).map((pem) =>
    certificateOf(pem, certificateName),
  )
  const [own] = certificates
  if (!own) throw new StartError(`${certificateName} must be a PEM file with a certificate, and those that vouch for it.`)
  const key = privateKey(read(keyName, keyPath), keyName)
  if (!own.checkPrivateKey(key)) throw new StartError(`${keyName} is not the key of the first certificate in ${certificateName}.`)
  const algorithm = algorithmOf(key)
  if (!algorithm) throw new StartError(`${keyName} must be of P-256, P-384, P-521, Ed25519 or RSA.`)
  const expires = new Date(own.validTo)
  if (expires.getTime() < Date.now()) throw new StartError(`The certificate in ${certificateName} expired on ${own.validTo}.`)
  // A root is known to those who trust it (C2PA 2.2, 14.6).
  const chain = certificates.filter((one, index) => index === 0 || !one.checkIssued(one)).map(({ raw }) => raw)
  return { key, algorithm, chain, expires }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function read(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartError(`${setting} cannot be read: ${(cause as NodeJS.ErrnoException).code}.`)
  }
}

function certificateOf(pem: string, name: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new StartError(`${name} has a certificate that is damaged.`)
  }
}

function privateKey(pem: string, name: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new StartError(`${name} must be a PEM file with a private key without a passphrase.`)
  }
}

const curves: Readonly<Record<string, Algorithm>> = {
  prime256v1: { c2pa: 'es256', cose: -7, hash: 'sha256' },
  secp384r1: { c2pa: 'es384', cose: -35, hash: 'sha384' },
  secp521r1: { c2pa: 'es512', cose: -36, hash: 'sha512' },
}
const others: Readonly<Record<string, Algorithm>> = {
  ed25519: { c2pa: 'ed25519', cose: -8 },
  rsa: { c2pa: 'ps256', cose: -37, hash: 'sha256' },
  'rsa-pss': { c2pa: 'ps256', cose: -37, hash: 'sha256' },
}

const algorithmOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm | undefined =>
  asymmetricKeyType === 'ec' ? curves[asymmetricKeyDetails?.namedCurve ?? ''] : others[asymmetricKeyType ?? '']
