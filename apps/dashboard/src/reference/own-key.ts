/** The key in the storage of the session, which ends with the tab: a key of the API is as good as a password. */
const KEY = 'api-key'

const VARIABLE = /\$PIXELMILL_KEY|\$\{process\.env\.PIXELMILL_KEY\}|\{os\.environ\['PIXELMILL_KEY'\]\}/g

/** The reader's API key, if one was given in this tab. */
export function ownKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a key for this tab, or forgets it. */
export function keepKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, key)
  } catch {
    // Without storage the key lasts as long as the page.
  }
}

/** Puts a key in place of the variable. */
export const withKey = (code: string, key: string): string =>
  code
    .replaceAll(VARIABLE, key)
    .replaceAll(/f"(Bearer sk_[^"{]*)"/g, '"$1"')
    .replaceAll(/`(Bearer sk_[^`$]*)`/g, "'$1'")
    .replaceAll(/sk_…/g, key)
