/** The first match counts: user agents also contain the names of later ones. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+.* Safari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
] as const

/** The user agent of a program that is not a browser: `curl/8.14.1`. */
const PRODUCT = /^[\w.-]{1,40}/

type Names = readonly (readonly [pattern: RegExp, name: string])[]

const nameIn = (names: Names, text: string): string | undefined => names.find(([pattern]) => pattern.test(text))?.[1]

/** Program and system from a user agent: "Firefox on Linux", "curl". It may contain anything. */
export function shownProgram(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program'
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser) return system ? `${browser} on ${system}` : browser
  return PRODUCT.exec(userAgent)?.[0] ?? 'Unknown program'
}
