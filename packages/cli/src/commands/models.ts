import { maskPresetNames } from '@pixelmill/vision/inference/mask-presets'
import { type Command, Option } from 'commander'
import type { AddOptions } from '../models/ordered-model.ts'
import { runCommand } from './run.ts'

const ADD = `
Examples:
  pixelmill models add isnet-general-use
  pixelmill models add u2netp --from https://mirror.example.com/u2netp.onnx
  pixelmill models add https://example.com/cut.onnx --sha256 0f3c... --preset isnet-general-use
  pixelmill models add ./cut.onnx

A file is used only if it has the expected SHA-256. It goes into DATA_DIR/models, with ONNX Runtime. docs/background.md says more.`

export function models(program: Command): void {
  const command = program.command('models').description('add, list and remove models that remove backgrounds').helpCommand(false)
  const add = command
    .command('add')
    .description('fetch a model and its runtime, try it, and use it from then on')
    .argument('<model>', 'a name of `pixelmill models list`, an https URL, or a file')
    .option('--from <place>', 'another URL, or a file, of a model that is named')
    .option('--sha256 <digits>', 'the hash that the file of a URL must have')
    .option('--name <name>', 'its name from then on; by default that of the file')
    .addOption(
      new Option('--preset <preset>', "how its input is prepared; by default by the file's name").choices(maskPresetNames),
    )
    .option('--allow-http', 'take an http URL too')
    .addHelpText('after', ADD)
    .action((model: string, options: AddOptions) =>
      runCommand(add, async () => (await import('../models/add-model.ts')).addModel(model, options)),
    )
  const list = command
    .command('list')
    .description('say which models are installed, and which can be added by name')
    .action(() => runCommand(list, async () => (await import('../models/list-models.ts')).listModels()))
  const remove = command
    .command('remove')
    .description('remove a model from DATA_DIR')
    .argument('<name>', 'as the list has it')
    .action((name: string) => runCommand(remove, async () => (await import('../models/remove-model.ts')).removeModel(name)))
}
