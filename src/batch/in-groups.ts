/**
 * Lets what comes while one group is under way wait, and go together: nothing is late when there is little to do, and
 * little is said when there is much. Each caller gets its own answer, or the error of its group.
 * @param gather is awaited before a group goes, to let more come; it is told how many there are
 */
export function inGroups<Item, Answer>(
  send: (group: readonly Item[]) => Promise<readonly Answer[]>,
  gather: (waiting: number) => Promise<void> | undefined = () => undefined,
): (item: Item) => Promise<Answer | undefined> {
  let waiting: { readonly item: Item; readonly call: PromiseWithResolvers<Answer | undefined> }[] = []
  let sending = false

  async function sendAll(): Promise<void> {
    sending = true
    while (waiting.length > 0) {
      // Not awaited where there is nothing to wait for: the first goes in the same turn.
      const more = gather(waiting.length)
      if (more) await more
      const group = waiting
      waiting = []
      try {
        const answers = await send(group.map(({ item }) => item))
        for (const [nth, { call }] of group.entries()) call.resolve(answers[nth])
      } catch (error) {
        for (const { call } of group) call.reject(error)
      }
    }
    sending = false
  }
  return (item) => {
    const call = Promise.withResolvers<Answer | undefined>()
    waiting.push({ item, call })
    if (!sending) void sendAll()
    return call.promise
  }
}
