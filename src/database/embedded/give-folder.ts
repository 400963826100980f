import { lchown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Gives a folder and all in it to a user. Only root can, and only root needs to: after a move between machines with and
 * without user namespaces the files have the other owner.
 */
export async function giveFolder(path: string, owner: number): Promise<void> {
  if (process.geteuid?.() !== 0 || (await stat(path)).uid === owner) return
  for (const entry of await readdir(path, { recursive: true })) await lchown(join(path, entry), owner, owner)
  // Last, so that an interrupted walk is begun again.
  await lchown(path, owner, owner)
}
