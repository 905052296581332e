import { ESLint } from 'eslint'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

/** The code of every delivered file, without its comments. */
let sources: ReadonlyMap<string, string>
beforeAll(() => {
  sources = new Map(
    ['main', 'preload', 'renderer', 'simulator'].flatMap((top) =>
      readdirSync(join(projectFolder, top), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(ts|vue|js)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .map(
          (path) =>
            [
              relative(projectFolder, path).replaceAll('\\', '/'),
              readFileSync(path, 'utf8').replace(/^\s*(\/\/|\*|\/\*\*?).*$/gm, '')
            ] as const
        )
    )
  )
})

/** The files whose code matches, in alphabetical order. */
function whoHas(pattern: RegExp): string[] {
  return [...sources]
    .filter(([, code]) => pattern.test(code))
    .map(([path]) => path)
    .sort()
}

it('the sources are all read', () => {
  expect(sources.size).toBeGreaterThan(500)
  expect(sources.has('main/app/electron/ipc.ts')).toBe(true)
})

describe('each door has one file', () => {
  it.each<[what: string, pattern: RegExp, files: string[]]>([
    ['calls from the window (ipcMain)', /\bipcMain\.\w/, ['main/app/electron/ipc.ts']],
    [
      'the import of ipcMain, which goes to the router',
      /import \{[^}]*\bipcMain\b[^}]*\} from 'electron'/,
      ['main/app/electron/desktop.ts']
    ],
    [
      'calls to the core (ipcRenderer) and the object of the page (contextBridge)',
      /\b(ipcRenderer|contextBridge)\b/,
      ['preload/index.ts']
    ],
    ['a window', /new BrowserWindow\b|\bBaseWindow\b/, ['main/app/electron/window.ts']],
    [
      'other programs by an address (openExternal): mail only',
      /\bopenExternal\b/,
      ['main/app/electron/desktopFiles.ts']
    ],
    ['other programs by a file (openPath)', /\bopenPath\b/, ['main/app/electron/desktop.ts']],
    ['permissions', /\bsetPermission\w*Handler\b|\bsetDevicePermissionHandler\b/, ['main/app/electron/permissions.ts']],
    [
      'the protocol of the page',
      /\bprotocol\.handle\b|\bregisterSchemesAsPrivileged\b/,
      ['main/app/electron/protocol.ts']
    ],
    [
      'the policy of every reply',
      /Content-Security-Policy/i,
      ['main/base/page/contentSecurityPolicy.ts', 'main/job/reports/sealPage.ts']
    ],
    [
      'programs (child_process)',
      /\bchild_process\b/,
      [
        'main/app/browserHost/systemOpener.ts',
        'main/data/store/file/systemFolders.ts',
        'main/device/discovery/systemProgram.ts'
      ]
    ],
    ['the keychain', /['"]keytar['"]/, ['main/base/secrets/keychain.ts']],
    [
      'HTTP to gateways and devices (axios)',
      /from 'axios'/,
      ['main/device/client/transport.ts', 'main/gateway/client/transport/transport.ts']
    ]
  ])('%s', (_what, pattern, files) => expect(whoHas(pattern)).toEqual(files))
})

describe('each rule has one home', () => {
  it.each<[what: string, pattern: RegExp, files: string[]]>([
    ['a cell of a CSV file', /\bquoteCell\b/, ['preload/base/messages/csvFile.ts']],
    ['the mark of a CSV file', /`\\ufeff|'\\ufeff' ?\+|csvMark =/i, ['preload/base/messages/csvFile.ts']],
    ['the text of UTF-8 bytes', /fatal: true/, ['preload/base/messages/utf8.ts']],
    ['a text without its mark', /\^\\ufeff\/|startsWith\('\\ufeff'\)/i, []],
    ['more changes than a hand makes', /\bchatter(Changes|WithinMs) =/, ['preload/base/signals/chatter.ts']],
    ['a web page in place of an answer', /!doctype\\s/, ['main/base/reading/markup.ts']],
    ['the number of the SIM in use', /\? 'eSIM_ID' : 'SIM_ID'/, ['main/device/client/radio/mobileNetwork.ts']],
    ['what may fail without a word', /\bfunction tryTo\b/, ['main/data/store/file/tryTo.ts']],
    ['a decimal comma', /replace\(',', '\.'\)/, ['preload/base/messages/typedNumber.ts']],
    [
      'the encoding of a file from a person',
      /windows-125\d'|utf-16/,
      [
        'main/base/reading/codePages.ts',
        'main/job/reports/rewrittenFile.ts',
        'preload/contract/job/tables.ts',
        'renderer/app/frame/drop/kindOfFile.ts',
        'renderer/base/ui/TableReading.vue'
      ]
    ]
  ])('%s', (_what, pattern, files) => expect(whoHas(pattern)).toEqual(files))
})

describe('no delivered file contains', () => {
  it.each<[what: string, pattern: RegExp]>([
    [
      'text that becomes HTML',
      /\bv-html\b|\.(inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write\b|\bcreateContextualFragment\b|\bsrcdoc\b/
    ],
    ['text that becomes code', /\beval\(|\bnew Function\b|\bexecuteJavaScript\b|\binsertCSS\b|from 'node:vm'/],
    ['a web view or a second view', /<webview\b|\bwebviewTag: true|\bBrowserView\b|\bWebContentsView\b/],
    [
      'a way around certificates',
      /rejectUnauthorized: (?!true)|NODE_TLS_REJECT_UNAUTHORIZED\W{0,3}\] = |\bcheckServerIdentity\b|'certificate-error'|\bsetCertificateVerifyProc\b|'select-client-certificate'/
    ],
    [
      'a weakened window',
      /\b(webSecurity|contextIsolation|sandbox): false|\bnodeIntegration\w*: true|\ballowRunningInsecureContent\b|\bexperimentalFeatures\b|\benableBlinkFeatures\b|\bbypassCSP\b/
    ],
    ['a program with a shell', /\bshell: true|\bexecSync\b|\{[^}]*\bexec\b[^}]*\} from 'node:child_process'/],
    ['a sign-in that follows redirects', /maxRedirects: [1-9]|redirect: 'follow'/],
    ['a synchronous or remote call', /\bsendSync\b|@electron\/remote|\bipcRenderer\.(send|on)\(['"`]/],
    ['tokens or passwords in the storage of the page', /(local|session)Storage\.setItem\([^)]*(token|pass|secret)/i]
  ])('%s', (_what, pattern) => expect(whoHas(pattern)).toEqual([]))

  it('a server for all cards of this computer', () => {
    expect(
      whoHas(/listen\([^)]*(0\.0\.0\.0|'::')|\blisten\(\d|\blisten\(port\)/).filter(
        (path) => !path.startsWith('simulator/')
      )
    ).toEqual([])
  })
})

/**
 * SQL is fixed text with parameters. What is put into it was looked at: columns, tables and marks of ours, numbers,
 * names that
 * PostgreSQL has quoted, and logins that Fitter made. A value from outside is never among them.
 */
const putIntoSql: Readonly<Record<string, string[]>> = {
  'main/data/store/backups/copyMark.ts': ['isOpen'],
  'main/data/store/damage/checkDataFile.ts': ['jobRowColumns', 'journalColumns', 'isOpen'],
  'main/data/store/damage/lookOver.ts': ['table', 'name', 'part', 'column'],
  'main/data/store/damage/salvage/jobLogs.ts': ['journalColumns'],
  'main/data/store/damage/salvage/salvage.ts': ['name'],
  'main/data/store/damage/salvage/takeOver.ts': [
    'table.name',
    "columns.join(', ')",
    "columns.map(() => '?').join(', ')",
    'name',
    'columns.map(({ column '
  ],
  'main/data/store/damage/salvage/waitingWork.ts': ['isOpen'],
  'main/data/store/jobs/attachments.ts': ['columns'],
  'main/data/store/jobs/jobPages.ts': [
    'jobRowColumns',
    'fromText(parts)',
    'whereText(parts)',
    'orderText(parts)',
    'candidatesAtMost'
  ],
  'main/data/store/jobs/jobs.ts': ['indexedColumns', 'journalColumns', 'jobRowColumns'],
  'main/data/store/jobs/readNumbers.ts': ['isEndedJob'],
  'main/data/store/jobs/snapshots.ts': ['columns'],
  'main/data/store/jobs/templateStore.ts': ['select'],
  'main/data/store/knownDevices.ts': ['columns', 'matches'],
  'main/data/store/storedValues.ts': ['table'],
  'main/data/store/team/teamAssigned.ts': ['columns', 'movedHereType'],
  'main/data/store/team/teamCopies.ts': ['table'],
  'main/data/store/team/teamEarlier.ts': ['String(mostKept)'],
  'main/data/store/team/teamForks.ts': ['columns', 'journalColumns'],
  'main/data/store/team/teamHolding.ts': ['columns'],
  'main/data/store/team/teamPush.ts': ['jobRowColumns', 'journalColumns'],
  'main/data/store/work/attempts.ts': ['columns'],
  'main/data/store/work/carriedOutputs.ts': ['isSame'],
  'main/data/store/work/holdBack.ts': ['isOpen'],
  'main/data/store/work/operations.ts': ['select', 'isOpen'],
  'main/team/admin/members.ts': [
    "rows.length === 0 ? 'create' : 'alter'",
    'login',
    'scramVerifier(password)',
    "mayWrite ? 'fitter_writes' : 'fitter_reads'",
    'limit'
  ],
  'main/team/admin/retention.ts': ["lastOf('dropped')", "lastOf('photosDropped')", 'String(lockMs)'],
  'main/team/holding/forks.ts': ['String(mostJobs)'],
  'main/team/reading/news.ts': ['probe', 'channel'],
  'main/team/server/schema.ts': ['String(lockMs)', "rights.owner_name ?? ''"]
}

it('SQL has no value from outside in its text', () => {
  const found: Record<string, string[]> = {}
  for (const [path, code] of sources) {
    const statements = code.matchAll(/\b(?:prepare|exec|query|statement)(?:<[^>]*>)?\(\s*`((?:[^`\\]|\\.)*)`/g)
    const parts = [...statements].flatMap(([, text = '']) =>
      [...text.matchAll(/\$\{([^}]*)\}?/g)].map(([, part = '']) => part)
    )
    if (parts.length > 0) found[path] = [...new Set(parts)]
  }
  expect(found).toEqual(putIntoSql)
})

describe('lint refuses', () => {
  let lint: ESLint
  beforeAll(() => {
    lint = new ESLint({ cwd: projectFolder })
  })
  it.each([
    [
      'vue/no-v-html',
      'renderer/base/ui/X.vue',
      '<script setup lang="ts">\nconst text = "x"\n</script>\n\n<template>\n  <p v-html="text" />\n</template>\n'
    ],
    ['no-eval', 'main/app/x.ts', 'export const run = (text: string): unknown => eval(text)\n'],
    ['no-new-func', 'main/app/x.ts', 'export const run = (text: string): unknown => new Function(text)\n'],
    ['no-console', 'main/app/x.ts', "console.log('a secret')\n"],
    ['no-empty', 'main/app/x.ts', 'try {\n  JSON.parse("x")\n} catch {}\n']
  ])('%s', async (rule, filePath, code) => {
    const [result] = await lint.lintText(code, { filePath: join(projectFolder, filePath) })
    expect(result?.messages.filter(({ severity }) => severity === 2).map(({ ruleId }) => ruleId)).toContain(rule)
  })
})
