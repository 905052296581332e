import { EventEmitter } from 'node:events'
import { anInstanceOf, raw, recordUses } from './electronUses.ts'

/**
 * Takes the place of the `electron` module in a plain Node process, so that the built main bundle can be run where
 * Electron's program is not. It does nothing but write down, in order, what it was asked for, and in which words: those
 * are held against Electron's type definitions.
 */
const electron = recordUses()
export const listUses = electron.statements
const watch = <T extends object>(target: T, name: string): T =>
  electron.watch(target, `Electron.CrossProcessExports.${name}`)

export const journal: { step: string; isReady: boolean }[] = []
export const state = {
  isReady: false,
  schemes: [] as unknown[],
  protocolHandlers: new Map<string, (request: Request) => Response | Promise<Response>>(),
  requestFilter: undefined as
    ((details: { url: string }, answer: (result: { cancel?: boolean }) => void) => void) | undefined,
  permissionRequest: undefined as
    | ((contents: unknown, permission: string, answer: (isGranted: boolean) => void, details: object) => void)
    | undefined,
  permissionCheck: undefined as
    ((contents: unknown, permission: string, origin: string, details: object) => boolean) | undefined,
  devicePermission: undefined as (() => boolean) | undefined,
  ipcHandlers: new Map<string, (event: unknown, ...parameters: unknown[]) => unknown>(),
  windows: [] as StandInWindow[],
  exitCodes: [] as number[],
  errorBoxes: [] as string[],
  trays: [] as StandInTray[],
  notifications: [] as StandInNotification[],
  badges: [] as number[],
  messageBoxes: [] as { message: string; buttons: string[] }[],
  /** Which button the person presses, one after the other; the first one when nothing is said. */
  presses: [] as number[]
}

function note(step: string): void {
  journal.push({ step, isReady: state.isReady })
}

class StandInApp extends EventEmitter {
  readonly isPackaged = true
  readonly commandLine = {
    hasSwitch: (name: string): boolean => (process.env.FITTER_TEST_SWITCHES ?? '').split(' ').includes(name)
  }
  requestSingleInstanceLock(): boolean {
    note('lock')
    return process.env.FITTER_TEST_LOCK !== 'taken'
  }
  enableSandbox(): void {
    note('sandbox')
  }
  async whenReady(): Promise<void> {
    // As in Electron: the event comes when the present code has run.
    await new Promise((resolve) => setImmediate(resolve))
    state.isReady = true
    note('ready')
  }
  getPath(name: string): string {
    return `${process.env.FITTER_TEST_APP}/${name}`
  }
  getVersion(): string {
    return '0.0.0'
  }
  getAppPath(): string {
    return process.env.FITTER_TEST_APP ?? ''
  }
  setBadgeCount(count: number): boolean {
    state.badges.push(count)
    return true
  }
  quit(): void {
    note('quit')
    let isPrevented = false
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) })
    if (!isPrevented) this.exit(0)
  }
  exit(code: number): void {
    note(`exit ${code}`)
    state.exitCodes.push(code)
  }
}
export const app = watch(new StandInApp(), 'app')

/** The contents of a window, or of another one. */
export const watchedContents = (): WebContents => electron.watch(new WebContents(), anInstanceOf('WebContents'))

export class WebContents extends EventEmitter {
  readonly mainFrame = electron.watch({ url: '' }, anInstanceOf('WebFrameMain'))
  readonly sent: unknown[][] = []
  windowOpenHandler: ((details: { url: string }) => { action: string }) | undefined
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler
  }
  send(...parameters: unknown[]): void {
    this.sent.push(parameters)
  }
}

class StandInWindow extends EventEmitter {
  static getAllWindows(): StandInWindow[] {
    return state.windows
  }
  readonly webContents = watchedContents()
  readonly options: Record<string, unknown>
  readonly acts: string[] = []
  constructor(options: Record<string, unknown>) {
    super()
    note('window')
    this.options = options
    state.windows.push(electron.watch(this, anInstanceOf('BrowserWindow')))
    raw(app).emit('web-contents-created', {}, this.webContents)
  }
  async loadURL(url: string): Promise<void> {
    note(`load ${url}`)
    raw(raw(this.webContents).mainFrame).url = url
  }
  isDestroyed(): boolean {
    return false
  }
  isMinimized(): boolean {
    return true
  }
  restore(): void {
    this.acts.push('restore')
  }
  focus(): void {
    this.acts.push('focus')
  }
  show(): void {
    this.acts.push('show')
  }
  reload(): void {
    this.acts.push('reload')
  }
  maximize(): void {
    this.acts.push('maximize')
  }
  isMaximized(): boolean {
    return process.env.FITTER_TEST_MAXIMIZED === 'yes'
  }
  getNormalBounds(): unknown {
    return { x: 10, y: 20, width: 1300, height: 900 }
  }
}
export const BrowserWindow = watch(StandInWindow, 'BrowserWindow')

