import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For `skip` of a test that needs libheif's own encoder: false where it is on the path. */
export const withoutHeifEnc: string | false =
  spawnSync('heif-enc', ['--help'], { stdio: 'ignore' }).error !== undefined && 'heif-enc is not on the PATH'

/** Runs libheif's own encoder on a PNG. */
export function nativeHeic(png: Buffer, ...options: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-test-'))
  try {
    const input = join(folder, 'in.png')
    const output = join(folder, 'out.heic')
    writeFileSync(input, png)
    execFileSync('heif-enc', [...options, '-o', output, input], { stdio: 'ignore' })
    return readFileSync(output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
