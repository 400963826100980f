import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { ENGINE_CODE, installedPackages, outermost, packageFolder, programFile, ROOT } from '@pixelmill/codecs/installation'
import { createUploadFile, type RendererChild } from '../upload-file.ts'
import { type Confinement, commandPrefix, type Grants, measures, nodeFlags, type Task } from './confinement.ts'
import { lowerSession, withNice } from './processes.ts'
import { workingMeasures } from './working-measures.ts'

const KEPT = join(ROOT, 'node_modules/.cache/pixelmill')

/**
 * The folder of the renderers' code, without types and compiled, which otherwise costs each of them 0.25 s of processor time and
 * 20 MB.
 * Only a process that never reads an uploaded file writes it; renderers read it.
 */
const CODE_CACHE = join(KEPT, 'renderers')

/** Named after the sources of the compiled code; written last. */
const STAMP = join(CODE_CACHE, 'compiled')

/**
 * V8 needs little memory here, since pixels are outside its heap; a small young generation keeps the process small. With less
 * than 32 MB of heap, V8 would do a full collection every few files: 0.4 ms of a small JPEG's 16. A program that is not given as
 * a URL is tried as CommonJS first, for which there is no compiled code.
 */
const nodeOptions = [
  '--initial-old-space-size=32',
  '--max-old-space-size=128',
  '--max-semi-space-size=1',
  '--expose-gc',
  '--disable-warning=ExperimentalWarning',
  '--entry-url',
]

/**
 * All the environment a renderer has. malloc, from one arena: a buffer of up to 32 MiB (the most that glibc takes) stays with
 * the process for the next image, and 16 MiB of what is free at its end. Otherwise each plane of pixels is a mapping of its
 * own, whose pages the kernel clears one by one: 3,000 faults and 9 % of the CPU of a full-size WebP of 2 megapixels. A second
 * arena keeps 20 MB more and is no faster; one holds 124 MB after such pictures, 114 without all this.
 * One image at a time needs no more than two threads of libuv, and oxipng, which would take a thread for each core, one.
 * libvips would put a decoded WebP of more than 100 MB into a file, which a renderer may not write: 80 megapixels of 64 bits,
 * the largest there is, are 640 MB.
 */
export const environment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TRIM_THRESHOLD_: '16777216',
  RAYON_NUM_THREADS: '1',
  UV_THREADPOOL_SIZE: '2',
  VIPS_DISC_THRESHOLD: '1g',
  // A configuration without folders, so that a text has the same fonts on every machine: those that are loaded by name.
  FONTCONFIG_FILE: join(packageFolder('dejavu-fonts-ttf') ?? ROOT, 'fontconfig/57-dejavu-sans.conf'),
  // If it is missing or unreadable, everything is compiled again.
  NODE_COMPILE_CACHE: CODE_CACHE,
}

const RENDERER = programFile(import.meta.dirname, '../renderer')
const startOf = (entry: string): string => pathToFileURL(entry).href

/** The packages that a renderer loads. */
const packages = [
  'sharp',
  'libheif-js',
  'elheif',
  '@napi-rs/image',
  'zod',
  'dejavu-fonts-ttf',
  '@xmldom/xmldom',
  'thumbhash',
  'blurhash',
  'wasm-vips',
]

/** Where a checkout has the links by which our packages find each other. */
const links = [join(ROOT, 'node_modules/@pixelmill')].filter(existsSync)

const { folders, lookups } = installedPackages(packages)
const readable = outermost([...ENGINE_CODE, ...links, join(ROOT, 'package.json'), ...folders])

/**
 * The files that a renderer needs, in addition to what the settings grant it.
 * @param more absolute paths that it reads in addition to our code
 */
export function rendererTask(grants: Grants, more: readonly string[] = []): Task {
  const codeCache = keptCode()
  return {
    ...grants,
    program: process.execPath,
    readable: [...readable, ...more, ...(codeCache === undefined ? [] : [codeCache])],
    lookups,
    writable: [],
    codeCache,
    fileBytes: 0,
  }
}

/**
 * The sandbox measures for renderers that work on this machine.
 * @throws StartError if Node or our own files cannot be read
 */
export async function rendererMeasures(task: Task): Promise<Confinement> {
  const confinement = await workingMeasures(measures, (some) => canRead(task, some))
  if (!confinement)
    throw new StartError(`Renderers do not start: one of ${[task.program, ...task.readable].join(', ')} cannot be read.`)
  return confinement
}

/** Whether a renderer with these measures would start, and could read what it needs. */
export const canRead = async (task: Task, confinement: Confinement): Promise<boolean> =>
  process.platform !== 'linux' || (await succeeds([...commandPrefix(task, confinement), ...readsAll(task)]))

