import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServiceRow, services } from 'pixelmill-server/background/services'

const page = await readFile(join(import.meta.dirname, '../../docs/background.md'), 'utf8')
const inMillions = (count: number) => String(count / 1e6)

for (const [name, row] of Object.entries<ServiceRow>(services))
  test(`docs/background.md says of ${name} what is sent where`, () => {
    const line = page.split('\n').find((text) => text.startsWith(`| \`${name}\` |`)) ?? ''
    const { origin = '', path = '', fileField, fields, needsKey, most } = row
    const names = [
      `${origin}${origin ? path : ''}`,
      `\`${fileField}\``,
      ...Object.entries(fields).map((field) => field.join('=')),
    ]
    for (const words of [...names, path, `${inMillions(most.pixels)} megapixels`, `${inMillions(most.bytes)} MB`])
      assert.ok(line.includes(words), `${words} is missing in: ${line}`)
    assert.equal(line.includes('`X-Api-Key`, needed'), needsKey && row.keyHeader === 'x-api-key')
  })
