import type { SecurityBreak } from './breaks.ts'

const boot = 'test/app/integration/boot-electron.test.ts'
const protocol = 'test/app/unit/electron/protocol.test.ts'
const router = 'test/app/unit/electron/ipc.test.ts'
const permissions = 'test/app/unit/electron/permissions.test.ts'
const policy = 'test/base/unit/page/contentSecurityPolicy.test.ts'
const sources = 'test/project/unit/sourceRules.test.ts'
const switches = 'test/app/unit/electron/commandLine.test.ts'

const window = 'main/app/electron/window.ts'
const isolated = [boot, 'one window, isolated and sandboxed, without Node'] as const
const neverLeaves = [boot, 'the window never leaves our origin'] as const

const windowBreaks: SecurityBreak[] = [
  {
    rule: 'The window has no Node',
    file: window,
    from: 'nodeIntegration: false',
    to: 'nodeIntegration: true',
    caughtBy: isolated
  },
  {
    rule: 'Workers have no Node',
    file: window,
    from: 'nodeIntegrationInWorker: false',
    to: 'nodeIntegrationInWorker: true',
    caughtBy: isolated
  },
  {
    rule: 'Frames have no Node',
    file: window,
    from: 'nodeIntegrationInSubFrames: false',
    to: 'nodeIntegrationInSubFrames: true',
    caughtBy: isolated
  },
  {
    rule: 'The page is isolated from the preload',
    file: window,
    from: 'contextIsolation: true',
    to: 'contextIsolation: false',
    caughtBy: isolated
  },
  { rule: 'The page is sandboxed', file: window, from: 'sandbox: true', to: 'sandbox: false', caughtBy: isolated },
  {
    rule: 'Web security is untouched',
    file: window,
    from: 'sandbox: true,',
    to: 'sandbox: true, webSecurity: false,',
    caughtBy: isolated
  },
  {
    rule: 'Insecure content is untouched',
    file: window,
    from: 'sandbox: true,',
    to: 'sandbox: true, allowRunningInsecureContent: true,',
    caughtBy: [sources, 'a weakened window']
  },
  { rule: 'There is no web view', file: window, from: 'webviewTag: false', to: 'webviewTag: true', caughtBy: isolated },
  {
    rule: 'A packaged window has no developer tools',
    file: window,
    from: 'devTools: !app.isPackaged',
    to: 'devTools: true',
    caughtBy: isolated
  },
  {
    rule: 'The sandbox is on before ready',
    file: 'main/app/electron/index.ts',
    from: 'app.enableSandbox()',
    to: 'void app.whenReady().then(() => app.enableSandbox())',
    caughtBy: [boot, 'the sandbox is switched on before ready']
  },
  {
    rule: 'app:// has no other privilege',
    file: 'main/app/electron/protocol.ts',
    from: 'secure: true,',
    to: 'secure: true, bypassCSP: true,',
    caughtBy: [boot, 'app:// is registered before ready, with these privileges and no more']
  },
  {
    rule: 'The page is served before the window opens',
    file: 'main/app/electron/desktop.ts',
    from: 'routeCalls(ipcMain, host, () => shown.window)',
    to: 'setImmediate(() => routeCalls(ipcMain, host, () => shown.window))',
    caughtBy: [boot, 'the page is served and calls are answered before the window opens']
  },
  {
    rule: 'The window does not navigate',
    file: window,
    from: "contents.on('will-navigate', (event) => {\n    if (!isOwnAddress(event.url))",
    to: "contents.on('will-navigate', (event) => {\n    if (event.url === '')",
    caughtBy: neverLeaves
  },
  {
    rule: 'The window follows no redirect',
    file: window,
    from: "contents.on('will-redirect', (event) => {\n    if (!isOwnAddress(event.url))",
    to: "contents.on('will-redirect', (event) => {\n    if (event.url === '')",
    caughtBy: neverLeaves
  },
  {
    rule: 'Frames do not navigate',
    file: window,
    from: "contents.on('will-frame-navigate', (event) => {\n    if (!isOwnAddress(event.url))",
    to: "contents.on('will-frame-navigate', (event) => {\n    if (event.url === '')",
    caughtBy: neverLeaves
  },
  {
    rule: 'No web view is attached',
    file: window,
    from: '(event) => event.preventDefault())',
    to: '(event) => void event)',
    caughtBy: [boot, 'no web view is attached']
  },
  {
    rule: 'No second window opens',
    file: window,
    from: "action: 'deny'",
    to: "action: 'allow'",
    caughtBy: [boot, 'no second window is opened, not even for our own page']
  },
  {
    rule: 'Every new content is guarded',
    file: 'main/app/electron/desktop.ts',
    from: "app.on('web-contents-created', (_event, contents) => guardContents(contents))",
    to: 'void guardContents',
    caughtBy: neverLeaves
  },
  {
    rule: 'A forbidden switch ends a packaged Fitter',
    file: 'main/app/electron/index.ts',
    from: 'app.isPackaged ? findRefusedSwitch',
    to: 'app.isPackaged && process.env.TERM === undefined ? findRefusedSwitch',
    caughtBy: [boot, 'packaged, does not start with --%s, and says so']
  },
  {
    rule: 'Nobody debugs the window from outside',
    file: 'main/app/electron/commandLine.ts',
    from: "  'remote-debugging-port',\n",
    to: '',
    caughtBy: [switches, 'a packaged Fitter does not start with --%s']
  },
  {
    rule: 'Nobody switches the sandbox off',
    file: 'main/app/electron/commandLine.ts',
    from: "  'no-sandbox',\n",
    to: '',
    caughtBy: [switches, 'a packaged Fitter does not start with --%s']
  },
  {
    rule: 'Nobody ignores certificates by a switch',
    file: 'main/app/electron/commandLine.ts',
    from: "  'ignore-certificate-errors',\n",
    to: '',
    caughtBy: [switches, 'a packaged Fitter does not start with --%s']
  },
  {
    rule: 'The camera cannot be given away by a switch',
    file: 'main/app/electron/commandLine.ts',
    from: "  'use-fake-ui-for-media-stream',\n",
    to: '',
    caughtBy: [switches, 'a packaged Fitter does not start with --%s']
  }
]

