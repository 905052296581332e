import fs from 'node:fs'
import path from 'node:path'
import { deviceProfile, mostProfileBytes, type DeviceProfile } from '../../../preload/contract/device/deviceProfiles.ts'
import type { PolicyKey, PolicyProblem } from '../../../preload/contract/app/policy.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage, type Message } from '../../../preload/contract/messages.ts'
import { mostFileBytes, type Template } from '../../../preload/contract/job/templates.ts'
import { checkTemplate } from '../../job/jobs/checklists/checkTemplate.ts'
import { readHandedJson } from '../../job/jobs/checklists/readTemplateFile.ts'
import type { Shipped } from '../../job/jobs/checklists/shipped.ts'
import { shippedOrderNames } from '../../job/jobs/checklists/templates.ts'
import { listLanguages } from '../../base/messages/catalogue.ts'
import { createTexts } from '../../base/messages/texts.ts'
import type { Policy } from '../policy/policy.ts'
import { sha256Hex } from '../../data/store/jobs/seal.ts'
import { readProfileFile } from '../../support/deviceSession/deviceProfiles/fileForm.ts'
import { withoutMark } from '../../../preload/base/messages/utf8.ts'

/** A folder of more files is a mistake of the policy, and reading it would delay each start. */
const mostFiles = 200

export interface CompanyFiles {
  /** The policy without values that this computer cannot follow, and with a problem for each of them. */
  policy: Policy
  templates: ReadonlyMap<string, Template>
  deviceProfiles: readonly DeviceProfile[]
}

/**
 * What a policy names outside of its own file: checklists, device profiles, the check profile, languages. Whatever
 * cannot be read is a problem of the policy and is left out; the rest applies, so that nobody is kept from working.
 */
export function readCompanyFiles(policy: Policy, shipped: Shipped): CompanyFiles {
  if (!policy.isThere) return { policy, templates: new Map(), deviceProfiles: [] }
  const values = { ...policy.values }
  const problems: PolicyProblem[] = []
  const add = (key: PolicyKey, sentence: Message): void =>
    void problems.push({ line: policy.lines.get(key) ?? 1, key, sentence })
  const ignore = (key: 'work.profile' | 'reading.language' | 'reading.languages', value: string): void => {
    add(key, message('policy.wrongValue', { key, value }))
    delete values[key]
  }
  const { 'work.profile': profile, 'reading.language': language, 'reading.languages': languages } = values
  const known = listLanguages()
  if (profile !== undefined && !shipped.profiles.has(profile)) ignore('work.profile', profile)
  if (language !== undefined && !known.includes(language)) ignore('reading.language', language)
  if (languages?.every((one) => !known.includes(one))) ignore('reading.languages', languages.join(', '))
  else if (languages) values['reading.languages'] = languages.filter((one) => known.includes(one))

  const templates = new Map<string, Template>()
  const checklists = filesOf('checklists.files', mostFileBytes)
  if (checklists.length > 0) {
    // Only then: most commands need none of the built-in checklists, which the others are compared with.
    const ground = {
      profile: shipped.standardProfile,
      hasText: createTexts({ language: 'en' }).has,
      orderNames: shippedOrderNames(shipped)
    }
    for (const { name, text } of checklists) {
      try {
        const { template, findings } = checkTemplate(readHandedJson(text), ground)
        if (template) templates.set(template.id, template)
        else
          add(
            'checklists.files',
            message('policy.fileNotRead', {
              file: name,
              why: findings.find(({ level }) => level === 'error')?.what ?? ''
            })
          )
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        add('checklists.files', message('policy.fileNotRead', { file: name, why: error.sentence }))
      }
    }
  }
  const deviceProfiles: DeviceProfile[] = []
  for (const { name, text } of filesOf('deviceProfiles.files', mostProfileBytes)) {
    const read = readProfileFile(text)
    if (read.outcome === 'refused')
      add('deviceProfiles.files', message('policy.fileNotRead', { file: name, why: read.why }))
    else {
      const { name: title, savedAt, savedBy, from, settings } = read.file
      deviceProfiles.push(
        deviceProfile.parse({
          id: idOf(text),
          name: title,
          savedAt,
          savedBy,
          from: { ...from, vehicle: null },
          settings
        })
      )
    }
  }
  return {
    policy:
      problems.length === 0 && languages === values['reading.languages']
        ? policy
        : { ...policy, values, problems: [...policy.problems, ...problems] },
    templates,
    deviceProfiles
  }

  /** The files of a key: each name is a file or a folder of files, relative to the policy. */
  function filesOf(
    key: 'checklists.files' | 'deviceProfiles.files',
    mostBytes: number
  ): { name: string; text: string }[] {
    const files: { name: string; text: string }[] = []
    for (const named of values[key] ?? []) {
      const place = path.resolve(path.dirname(policy.file), named)
      try {
        const all = fs.statSync(place).isDirectory()
          ? fs
              .readdirSync(place)
              .filter((name) => name.endsWith('.json'))
              .sort()
              .map((name) => path.join(place, name))
          : [place]
        if (all.length > mostFiles)
          add(
            key,
            message('policy.fileNotRead', { file: named, why: message('policy.tooManyFiles', { most: mostFiles }) })
          )
        for (const file of all.slice(0, mostFiles)) {
          // One more byte, so that the reader of the file says that it is too large.
          if (fs.statSync(file).size > mostBytes)
            add(
              key,
              message('policy.fileNotRead', {
                file: path.basename(file),
                why: message('policy.tooLarge', { mostBytes })
              })
            )
          else files.push({ name: path.basename(file), text: withoutMark(fs.readFileSync(file, 'utf8')) })
        }
      } catch (error) {
        add(
          key,
          message('policy.fileNotRead', { file: named, why: plainMessage((error as NodeJS.ErrnoException).message) })
        )
      }
    }
    return files
  }
}

/** The same file has the same id at each start, as a UUID. */
function idOf(text: string): string {
  const hash = sha256Hex(text)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** The built-in checklists with those of the company, which take the place of built-in ones with the same id. */
export function withCompanyTemplates(shipped: Shipped, templates: ReadonlyMap<string, Template>): Shipped {
  if (templates.size === 0) return shipped
  let all: Map<string, Template> | undefined
  return {
    profiles: shipped.profiles,
    standardProfile: shipped.standardProfile,
    get templates() {
      return (all ??= new Map([...shipped.templates, ...templates]))
    }
  }
}
