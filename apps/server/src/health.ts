import { existsSync } from 'node:fs'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readSettings, type Values } from 'pixelmill/settings/read-settings'
import { z } from 'zod'
import { type OwnAnswer, ownAnswer } from './outbound/own-answer.ts'
import { serverSettings, USUAL_METRICS_PORT } from './settings/server.ts'
import { address } from './start-messages.ts'

/** Less than the timeout of container health checks: 5 s in our Dockerfile. */
const ANSWER_MS = 4_000

/** A wildcard address is reached through the loopback interface. */
const OWN: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The address at which a process with these settings answers probes. @throws StartError if it is unknown */
function probesOf({ ROLE, HOST, PORT, METRICS_HOST, METRICS_PORT }: Values<typeof serverSettings>): URL {
  const ofWorker = ROLE === 'worker' ? USUAL_METRICS_PORT : undefined
  const apart = METRICS_PORT ?? ofWorker
  const [host, port] = apart === undefined ? [HOST, PORT] : [METRICS_HOST, apart]
  if (port === 0) throw new StartError('port 0 means any free port, which cannot be known here: set a port.')
  return new URL('/readyz', address(OWN[host] ?? host, port))
}

const body = z.object({ message: z.string() })

function whyNot({ status, text }: OwnAnswer): string {
  try {
    return body.parse(JSON.parse(text)).message
  } catch {
    // Another program listens there, or the answer was cut off.
    return `status ${status}`
  }
}

/** `health`: checks whether the Pixelmill with these settings, on this machine, is ready. Prints one line, exits with 0 or 1. */
async function health(): Promise<string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  // Reads only these settings: reading all would cost three times as much, every few seconds.
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
  // One line, since operators read it in a list of checks.
  console.log(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
