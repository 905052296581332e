import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  misuseCall,
  okAnswer,
  recordEffect,
  Refusal,
  withBody,
  withoutOwner,
  type Call,
  type Endpoint
} from '../call.ts'
import { answerCollection, searchQuery } from '../records/collection.ts'
import type { ReportJob, StoredRecord } from '../state.ts'
import { formatTime, isZone } from '../time.ts'

/** A report engine of this gateway; the host name does not resolve, and nothing is sent to it. */
const engines = ['https://engine.example.com/reports']

const startBody = z.strictObject({
  script: z.string().regex(/^\S+$/),
  name: z.string().min(1),
  expires: z.number().int().positive(),
  engine: z.url(),
  args: z.record(z.string(), z.unknown())
})

const updateBody = z.strictObject({
  parameters: z.record(z.string(), z.unknown()).optional(),
  progress: z.strictObject({ percentage: z.number().min(0).max(100) }).optional(),
  state: z.enum(['running', 'error', 'done']).optional(),
  result: z
    .strictObject({
      files: z.array(z.string()).optional(),
      email: z
        .strictObject({
          files: z.array(z.string()).optional(),
          subject: z.string().optional(),
          message: z.string().optional()
        })
        .optional(),
      summary: z.record(z.string(), z.unknown()).optional(),
      error: z.string().optional()
    })
    .optional()
})

const cron = z.string().regex(/^\S+( \S+){4}$/)
const taskBody = z.strictObject({
  id: z.number().int().optional(),
  name: z.string().min(1),
  processes: z.tuple([
    z.strictObject({ name: z.string(), script: z.string(), tz: z.string().refine(isZone), engine: z.string() }),
    z.strictObject({
      vehicles: z.array(z.number().int()).optional(),
      recipients: z.array(z.email()).optional(),
      users: z.array(z.number().int()).optional(),
      groups: z.array(z.number().int()).optional(),
      back: z.strictObject({ days: z.number().optional(), hours: z.number().optional() }).optional(),
      tz: z.string().refine(isZone).optional()
    })
  ]),
  schedule: z.union([cron, z.array(cron).min(1)])
})

export const reportEndpoints: Endpoint[] = [
  { id: 'reports.engines', handle: () => okAnswer(engines) },
  withBody({
    id: 'reports.start',
    body: startBody,
    handle: (call, body) => {
      if (!engines.includes(body.engine)) throw new Refusal(400, 'unknown engine')
      const cacheKey = Buffer.from(JSON.stringify([body.script, body.args]))
        .toString('base64')
        .slice(0, 24)
      const open = call.state.reportJobs.find(
        (job) =>
          job.owner === call.user.id &&
          job['name'] === body.name &&
          job['cache_key'] === cacheKey &&
          job.state === 'created'
      )
      if (open) call.note(`doubled effect: report ${body.name} started twice`)
      const job: ReportJob = {
        engine: body.engine,
        transaction: randomBytes(8).toString('hex'),
        name: body.name,
        script: body.script,
        created_at: formatTime(call.nowMs, 'UTC'),
        expires: body.expires,
        state: 'created',
        params: body.args,
        result: null,
        done_at: null,
        owner: call.user.id,
        progress: null,
        cache_key: cacheKey,
        id: call.state.nextId('report job')
      }
      call.state.reportJobs.push(job)
      recordEffect(call, { id: job.id, name: body.name })
      return { status: 201, body: job }
    }
  }),
  withBody({
    id: 'reports.update',
    body: updateBody,
    handle: (call, { parameters, progress, state, result }) => {
      const job = ownJob(call)
      if (job.state === 'done' || job.state === 'error') throw misuseCall(call, 'the job is closed', 403)
      if (parameters) job['params'] = parameters
      if (progress) job['progress'] = progress
      if (result) job['result'] = result
      if (state) job.state = state
      if (state === 'done') job['done_at'] = formatTime(call.nowMs, 'UTC')
      recordEffect(call, { id: job.id, state: job.state })
      return okAnswer(job)
    }
  }),
  {
    id: 'reports.file',
    handle: (call) => {
      const job = ownJob(call)
      const files = (job['result'] as { files?: string[] } | null)?.files ?? []
      const name = call.params['file'] ?? ''
      if (job.state !== 'done' || !files.includes(name)) throw new Refusal(404, 'no such file')
      return {
        status: 200,
        text: `${String(job['name'])}\n`,
        contentType: name.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8'
      }
    }
  },
  withBody({
    id: 'tasks.create',
    scopes: ['tasks'],
    body: taskBody,
    handle: (call, body) => {
      const known =
        body.id === undefined
          ? undefined
          : call.state.tasks.find((task) => task.id === body.id && task.owner === call.user.id)
      if (body.id !== undefined && !known) throw new Refusal(404, 'task not found')
      if (known) {
        Object.assign(known, body)
        recordEffect(call, { id: known.id, name: body.name })
        return okAnswer(withoutOwner(known))
      }
      const isDouble = call.state.tasks.some(
        (task) =>
          task.owner === call.user.id &&
          JSON.stringify([task['name'], task['processes'], task['schedule']]) ===
            JSON.stringify([body.name, body.processes, body.schedule])
      )
      if (isDouble) call.note(`doubled effect: task ${body.name} made twice`)
      const task: StoredRecord = { ...body, id: call.state.nextId('task'), owner: call.user.id }
      call.state.tasks.push(task)
      recordEffect(call, { id: task.id, name: body.name })
      return { status: 201, body: withoutOwner(task) }
    }
  }),
  {
    id: 'tasks.list',
    scopes: ['tasks'],
    query: searchQuery,
    handle: (call) => {
      if (!call.impliedLists) throw new Refusal(404, 'not found')
      return answerCollection(call, call.state.tasks.filter((task) => task.owner === call.user.id).map(withoutOwner))
    }
  }
]

function ownJob(call: Call): ReportJob {
  const job = call.state.reportJobs.find((candidate) => String(candidate.id) === call.params['job_id'])
  if (!job || job.owner !== call.user.id) throw new Refusal(404, 'job not found')
  return job
}
