import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Certificates for C2PA, made by openssl. */

export const noOpenssl = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not on the PATH'

export const keyKinds = {
  es256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  es384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  es512: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  ps256: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  ed25519: ['-algorithm', 'ED25519'],
} as const

const CONFIG = `
[req]
distinguished_name=name
[name]
[root]
basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign
subjectKeyIdentifier=hash
[own]
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=critical,emailProtection
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
`

export interface Certificates extends Disposable {
  /** Paths of PEM files: the certificate with its root, and its key. */
  readonly certificate: string
  readonly key: string
}

/** A certificate with a key of this kind, by a root of its own. */
export function makeCertificates(kind: keyof typeof keyKinds): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  writeFileSync(at('config'), CONFIG)
  for (const name of ['root', 'own']) openssl('genpkey', ...keyKinds[kind], '-out', at(`${name}.key`))
  const request = ['req', '-new', '-config', at('config')]
  openssl(
    ...request,
    '-x509',
    '-days',
    '30',
    '-extensions',
    'root',
    '-subj',
    '/O=Test/CN=Root',
    '-key',
    at('root.key'),
    '-out',
    at('root.pem'),
  )
  openssl(...request, '-subj', '/O=Test/CN=Signer', '-key', at('own.key'), '-out', at('own.csr'))
  const root = ['-CA', at('root.pem'), '-CAkey', at('root.key'), '-CAcreateserial']
  openssl(
    'x509',
    '-req',
    '-in',
    at('own.csr'),
    ...root,
    '-days',
    '30',
    '-extfile',
    at('config'),
    '-extensions',
    'own',
    '-out',
    at('own.pem'),
  )
  writeFileSync(at('chain.pem'), readFileSync(at('own.pem'), 'utf8') + readFileSync(at('root.pem'), 'utf8'))
  return {
    certificate: at('chain.pem'),
    key: at('own.key'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
