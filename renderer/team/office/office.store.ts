import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { OrderFinding } from '../../../preload/contract/job/orders.ts'
import type { TableEncoding, TableReading } from '../../../preload/contract/job/tables.ts'
import type { OfficeOrder } from '../../../preload/contract/team/teamOffice.ts'
import { BridgeError, call, subscribe } from '../../base/bridge.ts'
import { reader, say } from '../../base/say.ts'
import { isImei } from '../../base/shell/diagnoseSubject.ts'
import { toBase64 } from '../../base/shell/filePieces.ts'
import { presentMs } from '../../base/ui/time/presentTime.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'
import { instantOf } from '../../job/assigned/dueTimes.ts'
import { judgeOrders, type JudgedOrder } from './judgeOrders.ts'

/** Every other failure concerns the next order as well. */
const ofOneOrder: ReadonlySet<string> = new Set(['CONFLICT', 'INVALID_REQUEST', 'NOT_FOUND'])

/** The people of the team, and the file of orders that the office works on. Both remain when the person returns. */
export const useOffice = defineStore('office', () => {
  const jobs = useJobs()
  const office = shallowRef<CallOutput<'team.office'> | null>(null)
  /** Contains a password, so it is shown only once, until the person leaves or withdraws it. */
  const invitation = shallowRef<CallOutput<'team.invite'> | null>(null)
  const fileName = ref('')
  /** The file as it was read, for the table of faults. */
  let base64 = ''
  let encoding: TableEncoding | undefined
  const reading = shallowRef<TableReading | null>(null)
  const orders = shallowRef<readonly OfficeOrder[]>([])
  const findings = shallowRef<readonly OrderFinding[]>([])
  const checkedAt = ref<string | null>(null)
  const assigned = shallowRef<ReadonlyMap<string, string>>(new Map())
  const sent = shallowRef<ReadonlyMap<string, NonNullable<OfficeOrder['sent']>>>(new Map())
  const refused = shallowRef<ReadonlyMap<string, string>>(new Map())
  const chosen = shallowRef<ReadonlySet<string>>(new Set())
  let isListening = false

  const members = computed(() => office.value?.members ?? [])
  const receivers = computed(() => members.value.filter(({ role }) => role !== 'reader').map(({ name }) => name))
  const rows = computed(() =>
    judgeOrders(orders.value, {
      templates: jobs.templates.map(({ id, name }) => ({ id, name: say(name) })),
      members: members.value,
      assigned: assigned.value,
      sent: sent.value,
      refused: refused.value
    })
  )
  const sendable = computed(() => rows.value.filter(({ standing }) => standing === 'ready' || standing === 'check'))

  async function load(): Promise<void> {
    listen()
    await jobs.loadTemplates()
    await renew()
  }

  async function renew(): Promise<void> {
    office.value = await call('team.office', {})
  }

  function listen(): void {
    if (isListening) return
    isListening = true
    // Another workplace has another team.
    subscribe('app.entered', () => {
      office.value = invitation.value = null
      forgetFile()
    })
  }

  function forgetFile(): void {
    fileName.value = base64 = ''
    encoding = undefined
    reading.value = null
    orders.value = []
    findings.value = []
    checkedAt.value = null
    assigned.value = new Map()
    chosen.value = new Set()
    sent.value = new Map()
    refused.value = new Map()
  }

  async function open(file: File): Promise<void> {
    const text = toBase64(new Uint8Array(await file.arrayBuffer()))
    const read = await call('team.checkOrders', { base64: text })
    forgetFile()
    fileName.value = file.name
    base64 = text
    take(read)
  }

  async function checkAgain(): Promise<void> {
    take(await call('team.checkOrders', asRead()))
    sent.value = new Map()
    refused.value = new Map()
  }

  const asRead = () => ({ base64, ...(encoding === undefined ? {} : { encoding }) })

  /** Reads the letters of the file as the person chose. */
  async function readAs(chosen: TableEncoding): Promise<void> {
    encoding = chosen
    await checkAgain()
  }

  function take(read: CallOutput<'team.checkOrders'>): void {
    reading.value = read.reading
    orders.value = read.orders
    findings.value = read.findings
    checkedAt.value = new Date(presentMs()).toISOString()
  }

  /** What the team log refused for one person it may accept for another. */
  function assignChosen(to: string): void {
    refused.value = new Map([...refused.value].filter(([id]) => !chosen.value.has(id)))
    assigned.value = new Map([...assigned.value, ...[...chosen.value].map((id) => [id, to] as const)])
    chosen.value = new Set()
  }

  function toggle(id: string): void {
    const next = new Set(chosen.value)
    if (!next.delete(id)) next.add(id)
    chosen.value = next
  }

  /**
   * One after the other; an order that the team log has already stays as it is. Ends with the first that cannot reach
   * it.
   */
  async function send(): Promise<void> {
    for (const row of sendable.value) {
      try {
        await prepare(row)
        sent.value = new Map(sent.value).set(row.order.id, {
          at: new Date(presentMs()).toISOString(),
          by: members.value.find(({ isMe }) => isMe)?.name ?? '',
          to: row.to ?? ''
        })
      } catch (error) {
        if (!(error instanceof BridgeError) || !ofOneOrder.has(error.code)) throw error
        refused.value = new Map(refused.value).set(row.order.id, say(error.sentence))
      }
    }
  }

  async function prepare({ order: one, template, to }: JudgedOrder): Promise<void> {
    const { id, vehicle, customer, device, order, due, notes } = one
    await call('team.prepare', {
      id,
      templateId: template?.id ?? '',
      vehicle: vehicle.trim(),
      customer,
      imei: isImei(device) ? device : '',
      order: order && (order.items.length > 0 || order.reference !== '') ? order : null,
      to: to ?? '',
      dueAt: instantIn(due),
      notes
    })
  }

  /** The lines that were not sent and cannot be, as the text of a table. */
  async function faultsTable(): Promise<string> {
    const faults = rows.value
      .filter(({ standing }) => standing === 'fault')
      .map(({ order, reasons }) => ({ lines: order.lines, problem: reasons.join(' ') }))
    return (await call('team.faultsTable', { ...asRead(), faults })).text
  }

  return {
    office,
    invitation,
    members,
    receivers,
    fileName,
    findings,
    reading,
    checkedAt,
    chosen,
    rows,
    sendable,
    load,
    renew,
    open,
    checkAgain,
    readAs,
    forgetFile,
    assignChosen,
    toggle,
    send,
    faultsTable
  }
})

/** A time without an offset is the reader's. */
export function instantIn(due: string): string | null {
  if (due === '') return null
  return /(Z|[+-]\d{2}:\d{2})$/.test(due) ? new Date(due).toISOString() : instantOf(due, reader.value.timeZone)
}
