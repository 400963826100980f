import { type Command, InvalidArgumentError } from 'commander'
import { withServer } from './server-package.ts'

export function backup(program: Command): void {
  program
    .command('backup')
    .description('back up the embedded database, and with --files the files, beside a running server')
    .argument('<folder>', 'where backups are kept')
    .option('--files', 'back up the files of batches too', false)
    .option('--keep <n>', 'remove all backups but the newest ones', wholeFromOne)
    .action((folder: string, { files, keep }: { readonly files: boolean; readonly keep?: number }) =>
      withServer(async (commands) => {
        process.exitCode = await commands.backup({ folder, files, keep })
      }),
    )
}

export function move(program: Command): void {
  program
    .command('move')
    .description('move an installation from DATA_DIR to DATABASE_URL, S3_BUCKET or both, as they are set')
    .action(() =>
      withServer(async (commands) => {
        process.exitCode = await commands.move()
      }),
    )
}

export function resetPassword(program: Command): void {
  program
    .command('reset-password')
    .description("set a new password for an account, print it once, and end the account's sessions")
    .argument('<email>', 'the address of the account')
    .option('--administrator', 'also make it an enabled administrator', false)
    .action((words: string, { administrator }: { readonly administrator: boolean }) =>
      withServer(async (commands) => {
        process.exitCode = await commands.resetPassword({ typed: words, administrator })
      }),
    )
}

function wholeFromOne(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}
