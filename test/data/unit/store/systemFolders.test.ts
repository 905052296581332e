import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  programDataFolder,
  windowsFolder,
  type WindowsAnswers
} from '../../../../main/data/store/file/systemFolders.ts'

afterEach(() => void vi.unstubAllEnvs())

const missing = (): never => {
  throw new Error('ENOENT')
}

function answers(
  links: Record<string, string>,
  registry: () => string = missing
): WindowsAnswers & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    realPath: (path) => links[path] ?? missing(),
    run(program, args) {
      asked.push(`${program} ${args.join(' ')}`)
      return registry()
    }
  }
}

const kernel = '\\\\?\\GLOBALROOT\\SystemRoot'
const value = (text: string) => () =>
  `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList\r\n    ProgramData    REG_EXPAND_SZ    ${text}\r\n\r\n`

describe('the folder of data for all users of Windows', () => {
  it('is what the system names: the link beside the profiles, then the registry, then the usual place on the drive of Windows', () => {
    for (const name of ['ProgramData', 'ALLUSERSPROFILE', 'SystemDrive', 'SystemRoot', 'windir', 'USERPROFILE', 'PATH'])
      vi.stubEnv(name, 'D:\\Mine')
    const linked = answers({ [kernel]: 'F:\\Windows', 'F:\\Users\\All Users': 'F:\\ProgramData' })
    expect([programDataFolder(linked), linked.asked]).toEqual(['F:\\ProgramData', []])
    const registered = answers({ [kernel]: 'F:\\Windows' }, value('%SystemDrive%\\Shared Data'))
    expect(programDataFolder(registered)).toBe('F:\\Shared Data')
    expect(registered.asked).toEqual([
      'F:\\Windows\\System32\\reg.exe query HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList /v ProgramData'
    ])
    for (const strange of [missing, value('%Mine%\\Data'), value('\\\\server\\share'), () => '', () => '\0'])
      expect(programDataFolder(answers({ [kernel]: 'F:\\Windows' }, strange))).toBe('F:\\ProgramData')
    expect([programDataFolder(answers({})), windowsFolder(answers({}))]).toEqual(['C:\\ProgramData', 'C:\\Windows'])
    expect(windowsFolder(answers({ [kernel]: '\\\\?\\Volume{1}\\Windows' }))).toBe('C:\\Windows')
  })
})

it('no other place of the program asks the environment where the system’s folders are', () => {
  const main = join(import.meta.dirname, '..', '..', '..', '..', 'main')
  const asking = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      /\b(ProgramData|SystemRoot|SystemDrive|windir|ALLUSERSPROFILE)['"\]]|env\.(ProgramData|SystemRoot|windir)/i.test(
        readFileSync(join(main, name), 'utf8').replaceAll(/%?\w+%|GLOBALROOT\\\\SystemRoot/g, '')
      )
  )
  expect(asking.filter((name) => !name.endsWith('systemFolders.ts'))).toEqual([])
})