const sessionProtocol = {
  handle(scheme: string, handler: (request: Request) => Response): void {
    note(`handle ${scheme}:`)
    state.protocolHandlers.set(scheme, handler)
  }
}
export const protocol = watch(
  {
    registerSchemesAsPrivileged(schemes: unknown[]): void {
      note('schemes')
      state.schemes.push(...schemes)
    }
  },
  'protocol'
)
export const session = watch(
  {
    defaultSession: Object.assign(new EventEmitter(), {
      protocol: sessionProtocol,
      webRequest: {
        onBeforeRequest(_filter: unknown, listener: typeof state.requestFilter): void {
          state.requestFilter = listener
        }
      },
      setPermissionRequestHandler(handler: typeof state.permissionRequest): void {
        state.permissionRequest = handler
      },
      setPermissionCheckHandler(handler: typeof state.permissionCheck): void {
        state.permissionCheck = handler
      },
      setDevicePermissionHandler(handler: typeof state.devicePermission): void {
        state.devicePermission = handler
      }
    })
  },
  'session'
)
export const ipcMain = watch(
  {
    handle(channel: string, handler: (event: unknown, ...parameters: unknown[]) => unknown): void {
      note('calls')
      state.ipcHandlers.set(channel, handler)
    },
    removeHandler(channel: string): void {
      state.ipcHandlers.delete(channel)
    }
  },
  'ipcMain'
)
const watchedImage = (path: string): object =>
  electron.watch({ path, resize: () => watchedImage(path) }, anInstanceOf('NativeImage'))
export const nativeImage = watch(
  {
    createFromPath: (path: string) => watchedImage(path)
  },
  'nativeImage'
)
interface MenuLine {
  label?: string
  checked?: boolean
  click?: () => void
}
interface StandInMenu {
  items: readonly MenuLine[]
}
class StandInTray extends EventEmitter {
  toolTip = ''
  menu: readonly MenuLine[] = []
  readonly image: unknown
  constructor(image: unknown) {
    super()
    this.image = image
    state.trays.push(electron.watch(this, anInstanceOf('Tray')))
  }
  setToolTip(text: string): void {
    this.toolTip = text
  }
  setTitle(): void {
    note('tray title')
  }
  setContextMenu(menu: StandInMenu): void {
    this.menu = raw(menu).items
  }
  destroy(): void {
    note('tray gone')
  }
}
class StandInNotification extends EventEmitter {
  static isSupported = (): boolean => true
  readonly shown: { title: string; body: string }
  constructor(shown: { title: string; body: string }) {
    super()
    this.shown = shown
    state.notifications.push(this)
  }
  show(): void {
    note(`notification ${this.shown.title}`)
  }
}
export const Notification = watch(StandInNotification, 'Notification')
export const Tray = watch(StandInTray, 'Tray')
export const powerMonitor = watch(new EventEmitter(), 'powerMonitor')
export const Menu = watch(
  {
    buildFromTemplate: (items: MenuLine[]): StandInMenu => electron.watch({ items }, anInstanceOf('Menu')),
    setApplicationMenu: (): void => note('menu')
  },
  'Menu'
)
export const screen = watch(
  {
    getDisplayMatching: (): unknown => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } })
  },
  'screen'
)
export const dialog = watch(
  {
    async showMessageBox({ message, buttons }: { message: string; buttons: string[] }): Promise<{ response: number }> {
      state.messageBoxes.push({ message, buttons })
      return { response: state.presses.shift() ?? 0 }
    },
    showErrorBox(_title: string, text: string): void {
      state.errorBoxes.push(text)
    }
  },
  'dialog'
)
export const shell = watch(
  {
    openPath: async (): Promise<string> => '',
    openExternal: async (): Promise<void> => undefined,
    showItemInFolder: (): void => undefined
  },
  'shell'
)
