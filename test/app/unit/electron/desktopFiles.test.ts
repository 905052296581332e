import { EventEmitter } from 'node:events'
import type { Session } from 'electron'
import { expect, it } from 'vitest'
import { createDesktopFiles } from '../../../../main/app/electron/desktopFiles.ts'

function open() {
  const session = new EventEmitter()
  const done: string[] = []
  const files = createDesktopFiles(session as unknown as Session, {
    showItemInFolder: (path) => void done.push(`show ${path}`),
    openExternal: (address) => Promise.resolve(void done.push(address))
  })
  const save = (path: string, state: string) => {
    const item = Object.assign(new EventEmitter(), { getSavePath: () => path })
    session.emit('will-download', {}, item)
    item.emit('done', {}, state)
  }
  return { files, done, save }
}

it('shows the file that was saved last, and nothing when none was or the saving was cancelled', () => {
  const { files, done, save } = open()
  expect(files.showDownload()).toBe(false)
  save('/home/technician/first.pdf', 'cancelled')
  expect(files.showDownload()).toBe(false)
  save('/home/technician/report.pdf', 'completed')
  save('/home/technician/other.pdf', 'interrupted')
  expect(files.showDownload()).toBe(true)
  expect(done).toEqual(['show /home/technician/report.pdf'])
})

it('writes a mail whose words can add no other address or attachment', async () => {
  const { files, done } = open()
  await files.writeMail({ subject: 'Report: Unit 7&cc=other@example.com', text: 'Line one?\nbcc=x' })
  expect(done).toEqual(['mailto:?subject=Report%3A%20Unit%207%26cc%3Dother%40example.com&body=Line%20one%3F%0Abcc%3Dx'])
})

it('opens pages of the system’s settings from a fixed table, where the system has them', async () => {
  const opened: string[] = []
  const shell = {
    showItemInFolder: () => undefined,
    openExternal: (address: string) => Promise.resolve(void opened.push(address))
  }
  const on = (platform: NodeJS.Platform) =>
    createDesktopFiles(new EventEmitter() as unknown as Session, shell, platform)
  expect([on('win32').canOpenSystem, on('darwin').canOpenSystem, on('linux').canOpenSystem]).toEqual([
    true,
    true,
    false
  ])
  expect(await on('linux').openSystemPage('time')).toBe(false)
  for (const platform of ['win32', 'darwin'] as const)
    for (const page of ['time', 'firewall', 'localNetwork'] as const)
      expect(await on(platform).openSystemPage(page)).toBe(true)
  expect(opened).toHaveLength(6)
  for (const address of opened) expect(address).toMatch(/^(ms-settings|windowsdefender|x-apple\.systempreferences):/)
})
