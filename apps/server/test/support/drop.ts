import type { Page } from 'playwright-core'

/** Drops files and folders from the disk onto the page, like a file manager. */
export async function dropOnto(page: Page, paths: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data })
    // The page has to take the files before they are dropped: on a busy machine its answer comes later than the next event.
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  await devtools.detach()
}
