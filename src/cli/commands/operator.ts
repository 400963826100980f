import { type Command, InvalidArgumentError } from 'commander'
import type { OperatorAction } from '../../operator/run-command.ts'

export function backup(program: Command): void {
  program
    .command('backup')
    .description('back up the embedded database, and with --files the files, beside a running server')
    .argument('<folder>', 'where backups are kept')
    .option('--files', 'back up the files of batches too', false)
    .option('--keep <n>', 'remove all backups but the newest ones', wholeFromOne)
    .action(async (folder: string, { files, keep }: { readonly files: boolean; readonly keep?: number }) =>
      run((await import('../../operator/backup/backup.ts')).backup, { folder, files, keep }),
    )
}

export function move(program: Command): void {
  program
    .command('move')
    .description('move an installation from DATA_DIR to DATABASE_URL, S3_BUCKET or both, as they are set')
    .action(async () => run((await import('../../operator/move/move.ts')).move, undefined))
}

export function resetPassword(program: Command): void {
  program
    .command('reset-password')
    .description("set a new password for an account, print it once, and end the account's sessions")
    .argument('<email>', 'the address of the account')
    .option('--administrator', 'also make it an enabled administrator', false)
    .action(async (typed: string, { administrator }: { readonly administrator: boolean }) =>
      run((await import('../../operator/reset-password.ts')).resetPassword, { typed, administrator }),
    )
}

async function run<Options>(action: OperatorAction<Options>, options: Options): Promise<void> {
  const { runOperator } = await import('../../operator/run-command.ts')
  process.exitCode = await runOperator(action, options)
}

function wholeFromOne(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}
