import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** A report engine ("Reports and tasks"): it accepts jobs and has a file for each at once. */
export interface SimulatedEngine {
  readonly url: string
  readonly jobs: readonly EngineJob[]
  /** Requests of clients that the document does not allow, oldest first. */
  readonly violations: readonly string[]
  stop(): Promise<void>
}

const jobBody = z.strictObject({
  configuration: z.strictObject({
    site_id: z.union([z.number(), z.string()]),
    site_url: z.string(),
    user_id: z.union([z.number(), z.string()]),
    api_token: z.string().min(1),
    tz: z.string(),
    job_id: z.union([z.number(), z.string()]),
    job_name: z.string(),
    job_created_at: z.union([z.number(), z.string()]),
    job_expires: z.union([z.number(), z.string()])
  }),
  parameters: z.record(z.string(), z.unknown())
})
type EngineJob = z.infer<typeof jobBody>

const manifest = {
  definitions: { vehicles: { description: 'Vehicles of the report', type: 'array', format: 'ids' } },
  scripts: [
    {
      script: 'distance_by_day',
      title: 'Distance by day',
      desc: 'What each vehicle drove on each day',
      category: 'vehicle_metrics',
      schedule: true,
      parameters_schema: {
        type: 'object',
        required: ['vehicles'],
        properties: { vehicles: { $ref: '#/definitions/vehicles' } }
      }
    }
  ]
}

export const engineOperations = ['engine.manifest', 'engine.startJob', 'engine.file'] as const

export async function startEngine(): Promise<SimulatedEngine> {
  const jobs: EngineJob[] = []
  const violations: string[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname } = new URL(request.url ?? '/', 'http://engine')
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.method === 'GET' && pathname === '/manifest') return send(200, manifest)
    if (request.method === 'POST' && pathname === '/jobs') {
      const parsed = jobBody.safeParse(JSON.parse(Buffer.concat(chunks).toString('utf8') || 'null'))
      if (!parsed.success) {
        violations.push(`POST /jobs: ${parsed.error.issues[0]?.message ?? 'wrong form'}`)
        return send(400, { message: 'not a job of the documented form' })
      }
      jobs.push(parsed.data)
      return send(201, { job_id: parsed.data.configuration.job_id })
    }
    const [, site, job, file] = /^\/jobs\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(pathname) ?? []
    if (request.method === 'GET' && file !== undefined) {
      const known = jobs.some(
        ({ configuration }) => String(configuration.site_id) === site && String(configuration.job_id) === job
      )
      if (!known) return send(404, { message: 'no such job' })
      response
        .writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
        .end('vehicle,day,distance_m\n101,2026-11-20,18250\n')
      return
    }
    violations.push(`${request.method} ${pathname}: not in the document`)
    send(404, { message: 'not found' })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      violations.push(`simulator failed: ${String(error)}`)
      if (!response.headersSent) response.writeHead(500).end()
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    violations,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    }
  }
}