const permission = 'main/app/electron/permissions.ts'
const permissionBreaks: SecurityBreak[] = [
  {
    rule: 'Requested permissions are denied',
    file: permission,
    from: 'answer(isOwnFrame(details) && (permission === clipboard ||',
    to: 'answer(isOwnFrame(details) && (true ||',
    caughtBy: [permissions, 'denies "%s", asked and checked']
  },
  {
    rule: 'Checked permissions are denied',
    file: permission,
    from: 'isMainFrame && isOwnAddress(origin) && (permission === clipboard ||',
    to: 'isMainFrame && isOwnAddress(origin) && (true ||',
    caughtBy: [permissions, 'denies "%s", asked and checked']
  },
  {
    rule: 'Other origins get no permission by request',
    file: permission,
    from: 'return isMainFrame && isOwnAddress(requestingUrl)',
    to: "return isMainFrame && requestingUrl !== ''",
    caughtBy: [permissions, 'denies %s to a sub-frame and to other origins']
  },
  {
    rule: 'Other origins get no permission by check',
    file: permission,
    from: 'isMainFrame && isOwnAddress(origin) &&',
    to: 'isMainFrame &&',
    caughtBy: [permissions, 'denies %s to a sub-frame and to other origins']
  },
  {
    rule: 'Frames get no permission',
    file: permission,
    from: 'return isMainFrame && isOwnAddress(requestingUrl)',
    to: 'return isOwnAddress(requestingUrl)',
    caughtBy: [permissions, 'denies %s to a sub-frame and to other origins']
  },
  {
    rule: 'The camera is without sound',
    file: permission,
    from: "mediaTypes.every((type) => type === 'video')",
    to: 'true',
    caughtBy: [permissions, 'denies sound, and media of no kind: %j']
  },
  {
    rule: 'The camera is without sound when checked',
    file: permission,
    from: "permission === camera && mediaType === 'video'",
    to: 'permission === camera',
    caughtBy: [permissions, 'denies sound, and media of no kind: %j']
  },
  {
    rule: 'Devices are denied',
    file: permission,
    from: '() => false',
    to: '() => true',
    caughtBy: [permissions, 'denies every device']
  },
  {
    rule: 'The handlers are set',
    file: 'main/app/electron/desktop.ts',
    from: '  restrictPermissions(session.defaultSession)\n',
    to: '  void restrictPermissions\n',
    caughtBy: [boot, 'every permission is denied but writing to the clipboard, keeping the screen on, and the camera']
  }
]

