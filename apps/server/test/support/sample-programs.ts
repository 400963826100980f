import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { curlLines } from '@pixelmill/dashboard/web/curl'
import { pythonLines } from '@pixelmill/dashboard/web/python'
import type { SampleRequest } from '@pixelmill/dashboard/web/sample-request'
import { typescriptLines } from '@pixelmill/dashboard/web/typescript'
import { skipWithoutCurl } from './shell-page.ts'

/** Samples of the reference, run as a reader would run them, in a folder with the files that they name. */

export interface Ran {
  /** Of the last answer. */
  readonly status: number
  readonly failed: boolean
  /** What it printed, errors too. */
  readonly printed: string
}

export interface Language {
  readonly name: string
  readonly skip: string | false
  lines(request: SampleRequest): string
  readonly file: string
  readonly runner: readonly [program: string, ...args: readonly string[]]
}

interface Work {
  readonly cwd: string
  readonly file: string
  readonly env: Readonly<Record<string, string>>
}

/*
 * A runner takes one line of Work and answers one of Ran, again and again: a start of Node or Python takes longer than a sample.
 * Samples as they are do not print the status of their answer, so that runners watch for it.
 */

const PYTHON_RUNNER = `import contextlib, io, json, os, sys, traceback
import requests
seen = []
send = requests.Session.send
def watched(self, *call, **options):
    response = send(self, *call, **options)
    seen.append(response.status_code)
    return response
requests.Session.send = watched
for line in sys.stdin:
    work = json.loads(line)
    os.chdir(work["cwd"])
    os.environ.update(work["env"])
    printed, failed = io.StringIO(), False
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(open(work["file"], encoding="utf-8").read(), work["file"], "exec"), {"__name__": "__main__"})
        except BaseException:
            failed = True
            traceback.print_exc(file=printed)
    print(json.dumps({"status": seen[-1] if seen else 0, "failed": failed, "printed": printed.getvalue()}), flush=True)
    seen.clear()
`

const NODE_RUNNER = `import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
const [send, write] = [globalThis.fetch, process.stdout.write.bind(process.stdout)]
let [status, printed] = [0, '']
globalThis.fetch = async (...call) => {
  const response = await send(...call)
  status = response.status
  return response
}
process.stdout.write = (text) => (printed += text, true)
for await (const line of createInterface(process.stdin)) {
  const work = JSON.parse(line)
  process.chdir(work.cwd)
  Object.assign(process.env, work.env)
  let failed = false
  ;[status, printed] = [0, '']
  try {
    await import(pathToFileURL(work.cwd + '/' + work.file))
  } catch (error) {
    failed = true
    printed += inspect(error)
  }
  write(JSON.stringify({ status, failed, printed }) + '\\n')
}
`

const SHELL_RUNNER = `import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
for await (const line of createInterface(process.stdin)) {
  const { cwd, env, file } = JSON.parse(line)
  const options = { cwd, env: { PATH: process.env.PATH, CURL_HOME: process.argv[1], ...env }, encoding: 'utf8' }
  const { status: exit, stdout, stderr } = spawnSync('sh', ['-e', file], options)
  const [, status = 0] = /\\nstatus (\\d+)\\n$/.exec(stdout) ?? []
  console.log(JSON.stringify({ status: Number(status), failed: exit !== 0, printed: stdout + stderr }))
}
`

const CURL_SETTINGS = 'write-out = "\\nstatus %{http_code}\\n"\nsilent\n'

const node = (code: string): readonly [string, ...string[]] => [process.execPath, '--input-type=module', '-e', code]
const python = 'python3'
const lacksRequests =
  spawnSync(python, ['-c', 'import requests']).status !== 0 && `${python} has no package requests (Debian: python3-requests)`

export const languages: readonly Language[] = [
  { name: 'curl', skip: skipWithoutCurl, lines: curlLines, file: 'sample.sh', runner: node(SHELL_RUNNER) },
  { name: 'TypeScript', skip: false, lines: typescriptLines, file: 'sample.mts', runner: node(NODE_RUNNER) },
  { name: 'Python', skip: lacksRequests, lines: pythonLines, file: 'sample.py', runner: [python, '-c', PYTHON_RUNNER] },
]

/** One process that runs samples of a language, one after the other. */
export class Runner implements Disposable {
  readonly #child: ChildProcess
  readonly #answers: AsyncIterator<string>
  readonly #language: Language

  /** @param folder for its settings */
  static async start(language: Language, folder: string): Promise<Runner> {
    await writeFile(join(folder, '.curlrc'), CURL_SETTINGS)
    return new Runner(language, folder)
  }

  private constructor(language: Language, folder: string) {
    const [program, ...args] = language.runner
    this.#child = spawn(program, [...args, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
    const { stdout } = this.#child
    if (!stdout) throw new Error('a runner has no output')
    this.#answers = createInterface(stdout)[Symbol.asyncIterator]()
    this.#language = language
  }

  /** @param values for the placeholders of the path */
  async run(code: string, cwd: string, env: Values, values: Values): Promise<Ran> {
    const { file } = this.#language
    await mkdir(cwd, { recursive: true })
    await writeFile(join(cwd, file), filledProgram(code, values))
    const inShell = Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toUpperCase(), value]))
    const work: Work = { cwd, file, env: { ...env, ...inShell } }
    this.#child.stdin?.write(`${JSON.stringify(work)}\n`)
    const { value, done } = await this.#answers.next()
    if (done) throw new Error(`the runner of ${this.#language.name} has ended`)
    return JSON.parse(value)
  }

  [Symbol.dispose](): void {
    this.#child.kill()
  }
}

type Values = Readonly<Record<string, string>>

/** A reader writes their own values in place of the dots. */
const filledProgram = (code: string, values: Values): string =>
  code
    .replaceAll(/^const (\w+) = '…'$/gm, (line, name: string) => (name in values ? `const ${name} = '${values[name]}'` : line))
    .replaceAll(/^([A-Z]+) = "…"$/gm, (line, name: string) => {
      const value = values[name.toLowerCase()]
      return value === undefined ? line : `${name} = "${value}"`
    })
