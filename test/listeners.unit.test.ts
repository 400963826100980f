import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/**
 * Every timer and listener of the server, and what an exception in it does. None of them ends the process: whatever the listener does
 * not handle itself is logged and counted by outliveExceptions of apps/server/src/serve.ts, which apps/server/test/uncaught.test.ts tries on a running server.
 */
type Outcome =
  /** Its only work is to settle a promise, or to abort a signal, for those who wait: there is nothing in it that throws. */
  | 'settles'
  /** It sets, counts, clears or ends something, and calls nothing that may throw. */
  | 'plain'
  /** It catches what it throws, reports it, and goes on with its other entries; a timer comes again. */
  | 'caught'
  /** It belongs to one request or connection, which is broken off by its own time limit. outliveExceptions reports the exception. */
  | 'of a request'
  /** It belongs to the process. outliveExceptions reports the exception, and the next event or tick is handled as usual. */
  | 'uncaught'
  /** It runs before the start is complete, while the process stops, or in another process or thread, which alone ends. */
  | 'elsewhere'

const table: Readonly<Record<string, Readonly<Partial<Record<Outcome, readonly string[]>>>>> = {
  'ai/ask-model.ts': { settles: ['late.abort('] },
  'batch/batch-events.ts': { caught: ['void poll()'] },
  'batch/record-results.ts': { settles: ['GATHER_MS'] },
  'batch/worker.ts': { caught: ['this.#renewOrReport()'] },
  'billing/checkout.ts': { settles: ['reject('] },
  'bucket/blob-store.ts': { plain: ["'error', () => {}"] },
  'blobs/bucket/bucket-store.ts': { settles: ['CHECK_MS'] },
  'jxl/engine.ts': { elsewhere: ["process.on('worker'"] },
  'concurrency/auto-reset-event.ts': { settles: ['resolve, ms'] },
  'concurrency/fair-queue.ts': { settles: ["'abort', leave"] },
  'concurrency/travel-together.ts': { plain: ['const lateness'] },
  'dashboard-build.ts': { plain: ['stderr +='] },
  'database/database.ts': { plain: ["'error', () => {}"], uncaught: ["pool.on('connect'"] },
  'database/embedded/launch.ts': { plain: ["'error', () => {}"] },
  'database/embedded/postmaster.ts': { settles: ["once('error'"], uncaught: ["on('line'", "once('close'"] },
  'database/embedded/run.ts': { plain: ["on('data', collect)"], settles: ["once('error'", "once('close'"] },
  'database/pool-times.ts': { plain: ["on('acquire'", "on('release'"] },
  'database/single-holder.ts': { elsewhere: ["once('error'", "once('connect'"] },
  'database/unavailable.ts': { plain: ['socketErrors.add'] },
  'delivery/source-changes.ts': { caught: ['setInterval('] },
  'delivery/one-render.ts': { settles: ["'abort', leave"] },
  'delivery/refinement.ts': { caught: ['setTimeout('] },
  'delivery/usage.ts': { caught: ['void write()'] },
  'http/app.ts': {
    'of a request': ['idle.begin(socket)', "gone.signal.addEventListener('abort'", 'app.routing(', "on('connect'"],
    uncaught: ["on('connection'"],
  },
  'delivery/routes/cached-answers.ts': {
    settles: ['goneController.abort('],
    'of a request': ["server.on('request'", 'idle.begin(socket)'],
  },
  'http/connections.ts': {
    plain: [
      'destroy, ',
      "on('end', destroy)",
      'removeEventListener(',
      'closingSeconds * 1000)',
      'open.delete(socket)',
      'busy.delete(socket)',
      'server.on(event, follow)',
      'socket.destroy(), ',
      'clearTimeout(timer)',
    ],
    caught: ['setInterval(closeOldest'],
    uncaught: ["server.on('connection'"],
    'of a request': [
      "on('data', discard)",
      "'close', () => {",
      "'abort', shorten",
      'takeOver)',
      'leave(network',
      '1000, () => {',
    ],
  },
  'http/event-stream.ts': { 'of a request': ['setInterval(', 'once(event, close)'] },
  'http/form-parts.ts': {
    plain: ["stream.on('data'"],
    settles: ['refuse(', 'this.#refuse('],
    'of a request': ["stream.on('end'", "parser.on('field'", "parser.on('file'"],
  },
  'http/image-json/read.ts': { settles: ["once('error', stop)", 'onAbort'], caught: ['onData', 'onEnd'], plain: ['resume()'] },
  'http/incoming-file.ts': { settles: ['endedController.abort('], plain: ["'abort', limit"] },
  'http/read-body.ts': { settles: ['stop', 'onAbort', 'onLate'], plain: ["on('data', onData)", 'check, CHECK_MS'] },
  'http/read-form.ts': { plain: ["request.on('data'", 'chunks.push(chunk)'], settles: ["'abort', end", "'finish', end"] },
  'http/request-state.ts': {
    plain: ['raw.destroy(), seconds', 'clearTimeout(timer)'],
    'of a request': ["answer.once('close', () => {", 'answer.destroy()', "'abort', end", 'recordNow'],
  },
  'http/unrouted.ts': { plain: ['socket.destroy()'] },
  'idle-memory.ts': { uncaught: ['setInterval(', 'setTimeout('] },
  'library/source.ts': { settles: ["'abort', abort"] },
  'listen.ts': { elsewhere: ['closeAllConnections()'] },
  'log.ts': { plain: ["'error', () => {}"] },
  'main.ts': { elsewhere: ['process.on(signal', 'setTimeout('] },
  'metering/instance.ts': { uncaught: ["client.on('error'", "client.once('end'"] },
  'metering/unsent-answers.ts': { caught: ['setTimeout(forget'] },
  'metering/usage-log.ts': { caught: ['void flush()'] },
  'models/watched-model.ts': { settles: ["'abort', abort"] },
  'outbound/own-answer.ts': { elsewhere: ["on('data'", "once('end'", "once('error'"] },
  'outbound/send.ts': { settles: ['controller.abort(', 'onAbort'] },
  'provenance/signer.ts': { plain: ['IDLE_MS'] },
  'provenance/signing-thread.ts': { elsewhere: ["on('message'"] },
  'rendering/external-program.ts': { plain: ['kill, PATIENCE_MS'] },
  'rendering/lane.ts': { uncaught: ['this.dispatch()'] },
  'rendering/pool.ts': { settles: ["'abort', leave"] },
  'rendering/protocol.ts': { caught: ["socket.on('data'"] },
  'rendering/renderer-process.ts': {
    plain: ["'error', () => {}", "on('data'", "on('error'", 'closePipes'],
    settles: ['end(new RendererEnd', "once('close'"],
  },
  'rendering/sandbox/processes.ts': { plain: ["on('data'"], settles: ["once('error'", "once('close'"], uncaught: ['FOLLOW_MS'] },
  'rendering/sandbox/early-renderers.ts': { plain: ["'error', () => {}"] },
  'rendering/sandbox/spawn.ts': { plain: ['uploads?.close()', 'wire.end()'], settles: ['resolve('] },
  'rendering/time-limit.ts': { uncaught: ['setTimeout(look'] },
  'rendering/worker.ts': { settles: ["this.#kill('abandoned')", "'abort', this.#abandon"], uncaught: ['resting = '] },
  'ai/routes/recommend.ts': { settles: ['late.abort('] },
  'batch/routes/events.ts': { 'of a request': ['events.end'] },
  'serve.ts': { plain: ['report)'] },
  'scheduler.ts': { caught: ['setInterval('] },
  'uploads/received.ts': { settles: ['finish', 'onAbort'], 'of a request': ['onData'] },
  'uploads/transfers.ts': { caught: ['look().catch('] },
}

