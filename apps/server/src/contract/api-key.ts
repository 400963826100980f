/**
 * The specification's format of an API key: `sk_` and 48 alphanumeric characters. Not in accounts/api-keys.ts, with which the
 * settings, read before anything is started, would load the 255 files of the database's client.
 */
export const API_KEY = /^sk_[A-Za-z0-9]{48}$/
