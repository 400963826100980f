import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { missing } from '../../../test/support/reference.ts'
import { parseAllowList } from '../allow-list.ts'
import { openOutbound } from '../outbound.ts'

function makeCertificate(name: string): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert])
  try {
    assert.equal(status, 0, String(stderr))
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a certificate must be trusted and of the name in the URL, not of the address', {
  skip: missing('openssl'),
}, async (context) => {
  const certificate = makeCertificate('hooks.example.com')
  const server = createServer(certificate, (_, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const outbound = openOutbound({ allow: parseAllowList('127.0.0.1'), resolve: async () => ['127.0.0.1'] })
  const authorities = getCACertificates()
  context.after(async () => {
    setDefaultCACertificates(authorities)
    await outbound.close()
    server.close()
  })
  const call = async (host: string) => {
    const url = `https://${host}:${(server.address() as AddressInfo).port}/`
    return (await outbound.guardedFetch(url, { deadlineMs: 5_000, maxBytes: 100 })).text()
  }

  await assert.rejects(call('hooks.example.com'), { kind: 'network' })
  setDefaultCACertificates([certificate.cert])
  assert.equal(await call('hooks.example.com'), 'here')
  await assert.rejects(call('other.example.com'), { kind: 'network' })
  await assert.rejects(call('127.0.0.1'), { kind: 'network' })
})
