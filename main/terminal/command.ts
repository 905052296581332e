import type { parseArgs } from 'node:util'
import type { MessageId } from '../../preload/contract/messages.ts'
import type { CommandContext } from './context.ts'
import type { options } from './input/options.ts'

type Parsed = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>
export type CommandValues = Parsed['values'] & { gateway?: string | boolean | undefined }

/** Does its work and gives the exit code. */
export type Command = (context: CommandContext, rest: string[], values: CommandValues) => Promise<number>

/**
 * The time limit of a command in seconds; or it ends when the person has answered its questions; or when it is stopped.
 */
export type CommandEnd = number | 'person' | 'stopped'

export interface CommandDefinition {
  /** Its words; HOST stands for the name of a device. */
  readonly name: string
  /** Its usage line, its summary, then the details. */
  readonly help: MessageId
  readonly end: CommandEnd
  /** An option with another time limit. */
  readonly longer?: { readonly option: 'all' | 'watch' | 'follow' | 'jobs'; readonly end: CommandEnd }
  /** Loaded on use: a list of jobs does not need the PDF, the gateway or the discovery. */
  load(): Promise<Command>
}

export interface CommandGroup {
  readonly title: MessageId
  readonly commands: readonly CommandDefinition[]
}
