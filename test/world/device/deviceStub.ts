import { createServer } from 'node:http'

// A stand-in for port 8080 of one host: node deviceStub.ts HOSTNAME open|locked|page PORT UP_S LINK_ADDRESS
const [hostname = '', mode = 'open', port = '8080', upS = '12', linkAddress = ''] = process.argv.slice(2)

createServer((request, answer) => {
  if (mode === 'page') {
    answer.setHeader('content-type', 'text/html').end('<h1>It works</h1>')
    return
  }
  answer.setHeader('content-type', 'application/json')
  if (mode === 'locked' || request.url !== '/system-info') {
    answer.statusCode = mode === 'locked' ? 401 : 404
    answer.end(
      JSON.stringify({
        error: {
          error: { killed: false, code: 1, signal: null, cmd: 'login' },
          errorText: '',
          output: '{"error":"Invalid Username or Password"}'
        }
      })
    )
    return
  }
  answer.end(
    JSON.stringify({
      hostname,
      osVersion: '4.2.1',
      uptime: Number(upS) + Math.floor(process.uptime()),
      netLink: { name: 'eth0', ip: linkAddress }
    })
  )
}).listen(Number(port), '::', () => process.stdout.write('ready\n'))
