import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileKernels } from '../build.ts'

test('src/kernels.wasm is what assembly/ compiles to', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-kernels-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'kernels.wasm')
  compileKernels(file)
  const wasm = readFileSync(join(import.meta.dirname, '../src/kernels.wasm'))
  assert.ok(readFileSync(file).equals(wasm), 'run `npm run build -w packages/kernels`')
})
