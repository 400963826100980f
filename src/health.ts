import { existsSync } from 'node:fs'
import { z } from 'zod'
import { address } from './command-line.ts'
import { StartError } from './contract/start-error.ts'
import { type OwnAnswer, ownAnswer } from './outbound/own-answer.ts'
import { readSettings, type Values } from './settings/read-settings.ts'
import { serverSettings } from './settings/server.ts'

/** Less than containers give a check: 5 s in our Dockerfile. */
const ANSWER_MS = 4_000

/** Every interface is asked through this machine's own. */
const OWN: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where the process of these settings answers probes. @throws StartError where it does so nowhere, or nobody knows where */
function probesOf({ ROLE, HOST, PORT, METRICS_HOST = HOST, METRICS_PORT }: Values<typeof serverSettings>): URL {
  if (ROLE === 'worker' && METRICS_PORT === undefined)
    throw new StartError('ROLE=worker answers on no port but METRICS_PORT: set that.')
  const [host, port] = METRICS_PORT === undefined ? [HOST, PORT] : [METRICS_HOST, METRICS_PORT]
  if (port === 0) throw new StartError('port 0 is a free one that nobody else knows: set one.')
  return new URL('/readyz', address(OWN[host] ?? host, port))
}

const body = z.object({ message: z.string() })

function whyNot({ status, text }: OwnAnswer): string {
  try {
    return body.parse(JSON.parse(text)).message
  } catch {
    // Whoever listens there is no Pixelmill, or one whose answer was cut.
    return `status ${status}`
  }
}

/** `health`: whether the Pixelmill of these settings, on this machine, is ready. One line, and exit code 0 or 1. */
async function health(): Promise<string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  // Of all settings only these: reading the others would cost three times as much, every few seconds.
  const url = probesOf(readSettings(serverSettings, process.env))
  const answer = await ownAnswer(url, ANSWER_MS)
  if (answer.status === 200) return undefined
  return `${url}: ${whyNot(answer)}`
}

try {
  const fault = await health()
  console.log(fault ?? 'ready')
  process.exitCode = fault === undefined ? 0 : 1
} catch (error) {
  // One line: whatever it is, the operator reads it in a list of checks.
  console.log(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
