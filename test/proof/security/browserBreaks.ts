import type { SecurityBreak } from './breaks.ts'

const host = 'test/app/integration/browser-host.test.ts'
const inChromium = 'test/app/integration/browser-host-chromium.test.ts'
const access = 'test/app/unit/browserHost/access.test.ts'

const keys = 'main/app/browserHost/access.ts'
const pages = 'main/app/browserHost/pages.ts'
const socket = 'main/app/browserHost/bridgeSocket.ts'

/** The page in a browser. */
export const browserBreaks: readonly SecurityBreak[] = [
  {
    rule: 'The browser host listens on loopback only',
    file: 'main/app/browserHost/index.ts',
    from: 'server.listen({ host: loopback,',
    to: "server.listen({ host: '0.0.0.0',",
    caughtBy: [host, 'listens on the loopback address and on no other card']
  },
  {
    rule: 'A key works once',
    file: keys,
    from: 'return this.#keys.delete(found)',
    to: 'return true',
    caughtBy: [access, 'exchanges a key once, and never a second time']
  },
  {
    rule: 'A key works for five minutes',
    file: keys,
    from: 'if (endsAtMs <= this.#nowMs()) this.#keys.delete(digest)',
    to: 'if (endsAtMs === 0) this.#keys.delete(digest)',
    caughtBy: [access, 'refuses a key that is older than five minutes']
  },
  {
    rule: 'Only a key that was issued works',
    file: keys,
    from: 'if (found === undefined) return false',
    to: 'if (found === undefined) return given.length > 3',
    caughtBy: [access, 'refuses a key that was never issued, also an empty one']
  },
  {
    rule: 'Scripts do not read the cookie',
    file: keys,
    from: 'Path=/; HttpOnly; SameSite=Strict',
    to: 'Path=/; SameSite=Strict',
    caughtBy: [access, 'exchanges a key once, and never a second time']
  },
  {
    rule: 'Other sites do not send the cookie',
    file: keys,
    from: 'SameSite=Strict',
    to: 'SameSite=Lax',
    caughtBy: [access, 'exchanges a key once, and never a second time']
  },
  {
    rule: 'Only digests of cookies are stored',
    file: keys,
    from: 'this.#sessions.add(digestOf(session))',
    to: 'this.#sessions.add(digestOf(session)).add(session)',
    caughtBy: [access, 'keeps digests of its cookies, never the cookies']
  },
  {
    rule: 'Only our own cookie opens the page',
    file: keys,
    from: 'if (name !== this.#cookieName || value === undefined) continue',
    to: 'if (value === undefined) continue',
    caughtBy: [access, 'knows the cookie that it gave, among others, and no other']
  },
  {
    rule: 'Without the cookie there is nothing',
    file: pages,
    from: 'if (!access.hasSession(request)) return say(401, howToGetIn)\n\n',
    to: '',
    caughtBy: [host, 'shows nothing without the cookie, neither the page nor a script']
  },
  {
    rule: 'The name of the host is exact',
    file: pages,
    from: 'if (asked !== origin) return',
    to: "if (asked === '') return",
    caughtBy: [host, 'refuses a foreign host name, as DNS rebinding brings it']
  },
  {
    rule: 'Another page asks for nothing',
    file: pages,
    from: 'if (request.headers.origin !== undefined && request.headers.origin !== origin) {',
    to: 'if (request.headers.origin === origin + 1) {',
    caughtBy: [host, 'refuses a request that another page sends']
  },
  {
    rule: 'A browser gets the manifest only',
    file: pages,
    from: 'if (url === null || url.origin !== origin) return',
    to: 'if (url === null) return',
    caughtBy: [host, 'serves only what is in the built page, whatever the path tries']
  },
  {
    rule: 'A browser gets the policy with every reply',
    file: pages,
    from: '        ...reply.headers,\n        ...securityHeaders\n',
    to: '        ...reply.headers\n',
    caughtBy: [host, 'puts the policy on every reply, also on refusals']
  },
  {
    rule: 'The bridge wants its cookie',
    file: socket,
    from: "        request.url === '/bridge' &&\n        access.hasSession(request)",
    to: "        request.url === '/bridge'",
    caughtBy: [host, 'opens for our own page only: cookie, host and origin have to be right']
  },
  {
    rule: 'The bridge wants its origin',
    file: socket,
    from: '        request.headers.origin === origin &&\n',
    to: '',
    caughtBy: [host, 'opens for our own page only: cookie, host and origin have to be right']
  },
  {
    rule: 'The bridge wants its host',
    file: socket,
    from: '`http://${request.headers.host}` === origin &&',
    to: '',
    caughtBy: [host, 'opens for our own page only: cookie, host and origin have to be right']
  },
  {
    rule: 'The bridge reads no message without limit',
    file: socket,
    from: 'maxPayload: maxMessageBytes',
    to: 'maxPayload: 0',
    caughtBy: [host, 'does not read a message without limit']
  },
  {
    rule: 'What is no call closes the bridge',
    file: socket,
    from: "client.close(isBinary ? protocolError : unreadableData, 'not a call')\n        return",
    to: "client.send('{}')\n        return",
    caughtBy: [host, 'closes on anything that is not a call, and the core sees none of it']
  },
  {
    rule: 'A fault crosses the bridge without details',
    file: socket,
    from: '() => send(client, { id: call.id, result: internalError })',
    to: '(error: unknown) => send(client, { id: call.id, result: internalError, why: String(error) })',
    caughtBy: [host, 'tells nothing of a bug but that there was one']
  },
  {
    rule: 'The bridge of the browser is frozen',
    file: 'main/app/browserHost/bridge.js',
    from: 'Object.freeze(',
    to: '(',
    caughtBy: [inChromium, 'the page gets its bridge before its own script, and calls cross under the policy']
  },
  {
    rule: 'The stored address is for its owner only',
    file: 'main/app/browserHost/hostAddress.ts',
    from: 'mode: 0o600',
    to: 'mode: 0o644',
    caughtBy: [inChromium, 'an open page comes back by itself to a core that was started anew on the same data']
  },
  {
    rule: 'The file with the key is for its owner only',
    file: 'main/app/browserHost/redirectFile.ts',
    from: 'mode: 0o600',
    to: 'mode: 0o644',
    caughtBy: [inChromium, 'a file that leads on opens the page too']
  },
  {
    rule: 'Strangers have few connections',
    file: 'main/app/browserHost/connectionRoom.ts',
    from: 'if (oldest) end(oldest)',
    to: 'void oldest',
    caughtBy: [
      'test/app/integration/browser-host-strangers.test.ts',
      'keeps nobody from switching an output off, although the process may open few files'
    ]
  }
]
