import { app, dialog, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron'
import { join } from 'node:path'
import { calls } from '../../../preload/contract/index.ts'
import { events } from '../../../preload/contract/events.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Host } from '../frontEnd.ts'
import { createTexts } from '../../base/messages/texts.ts'

const sizePx = 18
/** Fast changes update the menu at most a few times a second. */
const gatherMs = 250

/** Waiting gateway work in the notification area, even while another window is in front. Returns its stop function. */
export function showTray(host: Pick<Host, 'call' | 'onEvent'>, open: () => void): () => void {
  const tray = new Tray(
    nativeImage
      .createFromPath(join(app.getAppPath(), 'resources', 'icon.png'))
      .resize({ width: sizePx, height: sizePx })
  )
  const present = { needYou: 0, waiting: 0, isPaused: false }
  let texts = createTexts()
  let timer: NodeJS.Timeout | undefined

  function words(): Message[] {
    const { needYou, waiting, isPaused } = present
    const counted = [
      ...(needYou > 0 ? [message('app.trayNeedYou', { n: needYou })] : []),
      ...(waiting > 0 ? [message('app.trayWait', { n: waiting })] : [])
    ]
    return [
      ...(counted.length > 0 ? counted : [message('app.trayNothing')]),
      ...(isPaused ? [message('app.trayPaused')] : [])
    ]
  }

  function show(): void {
    timer = undefined
    const { needYou, isPaused } = present
    tray.setToolTip(`Fitter: ${words().map(texts.say).join(', ')}`)
    // On macOS it is shown beside the icon; elsewhere there is no room for it.
    if (process.platform === 'darwin') tray.setTitle(needYou > 0 ? String(needYou) : '')
    app.setBadgeCount(needYou)
    const menu: MenuItemConstructorOptions[] = [
      { label: texts.say(message('app.trayOpen')), click: open },
      { type: 'separator' },
      ...words().map((word) => ({ label: texts.say(word), click: open })),
      {
        label: texts.say(message('app.trayPause')),
        type: 'checkbox',
        checked: isPaused,
        click: () => void turnPause()
      },
      { type: 'separator' },
      { label: texts.say(message('app.trayQuit')), click: () => app.quit() }
    ]
    tray.setContextMenu(Menu.buildFromTemplate(menu))
  }

  function showSoon(): void {
    timer ??= setTimeout(show, gatherMs)
  }

  async function turnPause(): Promise<void> {
    const result = await host.call(present.isPaused ? 'operations.resume' : 'operations.pause', { id: null })
    // The system has already changed the check mark: restore the real state.
    showSoon()
    if (!result.ok) dialog.showErrorBox('Fitter', texts.say(result.error.message))
  }

  function takeCounts({
    waiting,
    needsAttention,
    failed
  }: {
    waiting: number
    needsAttention: number
    failed: number
  }): void {
    Object.assign(present, { needYou: needsAttention + failed, waiting })
    showSoon()
  }

  async function load(): Promise<void> {
    const [waiting, settings] = await Promise.all([host.call('operations.paused', {}), host.call('settings.get', {})])
    const known = waiting.ok ? calls['operations.paused'].output.safeParse(waiting.value).data : undefined
    const person = settings.ok ? calls['settings.get'].output.safeParse(settings.value).data : undefined
    if (person) texts = createTexts({ language: person.language })
    if (known) present.isPaused = known.paused !== null
    if (known) takeCounts(known.counts)
  }

  const stopEvents = host.onEvent((name, payload) => {
    if (name === 'operations.changed') takeCounts(events[name].parse(payload).counts)
    if (name === 'operations.paused') present.isPaused = events[name].parse(payload).paused !== null
    if (name === 'settings.changed') texts = createTexts({ language: events[name].parse(payload).language })
    if (name === 'app.entered') void load()
    if (name === 'operations.paused' || name === 'settings.changed') showSoon()
  })
  tray.on('click', open)
  show()
  void load()
  return () => {
    clearTimeout(timer)
    stopEvents()
    tray.destroy()
  }
}
