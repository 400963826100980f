import { limits } from '@pixelmill/codecs/contract/limits'
import { inspectArchive } from 'pixelmill-server/archives/inspect'
import { readEntry } from 'pixelmill-server/archives/read-entry'
import sharp from 'sharp'
import type { Archive } from './archives.ts'

interface ManifestRow {
  readonly source: string
  readonly output: string | null
  readonly status: string
}

/** Lists faults of a result: every image of the archive must be in it exactly once, complete, and nothing else. */
export async function faultsOfResult(archive: Archive, result: Buffer): Promise<readonly string[]> {
  const read = async (position: number, length: number) => result.subarray(position, position + length)
  const source = { size: result.length, read }
  const entries = await inspectArchive(source, {
    archiveBytes: limits.archive.bytes,
    entries: limits.archive.entries,
    unpackedBytes: limits.archive.unpackedBytes,
  })
  const files = new Map<string, Buffer>()
  for (const entry of entries) files.set(entry.path, Buffer.concat(await readEntry(source, entry, limits.archive.unpackedBytes)))
  const manifest: readonly ManifestRow[] = JSON.parse(files.get('manifest.json')?.toString() ?? '[]')
  return [
    ...(entries.length === files.size ? [] : ['a path is in the result twice']),
    ...(entries.length === archive.good.size + 1 ? [] : [`${entries.length} entries for ${archive.good.size} images`]),
    ...faultsOfManifest(archive, manifest),
    ...(await faultsOfImages(archive, manifest, files)),
  ]
}

function faultsOfManifest(archive: Archive, manifest: readonly ManifestRow[]): readonly string[] {
  const expected = [
    ...[...archive.good.keys()].map((source) => `${source} converted`),
    ...archive.bad.map((source) => `${source} failed`),
    ...archive.skipped.map((source) => `${source} skipped`),
  ].sort()
  const manifestLines = manifest.map(({ source, status }) => `${source} ${status}`).sort()
  return JSON.stringify(manifestLines) === JSON.stringify(expected) ? [] : [`the manifest has ${manifestLines}, not ${expected}`]
}

async function faultsOfImages(
  archive: Archive,
  manifest: readonly ManifestRow[],
  files: ReadonlyMap<string, Buffer>,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const [source, width] of archive.good) {
    const output = manifest.find((row) => row.source === source)?.output ?? ''
    const file = files.get(output)
    const raster = file && (await sharp(file).raw().toBuffer({ resolveWithObject: true }))
    if (raster?.info.width !== width) faults.push(`${source} is not in the result: ${output} is ${raster?.info.width} wide`)
  }
  return faults
}
