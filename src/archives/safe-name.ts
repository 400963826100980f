/** What Windows takes in no name; and the marks that turn the direction of a text, so that it reads otherwise than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const FORBIDDEN = /[<>:"|?*\\/\0-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Device names of Windows, with any extension behind them. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i

/** Bytes of a name without its extension: 255 less what `-1000` and the longest extension take. */
const LONGEST_NAME_BYTES = 240

/**
 * A name that Windows, macOS and Linux all take, and show alike: in Unicode's form C, at most 240 bytes long, never empty,
 * `.` or `..`.
 */
export function safeName(name: string): string {
  const clean = shortened(name.normalize('NFC').replace(FORBIDDEN, '_')).replace(/[. ]+$/, '')
  if (clean === '') return '_'
  return DEVICE.test(clean) ? `_${clean}` : clean
}

/** Cut between two characters. */
function shortened(name: string): string {
  let [bytes, end] = [0, 0]
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > LONGEST_NAME_BYTES) return name.slice(0, end)
    end += character.length
  }
  return name
}
