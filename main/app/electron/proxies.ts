import type { Session } from 'electron'
import type { PlatformProxies } from '../../base/internet/proxies.ts'

type ProxySession = Pick<Session, 'resolveProxy' | 'setProxy'>

/**
 * The system's proxies from Chromium, with PAC files. A chosen PAC file has a session of its own, so the window's is
 * unaffected.
 */
export function createSystemProxies(sessions: {
  defaultSession: Pick<Session, 'resolveProxy'>
  fromPartition(name: string): ProxySession
}): PlatformProxies {
  let chosen: { address: string; session: Promise<ProxySession> } | undefined

  async function sessionFor(address: string): Promise<ProxySession> {
    const own = sessions.fromPartition('fitter-pac')
    await own.setProxy({ mode: 'pac_script', pacScript: address })
    return own
  }

  return {
    async resolve(url, pacAddress) {
      if (pacAddress === null) return sessions.defaultSession.resolveProxy(url)
      if (chosen?.address !== pacAddress) chosen = { address: pacAddress, session: sessionFor(pacAddress) }
      return (await chosen.session).resolveProxy(url)
    }
  }
}
