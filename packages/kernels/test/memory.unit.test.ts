import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorkspace } from '../src/memory.ts'

test('a workspace is empty again after it was closed', () => {
  {
    using workspace = openWorkspace()
    workspace.place(new Uint8Array(100_000).fill(7))
  }
  using workspace = openWorkspace()
  const address = workspace.allocate(100_000)
  assert.ok(workspace.bytes(address, 100_000).every((byte) => byte === 0))
})

test('two open workspaces do not share their bytes', () => {
  using one = openWorkspace()
  using other = openWorkspace()
  const address = one.place(Uint8Array.of(1, 2, 3))
  assert.equal(other.allocate(3), address)
  assert.deepEqual([...other.bytes(address, 3)], [0, 0, 0])
})

test('addresses are those of whole vectors, and hold what was placed', () => {
  using workspace = openWorkspace()
  const bytes = workspace.place(Uint8Array.of(1, 2, 3))
  const floats = workspace.place(Float32Array.of(0.5, -2))
  assert.equal(floats, bytes + 16)
  assert.equal(bytes % 16, 0)
  assert.deepEqual([...workspace.bytes(bytes, 3)], [1, 2, 3])
  assert.deepEqual([...workspace.floats(floats, 2)], [0.5, -2])
})

test('more memory than there can be is an error that says what it is for', () => {
  using workspace = openWorkspace()
  assert.throws(() => workspace.allocate(5 * 2 ** 30), /no memory for the 51\d\d MB in which pixels are computed/)
})
