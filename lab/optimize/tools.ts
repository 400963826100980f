import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that optimizes files of one format, and the levels for its curve of bytes over SSIM. */
export interface Tool {
  readonly name: string
  readonly command: string
  readonly format: 'jpeg' | 'png' | 'webp' | 'gif'
  readonly levels: readonly number[]
  readonly arguments: (level: number, input: string, output: string) => readonly string[]
}

const qualities = [20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 93, 96, 98]

export const tools: readonly Tool[] = [
  {
    name: 'jpegoptim --all-progressive -m',
    command: 'jpegoptim',
    format: 'jpeg',
    levels: qualities,
    arguments: (level, input, output) => [
      '-q',
      '-s',
      '-f',
      '--all-progressive',
      '-m',
      `${level}`,
      '--stdout',
      input,
      '>',
      output,
    ],
  },
  {
    name: 'pngquant --speed 3',
    command: 'pngquant',
    format: 'png',
    levels: [4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256],
    arguments: (level, input, output) => ['--speed', '3', '--strip', '-f', '-o', output, `${level}`, input],
  },
  {
    name: 'pngquant --speed 3 --nofs',
    command: 'pngquant',
    format: 'png',
    levels: [4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256],
    arguments: (level, input, output) => ['--speed', '3', '--nofs', '--strip', '-f', '-o', output, `${level}`, input],
  },
  {
    name: 'oxipng',
    command: 'oxipng',
    format: 'png',
    levels: [4],
    arguments: (level, input, output) => ['-q', '-o', `${level}`, '--strip', 'all', '--out', output, input],
  },
  {
    name: 'cwebp -m 4',
    command: 'cwebp',
    format: 'webp',
    levels: qualities,
    arguments: (level, input, output) => ['-quiet', '-m', '4', '-q', `${level}`, '-o', output, input],
  },
  {
    name: 'cwebp -m 6',
    command: 'cwebp',
    format: 'webp',
    levels: qualities,
    arguments: (level, input, output) => ['-quiet', '-m', '6', '-q', `${level}`, '-o', output, input],
  },
  {
    name: 'gifsicle -O3 --lossy',
    command: 'gifsicle',
    format: 'gif',
    levels: [0, 5, 10, 20, 30, 45, 60, 80, 110, 150, 200],
    arguments: (level, input, output) => ['-w', '-O3', `--lossy=${level}`, input, '-o', output],
  },
]

export const isInstalled = ({ command }: Tool): boolean => spawnSync('which', [command]).status === 0

/** Runs the tool on a file; undefined if the tool refuses it. */
export function runTool(tool: Tool, level: number, file: Buffer): Buffer | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-optimize-'))
  try {
    const input = join(folder, 'in')
    const output = join(folder, 'out')
    writeFileSync(input, file)
    const [program, ...words] = [tool.command, ...tool.arguments(level, input, output)]
    const toStdout = words.at(-2) === '>'
    const { status, stdout } = spawnSync(program, toStdout ? words.slice(0, -2) : words, { maxBuffer: 2 ** 28 })
    if (status !== 0) return undefined
    return toStdout ? stdout : readFileSync(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
