import { join } from 'node:path'
import sharp from 'sharp'

/** An icon of 64 × 64 pixels: so cheap to render that nearly all of its cost is the service around it. */
export async function writeSmallPng(source: string, folder: string): Promise<string> {
  const file = join(folder, 'icon.png')
  await sharp(source).resize(64, 64).png().toFile(file)
  return file
}
