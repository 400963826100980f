import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { asPrintfFormat, systemCallFilter } from '../../src/rendering/sandbox/system-call-filter.ts'

/** What the kernel would answer: the few instructions of classic BPF that the filter is made of. */
function judge(filter: Buffer, call: { readonly arch: number; readonly number: number; readonly argument?: number }): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number, 0)
  data.writeUInt32LE(call.arch, 4)
  data.writeUInt32LE(call.argument ?? 0, 16)
  let accumulator = 0
  for (let at = 0; at < filter.length / 8; at++) {
    const code = filter.readUInt16LE(8 * at)
    const operand = filter.readUInt32LE(8 * at + 4)
    const jump = (holds: boolean) => filter[8 * at + (holds ? 2 : 3)] ?? 0
    if (code === 0x06) return operand
    if (code === 0x20) accumulator = data.readUInt32LE(operand)
    else if (code === 0x15) at += jump(accumulator === operand)
    else if (code === 0x35) at += jump(accumulator >= operand)
    else if (code === 0x45) at += jump((accumulator & operand) !== 0)
    else assert.fail(`an unknown instruction: ${code}`)
  }
  return assert.fail('the filter ends without an answer')
}

const ALLOWED = 0x7fff_0000
const NOT_PERMITTED = 0x0005_0001
const NO_SUCH_CALL = 0x0005_0026
const KILLED = 0x8000_0000
const X64 = 0xc000_003e
const ARM64 = 0xc000_00b7
const I386 = 0x4000_0003
const SIGCHLD = 17
const THREAD = 0x003d_0f00
const NEWUSER = 0x1000_0000
const NEWPID = 0x2000_0000

const rows: readonly (readonly [call: string, machine: 'x64' | 'arm64', number: number, answer: number, argument?: number])[] = [
  ['read', 'x64', 0, ALLOWED],
  ['mmap', 'x64', 9, ALLOWED],
  ['execve', 'x64', 59, ALLOWED],
  ['exit_group', 'x64', 231, ALLOWED],
  ['statx', 'x64', 332, ALLOWED],
  ['clone of a thread', 'x64', 56, ALLOWED, THREAD],
  ['fork by clone', 'x64', 56, ALLOWED, SIGCHLD],
  ['clone with a user namespace', 'x64', 56, NOT_PERMITTED, NEWUSER + SIGCHLD],
  ['clone with a PID namespace', 'x64', 56, NOT_PERMITTED, NEWPID + SIGCHLD],
  ['clone3', 'x64', 435, NO_SUCH_CALL],
  ['socket', 'x64', 41, NOT_PERMITTED],
  ['ptrace', 'x64', 101, NOT_PERMITTED],
  ['unshare', 'x64', 272, NOT_PERMITTED],
  ['bpf', 'x64', 321, NOT_PERMITTED],
  ['io_uring_setup', 'x64', 425, NOT_PERMITTED],
  ['futex_requeue', 'x64', 456, ALLOWED],
  ['statmount, of Linux 6.8', 'x64', 457, NO_SUCH_CALL],
  ['a call of x32', 'x64', 0x4000_0000, NO_SUCH_CALL],
  ['a call of -1', 'x64', 0xffff_ffff, NO_SUCH_CALL],
  ['read', 'arm64', 63, ALLOWED],
  ['clone of a thread', 'arm64', 220, ALLOWED, THREAD],
  ['clone with a user namespace', 'arm64', 220, NOT_PERMITTED, NEWUSER + SIGCHLD],
  ['socket', 'arm64', 198, NOT_PERMITTED],
  ['mount', 'arm64', 40, NOT_PERMITTED],
  ['openat', 'arm64', 56, ALLOWED],
]

for (const [call, machine, number, answer, argument] of rows) {
  test(`${call} on ${machine}`, () => {
    const filter = systemCallFilter(machine) ?? assert.fail()
    const arch = machine === 'x64' ? X64 : ARM64
    assert.equal(judge(filter, { arch, number, ...(argument !== undefined && { argument }) }), answer)
  })
}

test('a call of another architecture ends the process', () => {
  assert.equal(judge(systemCallFilter('x64') ?? assert.fail(), { arch: I386, number: 0 }), KILLED)
})

test('there is none where numbers are not known', () => {
  assert.equal(systemCallFilter('riscv64'), undefined)
})

test('a shell writes the bytes as they are', { skip: process.platform === 'win32' && 'no shell' }, () => {
  const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const bytes = Buffer.concat([every, systemCallFilter('x64') ?? assert.fail()])
  assert.deepEqual(spawnSync('sh', ['-c', 'printf "$1"', 'sh', asPrintfFormat(bytes)]).stdout, bytes)
})
