// Runs in the page before the app and provides the same `window.fitter` as the desktop window, over a WebSocket.
;(() => {
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/bridge`
  const openLimitMs = 10_000
  const longestPauseMs = 1_000
  const listeners = new Set()
  /** Calls without an answer yet, by number. */
  const pending = new Map()
  /** Calls that wait for a connection. */
  const waiting = new Set()
  let socket
  let nextId = 1
  let pauseMs = 250
  /** When the core was last heard, on the page's clock. */
  let heardMs = performance.now()
  /** The run of the core that this page belongs to. */
  let run

  const failure = (code, id, retryable) => ({ ok: false, error: { code, message: { id, values: {} }, retryable } })
  const lost = () => failure('UNREACHABLE', 'bridge.broke', true)
  const notThere = () => failure('UNREACHABLE', 'bridge.noAnswer', true)

  function connect() {
    const own = new WebSocket(address)
    own.addEventListener('open', () => {
      socket = own
      pauseMs = 250
      for (const send of [...waiting]) send()
    })
    own.addEventListener('message', (event) => receive(JSON.parse(event.data)))
    own.addEventListener('close', () => {
      socket = undefined
      const broken = [...pending.values()]
      pending.clear()
      for (const settle of broken) settle(lost())
      setTimeout(connect, pauseMs)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    })
  }

  function receive(message) {
    heardMs = performance.now()
    if (typeof message.beat === 'string') {
      // A restarted core has other state: the page's content is outdated.
      if (run !== undefined && run !== message.beat) location.reload()
      run = message.beat
      return
    }
    if (typeof message.event === 'string') {
      for (const listener of listeners) listener(message.event, message.payload)
      return
    }
    const settle = pending.get(message.id)
    pending.delete(message.id)
    if (settle !== undefined) settle(message.result)
  }

  function call(name, input) {
    let text
    const id = nextId++
    try {
      text = JSON.stringify({ id, name: String(name), input: input ?? {} })
    } catch {
      return Promise.resolve(failure('INVALID_REQUEST', 'app.notPlainData', false))
    }
    return new Promise((resolve) => {
      const send = () => {
        clearTimeout(limit)
        waiting.delete(send)
        pending.set(id, resolve)
        socket.send(text)
      }
      const limit = setTimeout(() => {
        waiting.delete(send)
        resolve(notThere())
      }, openLimitMs)
      if (socket !== undefined) send()
      else waiting.add(send)
    })
  }

  function subscribe(listener) {
    const own = (name, payload) => listener(name, payload)
    listeners.add(own)
    return () => {
      listeners.delete(own)
    }
  }

  Object.defineProperty(window, 'fitter', {
    value: Object.freeze({ call, subscribe, lastHeardMs: () => heardMs }),
    enumerable: true,
    writable: false,
    configurable: false
  })
  connect()
})()
