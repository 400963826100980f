import assert from 'node:assert/strict'
import type { CDPSession, Page } from 'playwright-core'

/** A drop that the page did not take is tried again at most this often. */
const MOST_TRIES = 10

/** Drops files and folders from the disk onto the page, like a file manager. */
export async function dropOnto(page: Page, paths: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await page.evaluate(
    `window.addEventListener('drop', () => { document.documentElement.dataset.dropped = 'yes' }, { once: true })`,
  )
  let tries = 0
  do {
    assert.ok(tries++ < MOST_TRIES, 'the page does not take the files')
    await dragAndDrop(page, devtools, paths)
  } while (!(await isDropped(page)))
  await devtools.detach()
}

/** A browser that has not yet heard from the page that it takes the files turns the drop into a leave. */
async function dragAndDrop(page: Page, devtools: CDPSession, paths: readonly string[]): Promise<void> {
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data })
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

/** Waits some frames: the event may come after the answer to its command. */
const isDropped = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`new Promise((resolve) => {
    let frames = 0
    const look = () => {
      const { dropped } = document.documentElement.dataset
      if (dropped || ++frames === 60) {
        delete document.documentElement.dataset.dropped
        resolve(dropped === 'yes')
      } else requestAnimationFrame(look)
    }
    look()
  })`)
