/** What `server.ts` needs of Node's types. Without the others, the rest of the client cannot use what browsers lack. */
declare module 'node:crypto' {
  interface Hmac {
    update(text: string): Hmac
    digest(encoding: 'base64url'): string
  }
  export function createHmac(algorithm: 'sha256', key: Uint8Array): Hmac
}
