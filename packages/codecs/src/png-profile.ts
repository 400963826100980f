import { deflateSync, inflateSync } from 'node:zlib'
import { CHUNK_OVERHEAD, chunk, SIGNATURE_BYTES } from './png-file.ts'

/** ICC.1:2022, 7.2: where a profile says its length, version and rendering intent, of which there are four; its header. */
const LENGTH_AT = 0
const VERSION_AT = 8
const INTENT_AT = 64
const INTENTS = 4
const HEADER_BYTES = 128
const LARGEST = 16 * 1024 * 1024
/** PNG, 11.3.2.3: at most 79 bytes of a name, a zero, and the method of compression. */
const MOST_NAME_BYTES = 79
const AFTER_NAME_BYTES = 2

/**
 * The PNG with a profile that libpng accepts: it drops one whose header names no rendering intent, or a length that is not the
 * profile's or, of version 4, no multiple of 4; colour management needs none of these. Undefined for a PNG whose profile is sound, or
 * damaged, or that has none.
 */
export function withSoundProfile(file: Buffer): Buffer | undefined {
  const at = profileAt(file)
  if (at === undefined) return undefined
  const data = file.subarray(at + 8, at + 8 + file.readUInt32BE(at))
  const name = data.subarray(0, MOST_NAME_BYTES + 1).indexOf(0)
  const profile = name < 0 ? undefined : inflate(data.subarray(name + AFTER_NAME_BYTES))
  const sound = profile && soundProfile(profile)
  if (!sound) return undefined
  const soundChunk = chunk('iCCP', Buffer.concat([data.subarray(0, name + AFTER_NAME_BYTES), deflateSync(sound)]))
  return Buffer.concat([file.subarray(0, at), soundChunk, file.subarray(at + CHUNK_OVERHEAD + data.length)])
}

/** Where the chunk is: before the pixels. */
function profileAt(file: Buffer): number | undefined {
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD <= file.length; at += CHUNK_OVERHEAD + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') return undefined
    if (type === 'iCCP') return at
  }
  return undefined
}

function inflate(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: LARGEST })
  } catch {
    // Damage: libpng ignores the chunk as well.
    return undefined
  }
}

/** Undefined where nothing is to be changed, or too much is missing. */
function soundProfile(profile: Buffer): Buffer | undefined {
  if (profile.length < HEADER_BYTES) return undefined
  const ownLength = profile.readUInt32BE(LENGTH_AT)
  const hasIntent = profile.readUInt32BE(INTENT_AT) < INTENTS
  const multiple = profile.readUInt8(VERSION_AT) > 3 ? 4 : 1
  if (ownLength < HEADER_BYTES || ownLength > profile.length) return undefined
  if (hasIntent && ownLength === profile.length && ownLength % multiple === 0) return undefined
  const length = Math.ceil(ownLength / multiple) * multiple
  const sound = Buffer.alloc(length)
  profile.copy(sound, 0, 0, ownLength)
  sound.writeUInt32BE(length, LENGTH_AT)
  // Perceptual, as of most profiles.
  if (!hasIntent) sound.writeUInt32BE(0, INTENT_AT)
  return sound
}
