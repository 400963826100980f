import { join, relative } from 'node:path'
import { ROOT } from '@pixelmill/codecs/installation'
import { VERSION } from '@pixelmill/engine/version'
import type { Credentials } from './accounts/first-administrator.ts'

const EXAMPLE = join(ROOT, 'examples/photo.jpg')

export const address = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const keyText = ({ value, generated }: Credentials['apiKey'], givenText: string): string => (generated ? value : `(${givenText})`)

/** Printed once, after the first administrator was created: generated values are shown nowhere else. */
export function firstRun({ email, password, apiKey }: Credentials): string {
  return [
    '',
    '  The first administrator was made. Keep these; they are not shown again:',
    '',
    `    e-mail    ${email}`,
    `    password  ${keyText(password, 'as ADMIN_PASSWORD says')}`,
    `    API key   ${keyText(apiKey, 'as ADMIN_API_KEY says')}`,
    '',
  ].join('\n')
}

/** A command that works as printed: the picture is part of the repository. */
function curl(url: string, key: string): string {
  const photo = relative('.', EXAMPLE)
  return `curl -f -H "Authorization: Bearer ${key}" -F image=@${photo} -F format=webp -o photo.webp ${url}/api/v1/convert`
}

export function listening(url: string, credentials: Credentials | undefined, hasPages: boolean): string {
  const key = credentials?.apiKey.generated ? credentials.apiKey.value : credentials ? '$ADMIN_API_KEY' : 'YOUR_API_KEY'
  return [
    '',
    `  Pixelmill ${VERSION} listens on ${url}`,
    ...(hasPages ? [`  Dashboard: ${url}`] : []),
    `  Reference: ${url}/docs`,
    '',
    '  Convert a photograph:',
    '',
    `    ${curl(url, key)}`,
    '',
  ].join('\n')
}

/** For a process with ROLE=worker, which only answers probes. */
export const working = (): string => `\n  Pixelmill ${VERSION} works on batches and webhooks\n`

export const probesText = (url: string): string => `  Metrics and probes: ${url}/metrics, /healthz, /readyz\n`
