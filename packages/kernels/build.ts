import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `npm run build -w packages/kernels`: compiles assembly/ into src/kernels.wasm, which is committed. A test compares the two. */

// As a program: its declarations would change the types of globals for every file of ours.
const compiler = fileURLToPath(import.meta.resolve('assemblyscript/asc').replace(/dist\/asc\.js$/, 'bin/asc.js'))

/**
 * Compiles the kernels, to SIMD without relaxed operations, so that every processor computes the same.
 * @param file to write, from the folder of the package
 */
export function compileKernels(file: string): void {
  const optimization = ['--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--enable', 'simd']
  const surroundings = ['--runtime', 'stub', '--importMemory', '--initialMemory', '1', '--use', 'abort=']
  execFileSync(process.execPath, [compiler, 'assembly/index.ts', '--outFile', file, ...optimization, ...surroundings], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
  })
}

if (import.meta.main) compileKernels('src/kernels.wasm')