/** Starts Node and reads all required files: a Linux command, since only Linux has measures to test. */
const readsAll = ({ program, readable }: Task): readonly string[] => [
  'sh',
  '-c',
  'for path; do test -r "$path" || exit 1; done; exec "$0" --version',
  program,
  ...readable,
]

const PROBE_MS = 10_000

function succeeds(command: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command[0] ?? '', command.slice(1), {
      cwd: '/',
      env: environment,
      stdio: 'ignore',
      timeout: PROBE_MS,
      // `unshare` ignores SIGTERM while it waits.
      killSignal: 'SIGKILL',
    })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

/** The command of a renderer with these measures. */
export const rendererCommand = (task: Task, confinement: Confinement, entry = RENDERER): readonly string[] => [
  ...commandPrefix(task, confinement),
  task.program,
  ...nodeFlags(task, confinement),
  ...nodeOptions,
  startOf(entry),
]

/** Marks the compiling renderer in a list of processes: Node passes it to the program, which takes no arguments. */
export const COMPILES = 'compiles-for-the-next'

/**
 * The command of a renderer that may write its compiled code, with only those measures for which Node accepts the code for other
 * renderers: it depends on the flags of V8 and on the user. It is never given a file.
 */
export const compilingCommand = (task: Task, confinement: Confinement): readonly string[] => [
  ...commandPrefix(task, confinement.intersection(new Set(['user_namespace']))),
  task.program,
  ...nodeOptions,
  startOf(RENDERER),
  COMPILES,
]

/** Starts one renderer process, with its socket as descriptor 3 and its upload file as 4. */
export function spawnRenderer(commandLine: readonly string[], nice = 0): RendererChild {
  const [command = '', ...args] = withNice(commandLine, nice)
  const uploads = createUploadFile()
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', 'pipe', ...(uploads ? [uploads.readable] : [])]
  // In its own process group: Ctrl-C in a terminal only reaches the server, which lets running images finish.
  const child = spawn(command, args, { cwd: '/', env: environment, detached: true, stdio })
  uploads?.started()
  for (const end of ['error', 'exit']) child.once(end, () => uploads?.close())
  return Object.assign(child, { uploads })
}

/** Readable for every user. */
const FOLDER = 0o755
const FILE = 0o644
const isOpen = (path: string): boolean => (statSync(path).mode & 0o005) === 0o005

/** The folder, if it is filled, and readable for renderers of any user. */
const keptCode = (): string | undefined =>
  existsSync(STAMP) && [join(KEPT, '..'), KEPT, CODE_CACHE].every(isOpen) ? CODE_CACHE : undefined

/** Node checks the contents of each file; this name only has to change when some of them do. */
function sourcesNow(): string {
  const sources = ENGINE_CODE.flatMap((folder) =>
    globSync('{src/**/*.ts,*.js}', { cwd: folder }).map((name) => join(folder, name)),
  )
  const times = [...sources, join(ROOT, 'package-lock.json')].map(mtime)
  return `${process.version} ${process.geteuid?.()} ${sources.length} ${Math.max(...times)}`
}

/** 0 for a missing file: an installation needs no lock file. */
const mtime = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Compiling takes 1 s of otherwise idle processor time. */
const PATIENCE_MS = 600_000
const NICE = 19

/**
 * Compiles the renderers' code, if it has changed since the last time: the next server's renderers start faster.
 * @param command starts a renderer that may write
 * @throws Error if the folder cannot be written, which is harmless
 */
export async function keepCode(command: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const sources = sourcesNow()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return
  for (const folder of [KEPT, CODE_CACHE]) await mkdir(folder, { recursive: true, mode: FOLDER })
  const [program = '', ...args] = withNice(command, NICE)
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...env, NODE_COMPILE_CACHE: CODE_CACHE },
    // In a session of its own: lowering the server's session would lower the server.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    timeout: PATIENCE_MS,
  })
  lowerSession(child, NICE)
  const [code] = await closeAndWait(child)
  if (code !== 0) throw new Error(`a renderer that was to be compiled ended with ${code}`)
  for (const entry of await readdir(CODE_CACHE, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? FOLDER : FILE)
  await writeFile(STAMP, sources, { mode: FILE })
}

/** The renderer announces that it is ready; when its socket is closed it writes its compiled code and exits. */
async function closeAndWait(child: ChildProcess): Promise<unknown[]> {
  const wire = child.stdio[3] as Duplex
  wire.once('data', () => wire.end())
  return await once(child, 'exit')
}
