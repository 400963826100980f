import type { Dirent, Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isWithin } from '../save-source.ts'
import { isListed, type ListedFile, type ListedPage, type ListQuery } from './list-query.ts'

/**
 * The files below a folder in the order of their paths. Links are followed where they stay in it, as they are in delivery; but what is in
 * a linked folder is listed only if the prefix names it, since it may lead back.
 * @param root without symbolic links
 * @throws the system's error for a folder that cannot be read
 */
export async function listFolder(root: string, query: ListQuery, signal: AbortSignal): Promise<ListedPage> {
  const { prefix, limit } = query
  const end = prefix.lastIndexOf('/') + 1
  const data: ListedFile[] = []
  for await (const each of walk(root, prefix.slice(0, end), prefix.slice(end), query, signal)) {
    if (data.length === limit) return { data, next: data.at(-1)?.path }
    data.push(each)
  }
  return { data, next: undefined }
}

/** @param folder its path with a slash at its end, or nothing for the root */
async function* walk(
  root: string,
  folder: string,
  beginning: string,
  query: ListQuery,
  signal: AbortSignal,
): AsyncGenerator<ListedFile, void, undefined> {
  signal.throwIfAborted()
  const { byFolder, after = '' } = query
  const place = await existing(realpath(join(root, folder)))
  if (place === undefined || !isWithin(root, place)) return
  const children = (await existing(readdir(place, { withFileTypes: true }))) ?? []
  for (const { path, entry } of inOrder(children, folder, beginning)) {
    const isBehind = path > after
    if (!isBehind && !(path.endsWith('/') && after.startsWith(path))) continue
    if (entry.isDirectory() && !byFolder) yield* walk(root, path, '', query, signal)
    else if (isBehind) yield* listedFile(root, path, entry)
  }
}

interface Child {
  readonly path: string
  readonly entry: Dirent
}

/** As their paths are in order, where that of a folder goes on with a slash. */
const inOrder = (children: readonly Dirent[], folder: string, beginning: string): readonly Child[] =>
  children
    .filter(({ name }) => name.startsWith(beginning) && !name.includes('\ufffd') && isListed(folder + name))
    .map((entry) => ({ path: `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`, entry }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))

/** Nothing for what is neither file nor folder, or leads out of the source. */
async function* listedFile(root: string, path: string, entry: Dirent): AsyncGenerator<ListedFile, void, undefined> {
  if (entry.isDirectory()) {
    yield { type: 'folder', path }
    return
  }
  const place = await existing(realpath(join(root, path)))
  const facts: Stats | undefined = place !== undefined && isWithin(root, place) ? await existing(stat(place)) : undefined
  if (facts?.isDirectory()) yield { type: 'folder', path: `${path}/` }
  if (facts?.isFile()) yield { type: 'file', path, bytes: facts.size, modifiedAt: facts.mtime.toISOString() }
}

/** What says that there is none, or that it has gone meanwhile. */
const MISSING: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EINVAL', 'EACCES']

const existing = <Value>(look: Promise<Value>): Promise<Value | undefined> =>
  look.catch((error: NodeJS.ErrnoException) => {
    if (MISSING.includes(error.code)) return undefined
    throw error
  })
