import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'

/** Speaks HTTPS for a server, as a load balancer does. */
export interface TlsFront extends AsyncDisposable {
  readonly url: string
  /** PEM, by which clients know it. */
  readonly certificate: string
  /** The file of the certificate. */
  readonly path: string
}

/** Needs openssl, which `noOpenssl` of certificates.ts looks for. */
export async function tlsFront(server: string): Promise<TlsFront> {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  const key = join(folder, 'key.pem')
  const path = join(folder, 'cert.pem')
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', path, ...subject]
  execFileSync('openssl', request, { stdio: 'pipe' })
  const certificate = readFileSync(path, 'utf8')
  const front = createServer({ key: readFileSync(key), cert: certificate }, (socket) => {
    const { hostname, port } = new URL(server)
    const inner = connect(Number(port), hostname)
    for (const each of [socket, inner]) each.on('error', () => socket.destroy() && inner.destroy())
    socket.pipe(inner).pipe(socket)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(front.address() as AddressInfo).port}`,
    certificate,
    path,
    async [Symbol.asyncDispose]() {
      front.close()
      rmSync(folder, { recursive: true })
    },
  }
}