const csp = 'main/base/page/contentSecurityPolicy.ts'
const says = [policy, 'the policy says %s %s'] as const
const policyBreaks: SecurityBreak[] = [
  {
    rule: 'What no directive names is refused',
    file: csp,
    from: `"default-src 'none'"`,
    to: `"default-src 'self'"`,
    caughtBy: says
  },
  {
    rule: 'Scripts are files of ours, never inline',
    file: csp,
    from: `"script-src 'self'"`,
    to: `"script-src 'self' 'unsafe-inline'"`,
    caughtBy: says
  },
  {
    rule: 'No text becomes a script',
    file: csp,
    from: `"script-src 'self'"`,
    to: `"script-src 'self' 'unsafe-eval'"`,
    caughtBy: says
  },
  {
    rule: 'Styles are files of ours',
    file: csp,
    from: `"style-src 'self'"`,
    to: `"style-src 'self' 'unsafe-inline'"`,
    caughtBy: says
  },
  {
    rule: 'Pictures are ours',
    file: csp,
    from: `"img-src 'self' data: blob:"`,
    to: `"img-src * data: blob:"`,
    caughtBy: says
  },
  {
    rule: 'The page connects to nobody else',
    file: csp,
    from: `"connect-src 'self'"`,
    to: `"connect-src *"`,
    caughtBy: says
  },
  { rule: 'The page has no frames', file: csp, from: `"frame-src 'none'"`, to: `"frame-src 'self'"`, caughtBy: says },
  {
    rule: 'The page has no plug-ins',
    file: csp,
    from: `"object-src 'none'"`,
    to: `"object-src 'self'"`,
    caughtBy: says
  },
  {
    rule: 'Nobody moves the base of addresses',
    file: csp,
    from: `"base-uri 'none'"`,
    to: `"base-uri 'self'"`,
    caughtBy: says
  },
  {
    rule: 'The page sends no form',
    file: csp,
    from: `"form-action 'none'"`,
    to: `"form-action 'self'"`,
    caughtBy: says
  },
  {
    rule: 'Nobody frames the page',
    file: csp,
    from: `"frame-ancestors 'none'"`,
    to: `"frame-ancestors *"`,
    caughtBy: says
  },
  {
    rule: 'Types are not guessed',
    file: csp,
    from: "    'X-Content-Type-Options': 'nosniff',\n",
    to: '',
    caughtBy: [policy, 'every reply also forbids guessing types, sending the address on, and use by other origins']
  },
  {
    rule: 'Addresses are not sent on',
    file: csp,
    from: "'no-referrer'",
    to: "'unsafe-url'",
    caughtBy: [policy, 'every reply also forbids guessing types, sending the address on, and use by other origins']
  },
  {
    rule: 'The policy is on every reply, also on refusals',
    file: 'main/app/electron/protocol.ts',
    from: "{ ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' }",
    to: "{ 'Content-Type': 'text/plain; charset=utf-8' }",
    caughtBy: [protocol, 'puts every security header on every reply']
  },
  {
    rule: 'A map cannot weaken the policy',
    file: 'main/app/electron/protocol.ts',
    from: '{ ...headers, ...securityHeaders }',
    to: '{ ...securityHeaders, ...headers }',
    caughtBy: [protocol, 'puts every security header on every reply']
  }
]

