export const ms = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
export const ratio = (value: number) => value.toFixed(2)
export const perSecond = (value: number) => value.toFixed(1)
export const megabytes = (value: number) => value.toFixed(0)
export const percent = (share: number) => `${(100 * share).toFixed(0)} %`
export const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
