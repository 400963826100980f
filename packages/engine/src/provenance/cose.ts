import { constants, sign } from 'node:crypto'
import type { Credential } from './credential.ts'

/** Labels of COSE headers (RFC 9052, 3.1; RFC 9360). */
const ALGORITHM = 1
const CERTIFICATES = 33
/** Tag of a COSE_Sign1 structure (RFC 9052, 4.2). */
const SIGN1 = 0xd2
const NULL = Buffer.from([0xf6])

/** Bytes that are left for the signature and for what is around it: RSA's of 4,096 bits has 512. */
const AROUND = 1_024

/** The size of every signature by this credential: it is part of a file before it is known. */
export const signatureBytes = ({ chain }: Credential): number => chain.reduce((sum, { length }) => sum + length, AROUND)

/** The signature of a claim (C2PA 2.2, 13.2): COSE_Sign1 with detached payload, and padded in its header `pad`. */
export function signClaim(claim: Uint8Array, credential: Credential): Buffer {
  const { key, algorithm, chain } = credential
  const [own, ...more] = chain.map(bytes)
  const certificates = more.length > 0 ? list(own ?? NULL, ...more) : (own ?? NULL)
  const head = bytes(map(number(ALGORITHM), number(algorithm.cose), number(CERTIFICATES), certificates))
  const sigStructure = list(text('Signature1'), head, bytes(Buffer.alloc(0)), bytes(claim))
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  const isRsa = algorithm.c2pa === 'ps256'
  const signature = sign(algorithm.hash ?? null, sigStructure, { key, dsaEncoding: 'ieee-p1363', ...(isRsa && padding) })
  const withPadding = (pad: number) => {
    const headers = map(text('pad'), bytes(Buffer.alloc(pad)))
    return Buffer.concat([Buffer.from([SIGN1]), list(head, headers, NULL, bytes(signature))])
  }
  const least = withPadding(LONG)
  return withPadding(LONG + signatureBytes(credential) - least.length)
}

/** From this length on, and up to 65,535, the head of a string has the same size. */
const LONG = 256

/** CBOR (RFC 8949, 3): the major type, and a number in as few bytes as it fits. */
function head(major: number, value: number): Buffer {
  const bytes = value < 24 ? 0 : value < 0x100 ? 1 : value < 0x10000 ? 2 : 4
  const start = Buffer.alloc(1 + bytes)
  start.writeUInt8((major << 5) | (bytes === 0 ? value : 24 + Math.log2(bytes)))
  if (bytes > 0) start.writeUIntBE(value, 1, bytes)
  return start
}

const number = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const list = (...items: readonly Buffer[]): Buffer => Buffer.concat([head(4, items.length), ...items])
const map = (...pairs: readonly Buffer[]): Buffer => Buffer.concat([head(5, pairs.length / 2), ...pairs])
