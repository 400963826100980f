import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { folderOf, jpeg, PROGRAM } from './pixelmill.ts'

/** util-linux's script gives a program a terminal; that of the BSDs has other options. */
const skip =
  !/util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '') && 'no script of util-linux'

/** What the command writes to a terminal of this many columns. */
function screenOf(folder: string, columns: number, args: string, env = {}): string {
  const line = `stty cols ${columns}; exec '${process.execPath}' '${PROGRAM}' ${args}`
  return spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    encoding: 'utf8',
    input: '',
  }).stdout
}

const HIDE = '\x1b[?25l'
const SHOW = '\x1b[?25h'
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
const CONTROL = /\x1b\[[0-9;?]*[A-Za-z]/g

test('in a terminal every failure stays above the bar, which goes, and the cursor comes back', { skip }, async (t) => {
  const bad = Object.fromEntries([1, 2, 3, 4, 5].map((nth) => [`in/${nth}.jpg`, 'no image']))
  const folder = await folderOf(t, { ...bad, 'in/9.jpg': await jpeg() })
  const text = screenOf(folder, 80, 'convert in --out out --jobs 1')
  for (let nth = 1; nth <= 5; nth++)
    assert.match(text.replaceAll(CONTROL, ''), new RegExp(`failed {2}in/${nth}\\.jpg: [^\r\n]*\r\n`))
  assert.ok(text.includes(HIDE) && text.lastIndexOf(SHOW) > text.lastIndexOf(HIDE))
  // Nothing of the bar is behind the last thing that clears it.
  assert.doesNotMatch(text.slice(text.lastIndexOf('\x1b[0J')), /[█░]/)
  assert.ok(text.includes('\x1b[31mfailed'))
})

test('NO_COLOR leaves the colours out, and --quiet the bar', { skip }, async (t) => {
  const folder = await folderOf(t, { 'in/1.jpg': 'no image' })
  const plain = screenOf(folder, 45, 'convert in --out out --jobs 1', { NO_COLOR: '1' })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
  assert.doesNotMatch(plain, /\x1b\[[0-9;]*m/)
  const quiet = screenOf(folder, 45, 'convert in --out out --jobs 1 --quiet', { NO_COLOR: '1' })
  assert.match(quiet, /^failed {2}in\/1\.jpg: [^\r\n]*\r\n$/)
})
