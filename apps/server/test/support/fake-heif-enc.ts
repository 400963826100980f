import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the program does when called. */
export type Behaviour = 'works' | 'fails' | 'hangs' | 'writes rubbish' | 'writes nothing' | 'is killed' | 'floods'

/** A program named heif-enc that behaves as configured. */
export interface FakeHeifEnc extends AsyncDisposable {
  /** Server settings under which this program is found first; temporary files get a folder of their own. */
  readonly settings: { readonly PATH: string; readonly TMPDIR: string }
  behave(behaviour: Behaviour): Promise<void>
  /** Waits until the hanging program has started, and returns its processes. */
  startedProcesses(): Promise<readonly number[]>
}

const script = (folder: string) => `#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
case $(cat "${folder}/behaviour") in
works) cp "${folder}/good.heic" "$out" ;;
fails) echo 'this build has no encoder' >&2; exit 3 ;;
hangs) sleep 300 & echo "$$ $!" > "${folder}/pids"; wait ;;
'writes rubbish') echo rubbish > "$out" ;;
'writes nothing') ;;
'is killed') kill -9 $$ ;;
floods) yes 'no, no, no' | head -c 20000000 >&2; exit 1 ;;
esac
`

export async function fakeHeifEnc(good: Buffer): Promise<FakeHeifEnc> {
  const folder = await mkdtemp(join(tmpdir(), 'pixelmill-test-'))
  const behave = (behaviour: Behaviour) => writeFile(join(folder, 'behaviour'), behaviour)
  const program = join(folder, 'heif-enc')
  const TMPDIR = join(folder, 'temporary')
  await mkdir(TMPDIR)
  await writeFile(join(folder, 'good.heic'), good)
  await writeFile(program, script(folder))
  await chmod(program, 0o755)
  await behave('works')
  return {
    settings: { PATH: `${folder}:${process.env.PATH}`, TMPDIR },
    async behave(behaviour) {
      await rm(join(folder, 'pids'), { force: true })
      await behave(behaviour)
    },
    async startedProcesses() {
      for (let tries = 0; tries < 200; tries++) {
        const text = await readFile(join(folder, 'pids'), 'utf8').catch(() => '')
        if (text.endsWith('\n')) return text.trim().split(' ').map(Number)
        await sleep(20)
      }
      throw new Error('heif-enc was not started')
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Whether a process is alive; a zombie is not. */
export const lives = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== ''
