import { expect, test } from 'vitest'
import { createSystemProxies } from '../../../../main/app/electron/proxies.ts'

test('the system’s proxies are asked of the window’s session, a chosen PAC file has one of its own', async () => {
  const asked: string[] = []
  const proxies = createSystemProxies({
    defaultSession: {
      resolveProxy: (url) => Promise.resolve((asked.push(`system ${url}`), 'PROXY proxy.company.example:8080; DIRECT'))
    },
    fromPartition: (name) => ({
      setProxy: (config) => Promise.resolve(void asked.push(`${name} ${config.mode} ${config.pacScript}`)),
      resolveProxy: (url) => Promise.resolve((asked.push(`${name} ${url}`), 'DIRECT'))
    })
  })
  const url = 'https://gateway.example'
  expect(await proxies.resolve(url, null)).toBe('PROXY proxy.company.example:8080; DIRECT')
  expect(await proxies.resolve(url, 'http://one.example/a.pac')).toBe('DIRECT')
  await proxies.resolve(url, 'http://one.example/a.pac')
  await proxies.resolve(url, 'http://two.example/b.pac')
  expect(asked).toEqual([
    `system ${url}`,
    'fitter-pac pac_script http://one.example/a.pac',
    `fitter-pac ${url}`,
    `fitter-pac ${url}`,
    'fitter-pac pac_script http://two.example/b.pac',
    `fitter-pac ${url}`
  ])
})