const doorBreaks: SecurityBreak[] = [
  {
    rule: 'A sender without a frame gets no answer',
    file: 'main/app/electron/ipc.ts',
    from: 'if (senderFrame === null || window.isDestroyed()) return false',
    to: 'if (senderFrame === null) return true\n  if (window.isDestroyed()) return false',
    caughtBy: [router, 'refuses a sender without a frame']
  },
  {
    rule: 'Another window gets no answer',
    file: 'main/app/electron/ipc.ts',
    from: 'sender === window.webContents && ',
    to: '',
    caughtBy: [router, 'refuses another window']
  },
  {
    rule: 'A sub-frame gets no answer',
    file: 'main/app/electron/ipc.ts',
    from: ' && senderFrame === window.webContents.mainFrame',
    to: '',
    caughtBy: [router, 'refuses a sub-frame']
  },
  {
    rule: 'An empty address gets no answer',
    file: 'main/app/electron/ipc.ts',
    from: '&& isOwnAddress(senderFrame.url)',
    to: "&& (senderFrame.url === '' || isOwnAddress(senderFrame.url))",
    caughtBy: [router, 'refuses the main frame while it shows "%s"']
  },
  {
    rule: 'about:blank gets no answer',
    file: 'main/app/electron/ipc.ts',
    from: '&& isOwnAddress(senderFrame.url)',
    to: "&& (senderFrame.url === 'about:blank' || isOwnAddress(senderFrame.url))",
    caughtBy: [router, 'refuses the main frame while it shows "%s"']
  },
  {
    rule: 'A closed window gets no answer',
    file: 'main/app/electron/ipc.ts',
    from: 'if (senderFrame === null || window.isDestroyed()) return false',
    to: 'if (senderFrame === null) return false',
    caughtBy: [router, 'refuses every sender before there is a window']
  },
  {
    rule: 'Events go to our own page only',
    file: 'main/app/electron/ipc.ts',
    from: 'return isOwnAddress(window.webContents.mainFrame.url) ? window.webContents : undefined',
    to: 'return window.webContents',
    caughtBy: [router, 'refuses the main frame while it shows "%s"']
  },
  {
    rule: 'Our origin is exact: host',
    file: 'main/app/electron/origin.ts',
    from: 'url.host === host',
    to: 'url.host.startsWith(host)',
    caughtBy: [router, 'refuses the main frame while it shows "%s"']
  },
  {
    rule: 'Our origin is exact: user name',
    file: 'main/app/electron/origin.ts',
    from: " && url.username === ''",
    to: '',
    caughtBy: [router, 'refuses the main frame while it shows "%s"']
  },
  {
    rule: 'Our origin is exact: scheme',
    file: 'main/app/electron/origin.ts',
    from: 'url.protocol === `${scheme}:` && ',
    to: '',
    caughtBy: [router, 'refuses the main frame while it shows "%s"']
  },
  {
    rule: 'The sender is checked in the built shell too',
    file: 'main/app/electron/ipc.ts',
    from: 'answerCall(host, currentWindow(), event, name, input)',
    to: 'event.sender && host.call(String(name), input) || answerCall(host, currentWindow(), event, name, input)',
    caughtBy: [boot, 'a missing, sub-frame or foreign sender is refused']
  },
  {
    rule: 'Foreign addresses are refused in the built shell too',
    file: 'main/app/electron/origin.ts',
    from: 'url.host === host',
    to: 'url.host.startsWith(host)',
    caughtBy: [boot, 'a sender that shows any other address is refused, also an empty one and about:blank']
  },
  {
    rule: 'Events go nowhere else in the built shell too',
    file: 'main/app/electron/ipc.ts',
    from: 'findReceiver(currentWindow())?.send(eventChannel, name, payload)',
    to: 'currentWindow()?.webContents.send(eventChannel, name, payload)',
    caughtBy: [boot, 'events go to our own page only']
  },
  {
    rule: 'One file hands ipcMain to the router',
    file: 'main/app/electron/tray.ts',
    from: 'import { app, dialog, Menu,',
    to: 'import { app, dialog, ipcMain, Menu,',
    caughtBy: [sources, 'the import of ipcMain, which goes to the router']
  },
  {
    rule: 'Only the router uses ipcMain',
    file: 'main/app/electron/desktop.ts',
    from: '  watchPower(host)\n  setMenu()',
    to: "  watchPower(host)\n  ipcMain.on('other', () => undefined)\n  setMenu()",
    caughtBy: [sources, 'calls from the window (ipcMain)']
  },
  {
    rule: 'There is one channel for calls',
    file: 'main/app/electron/ipc.ts',
    from: '  ipcMain.handle(callChannel',
    to: "  ipcMain.handle('second', () => undefined)\n  ipcMain.handle(callChannel",
    caughtBy: [boot, 'there is one channel for calls, and our own page is answered']
  },
  {
    rule: 'Other hosts of app:// get nothing',
    file: 'main/app/electron/protocol.ts',
    from: "if (!isOwnAddress(request.url)) return refuse(404, 'Not found')",
    to: "if (request.url === '') return refuse(404, 'Not found')",
    caughtBy: [protocol, 'serves nothing at %s']
  },
  {
    rule: 'No path of a request reaches the disk',
    file: 'main/app/electron/protocol.ts',
    from: 'const file = manifest.get(pathname)',
    to: "const file = manifest.get(pathname) ?? { mediaType: 'text/plain', read: async () => new Uint8Array((await import('node:fs')).readFileSync(`/proc/self/cwd/package.json`)) }",
    caughtBy: [protocol, 'serves nothing at %s']
  },
  {
    rule: 'Only files of known types are part of the page',
    file: 'main/base/page/manifest.ts',
    from: 'mediaType !== undefined) manifest',
    to: 'true) manifest',
    caughtBy: ['test/base/unit/page/manifest.test.ts', 'lists the files of the page by their exact path']
  },
  {
    rule: 'Only GET is answered',
    file: 'main/app/electron/protocol.ts',
    from: "request.method !== 'GET'",
    to: "request.method === 'POST'",
    caughtBy: [protocol, 'answers GET only']
  },
  {
    rule: 'file: is refused',
    file: 'main/app/electron/protocol.ts',
    from: "refuse(403, 'Files are not served')",
    to: "refuse(200, 'Files are not served')",
    caughtBy: [protocol, 'refuses files with 403']
  },
  {
    rule: 'file: has our handler',
    file: 'main/app/electron/protocol.ts',
    from: "  session.protocol.handle('file', refuseFile)\n",
    to: '',
    caughtBy: [boot, 'file: is refused']
  },
  {
    rule: 'The built shell serves only the manifest',
    file: 'main/app/electron/protocol.ts',
    from: "if (!isOwnAddress(request.url)) return refuse(404, 'Not found')",
    to: "if (request.url === '') return refuse(404, 'Not found')",
    caughtBy: [boot, 'only files of the built page are served']
  },
  {
    rule: 'The built shell sends the policy',
    file: 'main/app/electron/protocol.ts',
    from: "new Response(await file.read(), { headers: { ...securityHeaders, 'Content-Type': file.mediaType } })",
    to: "new Response(await file.read(), { headers: { 'Content-Type': file.mediaType } })",
    caughtBy: [boot, 'every reply carries the policy and nosniff, also refusals']
  },
  {
    rule: 'Requests to others are cancelled',
    file: 'main/app/electron/protocol.ts',
    from: 'cancel: !isAllowedRequest(details.url)',
    to: 'cancel: false',
    caughtBy: [boot, 'the page reaches nothing but our own origin']
  },
  {
    rule: 'Foreign blobs are cancelled',
    file: 'main/app/electron/protocol.ts',
    from: 'address.startsWith(`blob:${scheme}://`)',
    to: "address.startsWith('blob:')",
    caughtBy: [protocol, 'allows requests to our own origin and to pictures of the page only']
  },
  {
    rule: 'An external page is named by its id',
    file: 'preload/contract/app/app.ts',
    from: 'z.strictObject({ page: outsidePage })',
    to: 'z.strictObject({ page: z.string() as unknown as typeof outsidePage })',
    caughtBy: ['test/base/unit/page/outsidePages.test.ts', 'no address or path is an external page']
  },
  {
    rule: 'The id leads through a fixed table',
    file: 'main/base/page/outsidePages.ts',
    from: 'join(folder, files[page])',
    to: 'join(folder, files[page] ?? page)',
    caughtBy: ['test/base/unit/page/outsidePages.test.ts', 'an id that is not in the table opens nothing']
  },
  {
    rule: 'Addresses open in no other program',
    file: 'main/app/electron/desktop.ts',
    from: 'const problem = await shell.openPath(path)',
    to: "const problem = await shell.openExternal(path).then(() => '')",
    caughtBy: [sources, 'other programs by an address (openExternal): mail only']
  },
  {
    rule: 'A mail gets no other address',
    file: 'main/app/electron/desktopFiles.ts',
    from: 'encodeURIComponent(subject)',
    to: 'encodeURI(subject)',
    caughtBy: [
      'test/app/unit/electron/desktopFiles.test.ts',
      'writes a mail whose words can add no other address or attachment'
    ]
  }
]

