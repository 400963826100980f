import { signText } from 'pixelmill-server/delivery/address'
import type { Server } from '../server/boot-server.ts'

/** The source `bench` of a server. */
export interface BenchSource {
  /** Signs what follows /i/bench/. */
  sign(rest: string): string
}

/** Saves a folder as a source. */
export async function saveSource({ port }: Server, folder: string): Promise<BenchSource> {
  const json = { 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${port}`
  const admin = JSON.stringify({ email: 'admin@example.com', password: 'correct horse battery' })
  const signIn = await fetch(`${url}/api/auth/sign-in`, { method: 'POST', headers: json, body: admin })
  const { token } = (await signIn.json()) as { token: string }
  const response = await fetch(`${url}/api/user/sources/bench`, {
    method: 'PUT',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ type: 'folder', path: folder }),
  })
  const { secret } = (await response.json()) as { secret: string }
  return { sign: (rest) => signText(`/i/bench/${rest}`, Buffer.from(secret, 'base64url')) }
}
