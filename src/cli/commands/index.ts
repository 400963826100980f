import type { Command } from 'commander'
import { convert } from './convert.ts'
import { info } from './info.ts'
import { backup, move, resetPassword } from './operator.ts'
import { health, serve } from './server.ts'
import { shard } from './shard.ts'

/**
 * Every command, in the order of the help. To add one, write a function that declares it and add its row. What a command does is
 * imported when it runs: to declare all of them takes a few milliseconds.
 */
export const commands: readonly ((program: Command) => void)[] = [
  serve,
  convert,
  info,
  shard,
  health,
  backup,
  move,
  resetPassword,
]
