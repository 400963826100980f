/** The builder with a picture of a source. @param path not encoded */
export const builderAddress = (source: string, path: string): string => `/edit/resize?${new URLSearchParams({ source, path })}`
