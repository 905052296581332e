import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { ListedJob, LiveStep } from '../../../../preload/contract/job/jobs.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { OrderFinding } from '../../../../preload/contract/job/orders.ts'
import type { TableEncoding, TableReading } from '../../../../preload/contract/job/tables.ts'
import { BridgeError, call, subscribe } from '../../../base/bridge.ts'
import { useDevices } from '../../../device/devices/devices.store.ts'
import { canRetry, deviceOfLine, standingOf, type BatchLine, type OpenJobAnswer } from './batchLines.ts'
import { isSameWork } from '../../../../preload/job/sameWork.ts'
import { toBase64 } from '../../../base/shell/filePieces.ts'

const mostAtOnce = 20
const mostLookedAt = 50
const mostOpen = 100

/**
 * One checklist for many devices: a line for each, run in parallel. Results are in the log; importing a file again
 * continues there.
 */
export const useBatch = defineStore('batch', () => {
  const lines = shallowRef<BatchLine[]>([])
  const findings = shallowRef<OrderFinding[]>([])
  /** The file, and how it was read; null for JSON. */
  const table = shallowRef<Blob | null>(null)
  const reading = shallowRef<TableReading | null>(null)
  const templateId = shallowRef('')
  /** The name of the table, without its ending. */
  const name = shallowRef('')
  const isBegun = computed(() => lines.value.some(({ phase }) => phase !== 'waiting'))
  /** By place: the open job of the line's device, where it does other work than the line orders. */
  const otherJobs = shallowRef<ReadonlyMap<number, ListedJob>>(new Map())
  let waiting: number[] = []
  let isListening = false

  function change(place: number, next: Partial<BatchLine>): void {
    lines.value = lines.value.map((line) => (line.place === place ? { ...line, ...next } : line))
  }

  function listen(): void {
    if (isListening) return
    isListening = true
    subscribe('jobs.state', (job) => {
      for (const { place } of lines.value.filter((line) => line.job?.id === job.id))
        change(place, { job, ...(job.isActive ? {} : { asks: new Map<string, Message>(), askedAt: undefined }) })
      beginWaiting()
    })
    subscribe('jobs.live', receiveLive)
    // Another workplace has other jobs.
    subscribe('app.entered', () => {
      waiting = []
      lines.value = []
      findings.value = []
      table.value = reading.value = null
    })
  }

  function receiveLive({ jobId, stepId, prompt }: LiveStep): void {
    const line = lines.value.find(({ job }) => job?.id === jobId)
    if (!line || line.asks.has(stepId) === (prompt !== null)) return
    const asks = new Map(line.asks)
    if (prompt) asks.set(stepId, prompt.text)
    else asks.delete(stepId)
    change(line.place, { asks, askedAt: asks.size === 0 ? undefined : (line.askedAt ?? new Date().toISOString()) })
  }

  /** `encoding`: what the person chose for the letters of this file. */
  async function read(file: Blob, encoding?: TableEncoding): Promise<void> {
    listen()
    const read = await call('orders.read', {
      base64: toBase64(new Uint8Array(await file.arrayBuffer())),
      ...(encoding === undefined ? {} : { encoding })
    })
    table.value = file
    reading.value = read.reading
    findings.value = read.findings
    name.value = file instanceof File ? file.name.replace(/\.[^.]*$/, '') : ''
    waiting = []
    lines.value = read.orders.map((order, index) => ({
      place: index + 1,
      order,
      job: null,
      phase: 'waiting',
      why: null,
      asks: new Map()
    }))
  }

  const rowOf = ({ order: { template, order } }: BatchLine) => ({ template: template || templateId.value, order })

  /** Looks for the open jobs of the devices in the table, as far as these are nearby. */
  async function compareOpenJobs(): Promise<void> {
    const compared = lines.value
    const { jobs } = await call('jobs.list', { isOpen: true, limit: mostOpen })
    const found = new Map<number, ListedJob>()
    for (const line of compared.filter(({ job }) => !job)) {
      const imei = deviceOfLine(useDevices().devices, line.order.device)?.imei
      const open = imei ? jobs.find(({ device, handedOver }) => device.imei === imei && !handedOver) : undefined
      if (open && !isSameWork(rowOf(line), await call('jobs.show', { id: open.id }))) found.set(line.place, open)
    }
    if (compared === lines.value) otherJobs.value = found
  }

  /** The person's answer for a line whose device has an open job with other work. */
  function decide(place: number, openJob: OpenJobAnswer): void {
    change(place, { openJob })
  }

  /** Begins these lines; without a choice, all that wait. */
  function begin(places?: ReadonlySet<number>): void {
    queue(lines.value.filter(({ phase, place }) => phase === 'waiting' && (places?.has(place) ?? true)))
  }

  function retryFailed(): void {
    queue(lines.value.filter(canRetry))
  }

  function queue(chosen: readonly BatchLine[]): void {
    waiting.push(...chosen.map(({ place }) => place))
    for (const { place } of chosen) change(place, { phase: 'queued', why: null })
    beginWaiting()
  }

  function beginWaiting(): void {
    const busy = lines.value.filter((line) => ['working', 'asks'].includes(standingOf(line))).length
    for (const place of waiting.splice(0, Math.max(0, mostAtOnce - busy))) {
      change(place, { phase: 'beginning' })
      void beginLine(place)
    }
  }

  async function beginLine(place: number): Promise<void> {
    const line = lines.value.find((one) => one.place === place)
    if (!line) return
    try {
      const job = line.job ?? (await jobOf(line))
      change(place, { job })
      if (standingOf({ ...line, job, phase: 'begun' }) !== 'done') await call('jobs.start', { id: job.id })
      // Before that, a new job would look like one that was left.
      change(place, { phase: 'begun' })
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error
      change(place, { phase: 'notBegun', why: error.sentence })
    } finally {
      beginWaiting()
    }
  }

  /** The job that the line has already, open or done, or a new one. */
  async function jobOf(asked: BatchLine): Promise<ListedJob> {
    const { order: line, openJob } = asked
    const row = rowOf(asked)
    const device = deviceOfLine(useDevices().devices, line.device)
    if (!device)
      throw new BridgeError({
        code: 'UNREACHABLE',
        message: message('windowBatch.notInSight', { device: line.device }),
        retryable: true
      })
    const { vehicle, customer } = line.order
    const known =
      device.imei === null ? [] : (await call('jobs.list', { search: device.imei, limit: mostLookedAt })).jobs
    for (const one of known.filter(
      ({ state, device: { imei } }) =>
        imei === device.imei && (state === 'done' || state === 'installedAwaitingGateway')
    ))
      if (isSameWork(row, await call('jobs.show', { id: one.id }))) return one
    const isLabelKnown = device.imei !== null && line.device.trim() === device.imei
    const made = await call('jobs.create', {
      templateId: row.template,
      deviceKey: device.key,
      vehicleText: vehicle,
      customer,
      order: line.order,
      besideOpenJob: openJob === 'new',
      ...(isLabelKnown ? { scannedImei: line.device.trim() } : {})
    })
    if (made.outcome === 'openJob') {
      if (openJob === 'keep' || isSameWork(row, await call('jobs.show', { id: made.job.id }))) return made.job
      throw new BridgeError({
        code: 'CONFLICT',
        message: message('windowBatch.finding.openJob', { template: made.job.template.name }),
        retryable: false
      })
    }
    const { jobs } = await call('jobs.list', { isOpen: true, limit: mostLookedAt })
    const job = jobs.find(({ id }) => id === made.id)
    if (!job)
      throw new BridgeError({ code: 'NOT_FOUND', message: message('jobs.notInLog', { id: made.id }), retryable: true })
    return job
  }

  return {
    lines,
    findings,
    table,
    reading,
    templateId,
    name,
    isBegun,
    otherJobs,
    read,
    compareOpenJobs,
    decide,
    begin,
    retryFailed
  }
})