const root = join(import.meta.dirname, '..')
const BEGINS =
  /\.(?:on|once|addListener|prependListener)\(|\b(?:set(?:Interval|Timeout)|queueMicrotask)\(|addEventListener\(|nextTick\(|setImmediate\(\(/

/** What a server runs: of the command's package only what both share. */
const LOADED = [
  'packages/{codecs,vision,engine}/src/**/*.ts',
  'packages/cli/src/{agent-tools,bucket,settings}/**/*.ts',
  'apps/server/src/**/*.ts',
  'apps/dashboard/dashboard-build.ts',
]

/** Lines that start a timer or add a listener, of the files that a server loads. */
const beginnings = globSync(LOADED, { cwd: root, exclude: ['apps/server/src/operator/**', 'apps/server/src/*/test/**'] }).flatMap(
  (path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .filter((line) => BEGINS.test(line) && !/^\s*(?:\/\/|\*|import )/.test(line))
      .map((line) => ({ file: path.replace(/^.*?\/(src\/|(?=dashboard-build))/, ''), line: line.trim() })),
)

test('of every timer and listener it is said what an exception in it does', () => {
  assert.ok(beginnings.length > 100)
  const unsaid = beginnings.filter(
    ({ file, line }) => !Object.values(table[file] ?? {}).some((parts) => parts.some((part) => line.includes(part))),
  )
  assert.deepEqual(unsaid, [])
})

test('the table names nothing that there is no more', () => {
  const rows = Object.entries(table).flatMap(([file, outcomes]) =>
    Object.values(outcomes).flatMap((parts) => parts.map((part) => ({ file, part }))),
  )
  const obsolete = rows.filter(({ file, part }) => !beginnings.some((one) => one.file === file && one.line.includes(part)))
  assert.deepEqual(obsolete, [])
})
