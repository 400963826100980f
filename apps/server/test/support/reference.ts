import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

/** Debian programs that render reference pictures: ImageMagick, LittleCMS, libtiff. */

/** For a test's `skip`: false where all the programs are installed. */
export function missing(...programs: readonly string[]): string | false {
  const absent = programs.filter((program) => !isInstalled(program))
  return absent.length > 0 && `not installed: ${absent.join(', ')}`
}

const foundFlags = new Map<string, boolean>()

function isInstalled(program: string): boolean {
  const isKnown = foundFlags.get(program) ?? spawnSync('which', [program]).status === 0
  foundFlags.set(program, isKnown)
  return isKnown
}

/**
 * Runs a program on files in a folder of their own and returns the file `out`. Its arguments refer to files by name.
 */
export function produce(program: string, args: readonly string[], files: Readonly<Record<string, Buffer>>, out: string): Buffer {
  const cwd = mkdtempSync(join(tmpdir(), 'reference-'))
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(cwd, name), bytes)
    const { status, stderr } = spawnSync(program, args, { cwd })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
    return readFileSync(join(cwd, out))
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

/**
 * Mean difference of two pictures of one size after conversion by their profiles, over all pixels and channels, 0–255; colour is
 * weighted by opacity.
 */
export async function difference(one: Buffer, other: Buffer): Promise<number> {
  const open = (bytes: Buffer) => sharp(bytes).toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const [a, b] = await Promise.all([open(one), open(other)])
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) return 255
  let sum = 0
  let weight = 0
  for (let at = 0; at < a.data.length; at += 4) {
    const alphaA = a.data[at + 3] ?? 0
    const alphaB = b.data[at + 3] ?? 0
    const seenCount = Math.min(alphaA, alphaB) / 255
    for (let channel = at; channel < at + 3; channel++)
      sum += seenCount * Math.abs((a.data[channel] ?? 0) - (b.data[channel] ?? 0))
    sum += Math.abs(alphaA - alphaB)
    weight += 3 * seenCount + 1
  }
  return sum / weight
}
