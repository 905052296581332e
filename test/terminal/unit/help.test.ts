import { expect, test } from 'vitest'
import { commandGroups, endOf, findCommand } from '../../../main/terminal/commands/index.ts'
import { helpOf, commandOverview } from '../../../main/terminal/output/help.ts'

const commands = commandGroups.flatMap((group) => group.commands)

test.for([
  ['en', /^ {2}(Ends within \d+ (s|min|h)\.|Waits for a person’s answers, .*|Runs until you stop it with Ctrl\+C\.)$/m],
  [
    'es',
    /^ {2}(Termina en \d+ (s|min|h) como máximo\.|Espera las respuestas de una persona, .*|Funciona hasta que usted la detiene con Ctrl\+C\.)$/m
  ]
] as const)(
  'the help of every command says how it is called, what it does and when it ends: %s',
  async ([language, ending]) => {
    for (const { name } of commands) {
      const help = (await helpOf(name.split(' '), language))?.split('\n\n')[0] ?? ''
      expect(help, name).toMatch(new RegExp(`^${name} ?`))
      expect(help, name).toMatch(ending)
      expect(help, name).not.toContain('terminalHelp.')
      expect(commandOverview(language), name).toMatch(new RegExp(`^ {2}${name} {2,}\\p{Lu}.*[^.]$`, 'mu'))
    }
  }
)

test('help names all commands with the same first word, and none for another word', async () => {
  expect((await helpOf(['gateway'], 'en'))?.split('\n\n')).toHaveLength(5)
  expect(await helpOf(['snapshot', 'diff'], 'en')).toMatch(/^snapshot diff FILE FILE/)
  expect(await helpOf(['nothing'], 'en')).toBeUndefined()
})

test('a command line is limited like the command that it calls', () => {
  const limitOf = (words: string[], values = {}) => {
    const found = findCommand(words)
    return found && endOf(found, values)
  }
  expect(limitOf(['gateway', 'call', 'vehicles.list'])).toBe(30)
  expect(limitOf(['gateway', 'call', 'vehicles.list'], { all: true })).toBe(3_600)
  expect(limitOf(['discover'])).toBe(30)
  expect(limitOf(['discover'], { watch: true })).toBe('stopped')
  expect(limitOf(['device', '192.0.2.1', 'call', 'io.read'])).toBe(120)
  expect(limitOf(['snapshot', '192.0.2.1'])).toBe(30)
  expect(limitOf(['gateway', 'nonsense'])).toBe(30)
  expect(limitOf(['nonsense'])).toBeUndefined()
})

test('every command can be loaded', async () => {
  for (const { name, load } of commands) expect(await load(), name).toBeTypeOf('function')
})
