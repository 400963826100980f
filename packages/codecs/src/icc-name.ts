/** Bytes of a profile's header, and of an entry of its tag table (ICC.1:2022, 7.2 and 7.3). */
const HEADER_BYTES = 128
const ENTRY_BYTES = 12
/** Profiles have about twenty tags. */
const MOST_TAGS = 200
const MOST_CHARACTERS = 200

/** The name of an ICC profile, such as `Display P3`: its tag `desc`. Undefined where it has none, or is damaged. */
export function iccName(profile: Buffer): string | undefined {
  const tag = descriptionIn(profile)
  const name = tag && (textOf(tag) ?? firstLocalised(tag))
  const printable = name
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS)
  return printable || undefined
}

function descriptionIn(profile: Buffer): Buffer | undefined {
  if (profile.length < HEADER_BYTES + 4) return undefined
  const count = Math.min(profile.readUInt32BE(HEADER_BYTES), MOST_TAGS)
  for (
    let at = HEADER_BYTES + 4;
    at + ENTRY_BYTES <= profile.length && at < HEADER_BYTES + 4 + count * ENTRY_BYTES;
    at += ENTRY_BYTES
  ) {
    if (profile.toString('latin1', at, at + 4) !== 'desc') continue
    const offset = profile.readUInt32BE(at + 4)
    const length = profile.readUInt32BE(at + 8)
    return profile.subarray(offset, offset + length)
  }
  return undefined
}

/** Of version 2: textDescriptionType (ICC.1:2001-04, 6.5.17), whose ASCII text follows its length. */
function textOf(tag: Buffer): string | undefined {
  if (tag.toString('latin1', 0, 4) !== 'desc' || tag.length < 12) return undefined
  return tag.toString('latin1', 12, 12 + Math.min(tag.readUInt32BE(8), MOST_CHARACTERS)).replace(/\0.*$/s, '')
}

/** Of version 4: multiLocalizedUnicodeType (ICC.1:2022, 10.15), whose first record is taken. */
function firstLocalised(tag: Buffer): string | undefined {
  if (tag.toString('latin1', 0, 4) !== 'mluc' || tag.length < 28) return undefined
  const length = tag.readUInt32BE(20)
  const offset = tag.readUInt32BE(24)
  const text = Buffer.from(tag.subarray(offset, offset + Math.min(length, 2 * MOST_CHARACTERS)))
  return text.length % 2 === 0 ? text.swap16().toString('utf16le') : undefined
}
