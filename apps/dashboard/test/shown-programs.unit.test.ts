import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownProgram } from '../src/shown/programs.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit'
const programs: readonly (readonly [userAgent: string | null, shown: string])[] = [
  [`${MAC}/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Mac'],
  [`${MAC}/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, 'Safari on Mac'],
  [`${MAC}/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Mac'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['curl/8.14.1', 'curl'],
  ['python-requests/2.32.4', 'python-requests'],
  ['node', 'node'],
  ['x'.repeat(200), 'x'.repeat(40)],
  ['<img src=x onerror=alert(1)>', 'Unknown program'],
  [null, 'Unknown program'],
]
for (const [userAgent, name] of programs)
  test(`${userAgent?.slice(0, 100)} is ${name}`, () => assert.equal(shownProgram(userAgent), name))