const exposed = '{ call, subscribe, lastHeardMs: () => heardMs }'
const preloadBreaks: SecurityBreak[] = [
  {
    rule: 'The bridge is frozen',
    file: 'preload/index.ts',
    from: `Object.freeze(${exposed})`,
    to: exposed,
    caughtBy: [boot, 'exposes one frozen object with three functions, and no channel name']
  },
  {
    rule: 'The bridge is one object',
    file: 'preload/index.ts',
    from: 'contextBridge.exposeInMainWorld',
    to: "contextBridge.exposeInMainWorld('more', {}); contextBridge.exposeInMainWorld",
    caughtBy: [boot, 'exposes one frozen object with three functions, and no channel name']
  },
  {
    rule: 'The page gets no ipcRenderer',
    file: 'preload/index.ts',
    from: exposed,
    to: exposed.replace('{ call,', '{ ipcRenderer, call,'),
    caughtBy: [boot, 'exposes one frozen object with three functions, and no channel name']
  },
  {
    rule: 'The page gets no event object',
    file: 'preload/index.ts',
    from: 'ipcRenderer.on(eventChannel, (_event, name: EventName, payload: unknown) => {',
    to: 'ipcRenderer.on(eventChannel, (_event, name: EventName, payload: unknown) => {\n  for (const listener of listeners) (listener as unknown as (event: unknown) => void)(_event)',
    caughtBy: [boot, 'hands a subscriber the name and the payload, never the event object, until it stops']
  },
  {
    rule: 'The page learns no channel name',
    file: 'preload/index.ts',
    from: "  } catch {\n    return failure('INTERNAL', message('app.silent'))",
    to: "  } catch (error) {\n    return failure('INTERNAL', { id: 'plain.text', values: { text: String(error) } })",
    caughtBy: [boot, 'turns a broken border into an answer without channel names']
  },
  {
    rule: 'Only plain data crosses',
    file: 'preload/index.ts',
    from: 'return JSON.parse(JSON.stringify(input ?? {}))',
    to: 'return input ?? {}',
    caughtBy: [boot, 'sends plain data on one channel, whatever the page gives it']
  }
]

