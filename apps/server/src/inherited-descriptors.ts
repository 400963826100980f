import { closeSync, existsSync, readdirSync, readFileSync } from 'node:fs'

/** fcntl.h of Linux, on x64 and arm64. /proc has flags in octal. */
const O_CLOEXEC = 0o2000000

/**
 * Closes the descriptors above standard error that the parent process left open for its children, such as `99<secret.txt` of a
 * shell. PostgreSQL and renderers would inherit them. Node and libuv set close-on-exec on what they open, so any other descriptor is
 * foreign. To be called before anything else runs. On systems other than Linux, libuv closes them.
 */
export function closeInherited(): void {
  if (!existsSync('/proc/self/fdinfo')) return
  for (const descriptor of readdirSync('/proc/self/fd').map(Number))
    if (descriptor > 2 && isInherited(descriptor)) closeSync(descriptor)
}

function isInherited(descriptor: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
    return flags !== '' && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0
  } catch (error) {
    // The descriptor of the listing itself: it is closed by now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
