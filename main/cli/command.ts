import type { parseArgs } from 'node:util'
import type { CommandContext } from './context.ts'
import type { options } from './input/options.ts'

type Parsed = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>
export type CommandValues = Parsed['values'] & { gateway?: string | boolean | undefined }

/** Does its work and gives the exit code. */
export type Command = (context: CommandContext, rest: string[], values: CommandValues) => Promise<number>