const known = [boot, 'does not have: methods, properties, events, options'] as const
/** A rule that is kept by a name that Electron does not know is not kept. */
const nameBreaks: SecurityBreak[] = [
  {
    rule: 'Electron has every method that the shell calls',
    file: 'main/app/electron/menu.ts',
    from: '  Menu.setApplicationMenu(',
    to: '  Menu.setNoMenu()\n  Menu.setApplicationMenu(',
    caughtBy: known
  },
  {
    rule: 'Electron has every event that the shell listens to',
    file: window,
    from: "'will-attach-webview'",
    to: "'will-attach-web-view'",
    caughtBy: known
  },
  {
    rule: 'Electron has every option that the shell sets',
    file: window,
    from: 'sandbox: true,',
    to: 'sandbox: true, isolated: true,',
    caughtBy: known
  },
  {
    rule: 'Electron has every property that the shell reads',
    file: window,
    from: 'devTools: !app.isPackaged',
    to: 'devTools: app.isDeveloped',
    caughtBy: known
  },
  {
    rule: 'Electron has every property that a listener reads',
    file: window,
    from: "contents.on('will-redirect', (event) => {\n    if (!isOwnAddress(event.url))",
    to: "contents.on('will-redirect', (event) => {\n    if (!isOwnAddress(event.address))",
    caughtBy: known
  },
  {
    rule: 'Electron has every value that an answer gives',
    file: window,
    from: "action: 'deny'",
    to: "action: 'refuse'",
    caughtBy: known
  },
  {
    rule: 'Electron has every method that the preload calls',
    file: 'preload/index.ts',
    from: 'contextBridge.exposeInMainWorld(',
    to: 'contextBridge.exposeInAllWorlds?.()\ncontextBridge.exposeInMainWorld(',
    caughtBy: [boot, 'asks for nothing that Electron ${electronVersion} does not have']
  }
]

const chromium = 'test/app/integration/page-policy.test.ts'
/** The same policy, seen by a browser: its headers have to mean there what they say. */
const chromiumBreaks: SecurityBreak[] = [
  {
    rule: 'Chromium refuses inline scripts',
    file: csp,
    from: `"script-src 'self'"`,
    to: `"script-src 'self' 'unsafe-inline'"`,
    caughtBy: [chromium, 'the page is refused: %s (%s)', 'inline script']
  },
  {
    rule: 'Chromium refuses requests to others',
    file: csp,
    from: `"connect-src 'self'"`,
    to: `"connect-src 'self' http: ws:"`,
    caughtBy: [chromium, 'the page is refused: %s (%s)', 'foreign request']
  },
  {
    rule: 'Chromium refuses frames',
    file: csp,
    from: `"frame-src 'none'"`,
    to: `"frame-src http:"`,
    caughtBy: [chromium, 'the page is refused: %s (%s)', 'foreign frame']
  },
  {
    rule: 'Chromium refuses what no directive names',
    file: csp,
    from: `"default-src 'none'"`,
    to: `"default-src http:"`,
    caughtBy: [chromium, 'the page is refused: %s (%s)', 'foreign film']
  },
  {
    rule: 'Chromium lets nobody frame the page',
    file: csp,
    from: `"frame-ancestors 'none'"`,
    to: `"frame-ancestors http:"`,
    caughtBy: [chromium, 'no other page frames ours']
  },
  {
    rule: 'Chromium gives our files to no other page',
    file: csp,
    from: "'Cross-Origin-Resource-Policy': 'same-origin'",
    to: "'Cross-Origin-Resource-Policy': 'cross-origin'",
    caughtBy: [chromium, 'no other page reads our files, not even as a script or a picture']
  },
  {
    rule: 'A call from a real foreign page gets no answer',
    file: 'main/app/electron/ipc.ts',
    from: ' && isOwnAddress(senderFrame.url)',
    to: '',
    caughtBy: [
      chromium,
      'calls are answered for the main frame of our own page, and for no frame inside of it and no other page'
    ]
  }
]

/** The desktop window: options, permissions, policy, doors, preload. */
export const shellBreaks: readonly SecurityBreak[] = [
  ...windowBreaks,
  ...permissionBreaks,
  ...policyBreaks,
  ...doorBreaks,
  ...preloadBreaks,
  ...nameBreaks,
  ...chromiumBreaks
]
